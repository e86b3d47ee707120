"""Keep codes for what Ringside wrote in English.

The texts say who entered a row, and why a player dropped.
"""

from django.db import migrations
from django.db.models import F, QuerySet

from tournament.archive.old_texts import OLD_TEXTS, VARIANTS_OF_DROPS, encode_changes
from tournament.shared.coded_texts import BY_PLAYER

COLUMNS = (
    ("tournament", "Match", "result_by"),
    ("tournament", "TimeSettlement", "settled_by"),
    ("tournament", "LogEntry", "actor"),
    ("tournament", "Player", "drop_reason"),
    ("decks", "DeckVersion", "submitted_by"),
)


def write_codes(apps, schema_editor) -> None:
    """Replace the texts in the rows, in the log and in what its steps changed."""
    calls = apps.get_model("tournament", "JudgeCall").objects
    for call in calls.filter(closed_by=F("player__name")):
        calls.filter(pk=call.pk).update(closed_by=BY_PLAYER)
    log = apps.get_model("tournament", "LogEntry").objects
    for text, code in OLD_TEXTS.items():
        for app, model, column in COLUMNS:
            QuerySet(apps.get_model(app, model)).filter(**{column: text}).update(**{column: code})
        if code in VARIANTS_OF_DROPS:
            drops = log.filter(action="player_dropped", variant="", reason=text)
            drops.update(variant=VARIANTS_OF_DROPS[code], reason="")
    for pk, changes in log.order_by("pk").values_list("pk", "changes").iterator(chunk_size=100):
        if changes != (encoded := encode_changes(changes)):
            log.filter(pk=pk).update(changes=encoded)


def write_texts(apps, schema_editor) -> None:
    """Put the texts back into the rows."""
    for text, code in OLD_TEXTS.items():
        for app, model, column in COLUMNS:
            QuerySet(apps.get_model(app, model)).filter(**{column: code}).update(**{column: text})


class Migration(migrations.Migration):
    dependencies = [("tournament", "0035_groups_of_four"), ("decks", "0017_original_files")]
    operations = [migrations.RunPython(write_codes, write_texts, elidable=True)]
