"""What one game asks about results becomes `details`.

Every game declares its own.
"""

from collections.abc import Callable, Iterable, Iterator

from django.db import migrations, models

from tournament.archive.old_results import OLD_COLUMNS, ChangeFolder, fold_details, fold_log_params, unfold_change, unfold_details

ENDINGS = [
    ("", "Played out"), ("time", "Time was called"), ("concession", "Conceded"),
    ("agreed_draw", "Draw by agreement"), ("no_show", "Did not show up"), ("left", "Left the event"),
    ("penalty", "Match loss by penalty"), ("disqualified", "Disqualified"), ("head_shot", "Head shot"),
]  # fmt: skip


def fold(apps, schema_editor) -> None:
    """Move the old columns into `details`.

    This is done in the matches and in the changes of the log.
    """
    matches = apps.get_model("tournament", "Match").objects
    answered = matches.exclude(quickenings=None, quickenings_declined=False)
    for row in answered.values("pk", "quickenings", "quickenings_declined").iterator():
        matches.filter(pk=row["pk"]).update(details=fold_details(row))
    log = apps.get_model("tournament", "LogEntry").objects
    for event in log.order_by().values_list("event_id", flat=True).distinct():
        _rewrite(log.filter(event_id=event).order_by("pk"), ChangeFolder().fold, OLD_COLUMNS)
    for pk, params in log.order_by("pk").values_list("pk", "params").iterator(chunk_size=100):
        if params != (folded := fold_log_params(params)):
            log.filter(pk=pk).update(params=folded)


def unfold(apps, schema_editor) -> None:
    """Put the two known details back into columns of their own; others are lost."""
    matches = apps.get_model("tournament", "Match").objects
    for pk, details in matches.exclude(details={}).values_list("pk", "details").iterator():
        matches.filter(pk=pk).update(**unfold_details(details))
    _rewrite(apps.get_model("tournament", "LogEntry").objects.order_by("pk"), unfold_change, ("details",))


def _rewrite(entries, convert: Callable[[dict], dict], columns: Iterable[str]) -> None:
    for pk, changes in entries.values_list("pk", "changes").iterator(chunk_size=100):
        if any(set(columns) & set(names) for change in changes for names in _list_columns(change)):
            entries.filter(pk=pk).update(changes=[convert(change) for change in changes])


def _list_columns(change: dict) -> Iterator[list[str]]:
    if change["table"] in ("match", "resultreport"):
        yield change["columns"] if "columns" in change else [*(change["before"] or ()), *(change["after"] or ())]


def _details() -> models.JSONField:
    return models.JSONField(blank=True, default=dict, help_text="What the game asks beside the games.")


def _games(label: str) -> models.PositiveSmallIntegerField:
    return models.PositiveSmallIntegerField(default=0, verbose_name=label)


def _ending() -> models.CharField:
    return models.CharField(
        blank=True, choices=ENDINGS, default="", max_length=16, verbose_name="how it ended"
    )


class Migration(migrations.Migration):
    dependencies = [("tournament", "0019_reasons")]

    operations = [
        migrations.AddField("match", "details", _details()),
        migrations.AddField("resultreport", "details", _details()),
        migrations.RunPython(fold, unfold),
        migrations.RemoveField("match", "quickenings"),
        migrations.RemoveField("match", "quickenings_declined"),
        migrations.AlterField(
            "match",
            "consent",
            models.BooleanField(
                default=False,
                help_text="The opponent accepted the concession.",
                verbose_name="the opponent accepts it",
            ),
        ),
        *(
            migrations.AlterField(table, name, _games(label))
            for table in ("match", "resultreport")
            for name, label in (
                ("p1_games", "games of the first player"),
                ("p2_games", "games of the second player"),
                ("draws", "drawn games"),
            )
        ),
        migrations.AlterField("match", "ending", _ending()),
        migrations.AlterField("resultreport", "ending", _ending()),
    ]
