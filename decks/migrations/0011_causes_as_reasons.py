"""Why lists are checked again, as codes with params in place of a sentence."""

from django.db import migrations, models

TOLD = "told"


def to_reasons(apps, schema_editor):
    """Keep the sentences of earlier rechecks as they are."""
    for name in ("Recheck", "Rechecked"):
        rows = apps.get_model("decks", name).objects.order_by()
        for cause in rows.values_list("cause", flat=True).distinct():
            rows.filter(cause=cause).update(causes=[{"code": TOLD, "params": {TOLD: cause}}])


def to_sentences(apps, schema_editor):
    """Put the causes into the words of today."""
    from decks.shared.causes import render_causes

    for name in ("Recheck", "Rechecked"):
        rows = apps.get_model("decks", name).objects.order_by()
        for pk, causes in rows.values_list("pk", "causes").iterator(chunk_size=500):
            rows.filter(pk=pk).update(cause=render_causes(causes)[:300])


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0010_progress_as_reason"),
    ]

    operations = [
        migrations.AddField(
            model_name="recheck", name="causes", field=models.JSONField(default=list)
        ),
        migrations.AddField(
            model_name="rechecked", name="causes", field=models.JSONField(default=list)
        ),
        migrations.RunPython(to_reasons, to_sentences),
        # For the way back: rows have no words until they are put into some.
        migrations.AlterField(
            model_name="recheck", name="cause", field=models.CharField(max_length=300, default="")
        ),
        migrations.AlterField(
            model_name="rechecked", name="cause", field=models.CharField(max_length=300, default="")
        ),
        migrations.RemoveField(model_name="recheck", name="cause"),
        migrations.RemoveField(model_name="rechecked", name="cause"),
    ]
