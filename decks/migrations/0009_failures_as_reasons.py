"""Why a job or a catalogue file failed, as codes and params.

They take the place of a sentence.
"""

from django.db import migrations, models

TOLD = "told"


def to_records(apps, schema_editor):
    """Keep the sentences of earlier failures as they are."""
    for name, code_column in (("Job", "error_code"), ("CatalogueImport", None)):
        model = apps.get_model("decks", name)
        for row in model.objects.exclude(error="").iterator(chunk_size=200):
            code = getattr(row, code_column) if code_column else ""
            row.failure = [{"code": code or TOLD, "params": {TOLD: row.error}}]
            row.save(update_fields=["failure"])


def to_sentences(apps, schema_editor):
    """Put failures into the words of today."""
    from decks.shared.refusals import render_records

    for name in ("Job", "CatalogueImport"):
        model = apps.get_model("decks", name)
        for row in model.objects.exclude(failure=[]).iterator(chunk_size=200):
            row.error = render_records(row.failure)
            row.save(update_fields=["error"])


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0008_rechecked_mends"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="failure",
            field=models.JSONField(
                blank=True, default=list, help_text="Why it failed: problems with code and params."
            ),
        ),
        migrations.AddField(
            model_name="catalogueimport",
            name="failure",
            field=models.JSONField(
                blank=True,
                default=list,
                help_text="Why the file cannot be read: problems with code and params.",
            ),
        ),
        migrations.RunPython(to_records, to_sentences),
        migrations.RemoveField(model_name="job", name="error"),
        migrations.RemoveField(model_name="catalogueimport", name="error"),
    ]
