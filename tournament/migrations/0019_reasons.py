"""Store reasons with references.

They say why two players meet, and how a match was settled at time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db import migrations, models

from tournament.archive import old_sentences as sentences

ROWS_AT_ONCE = 500


def upgrade(apps: Any, schema_editor: Any) -> None:
    """Give every row reasons for its sentences, the rows in the log too."""
    _convert_column(apps, "Match", "why", "reasons", sentences.upgrade_sentence)
    _convert_column(apps, "TimeSettlement", "sentence", "reasons", sentences.upgrade_sentence)
    _convert_column(apps, "Round", "pairing", "pairing", sentences.upgrade_pairing)
    _convert_column(apps, "Stage", "selection", "selection", sentences.upgrade_selection)
    _convert_column(apps, "LogEntry", "changes", "changes", sentences.upgrade_changes)


def downgrade(apps: Any, schema_editor: Any) -> None:
    """Give every row sentences again, with ids for the names of players."""
    _convert_column(apps, "Match", "reasons", "why", sentences.downgrade_reasons)
    _convert_column(apps, "TimeSettlement", "reasons", "sentence", sentences.downgrade_reasons)
    _convert_column(apps, "Round", "pairing", "pairing", sentences.downgrade_pairing)
    _convert_column(apps, "Stage", "selection", "selection", sentences.downgrade_selection)
    _convert_column(apps, "LogEntry", "changes", "changes", sentences.downgrade_changes)


def _convert_column(apps: Any, model: str, old: str, new: str, convert: Callable[[Any], Any]) -> None:
    rows = apps.get_model("tournament", model).objects
    ids = list(rows.order_by("pk").values_list("pk", flat=True))
    for some in _chunks(ids):
        changed = []
        for row in rows.filter(pk__in=some):
            value = getattr(row, old)
            converted = convert(value)
            if old != new or converted != value:
                setattr(row, new, converted)
                changed.append(row)
        rows.bulk_update(changed, [new])


def _chunks(ids: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(ids), ROWS_AT_ONCE):
        yield ids[start : start + ROWS_AT_ONCE]


class Migration(migrations.Migration):
    dependencies = [("tournament", "0018_log_facts")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="reasons",
            field=models.JSONField(default=list, blank=True, help_text="Reasons why these two meet."),
        ),
        migrations.AddField(
            model_name="timesettlement",
            name="reasons",
            field=models.JSONField(
                default=list, blank=True, help_text="What the rule makes of the answers."
            ),
        ),
        migrations.RunPython(upgrade, downgrade),
        migrations.RemoveField(model_name="match", name="why"),
        migrations.RenameField(model_name="match", old_name="reasons", new_name="why"),
        migrations.RemoveField(model_name="timesettlement", name="sentence"),
    ]
