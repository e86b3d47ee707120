"""Sentences of the log from before codes refer to the players whom they name."""

from django.conf import settings
from django.db import migrations

from rules.reason import TOLD, params_to_json
from tournament.archive.old_lines import EventHistory, ToldLine


def refer_to_players(apps, schema_editor) -> None:
    """Replace the names in sentences, so that a corrected name changes there too."""
    log = apps.get_model("tournament", "LogEntry").objects
    users = apps.get_model(settings.AUTH_USER_MODEL).objects
    rows = users.values_list("pk", "first_name", "last_name", "username")
    actors = {pk: f"{first} {last}".strip() or username for pk, first, last, username in rows}
    told_entries = log.filter(params__has_key=TOLD)
    for event in told_entries.order_by().values_list("event_id", flat=True).distinct():
        _translate(log.filter(event=event).order_by("pk"), actors)


def _translate(entries, actors) -> None:
    history, changes = EventHistory(), []
    for entry in entries.iterator(chunk_size=100):
        if entry.head_id is None:
            changes = entry.changes
            history.apply(changes)
        sentence = entry.params.get(TOLD)
        if set(entry.params) != {TOLD} or not isinstance(sentence, str):
            continue
        players = {int(word[1:]) for word in entry.about.split() if word[0] == "p"}
        actor = actors.get(entry.user_id, entry.actor)
        line = ToldLine(entry.action, sentence, actor, changes, players)
        if entry.user_id is None and (author := history.find_author(line)):
            entries.filter(pk=entry.pk).update(actor="", by_player=author)
        if parts := history.refer_to_players(line):
            entries.filter(pk=entry.pk).update(params=params_to_json({TOLD: parts}))


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0038_members_and_boards_at_time"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [migrations.RunPython(refer_to_players, migrations.RunPython.noop, elidable=True)]
