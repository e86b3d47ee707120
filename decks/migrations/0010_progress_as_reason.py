"""What a job is doing, as a code with params in place of words."""

from django.db import migrations, models

TOLD = "told"


def to_stages(apps, schema_editor):
    """Keep the words of jobs at work as they are."""
    jobs = apps.get_model("decks", "Job").objects.exclude(progress_words="")
    for pk, words in jobs.values_list("pk", "progress_words").iterator(chunk_size=500):
        jobs.filter(pk=pk).update(progress_stage={"code": TOLD, "params": {TOLD: words}})


def to_words(apps, schema_editor):
    """Put stages into the words of today."""
    from decks.shared.wording import format_reason
    from rules.reason import Reason

    jobs = apps.get_model("decks", "Job").objects.exclude(progress_stage=None)
    for pk, stage in jobs.values_list("pk", "progress_stage").iterator(chunk_size=500):
        words = format_reason("reason", Reason.from_json(stage))
        jobs.filter(pk=pk).update(progress_words=words[:200])


class Migration(migrations.Migration):
    dependencies = [
        ("decks", "0009_failures_as_reasons"),
    ]

    operations = [
        migrations.AddField(
            model_name="job",
            name="progress_stage",
            field=models.JSONField(
                blank=True, help_text="What is being done: a code with params.", null=True
            ),
        ),
        migrations.RunPython(to_stages, to_words),
        migrations.RemoveField(model_name="job", name="progress_words"),
    ]
