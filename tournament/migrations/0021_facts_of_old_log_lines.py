"""The commonest lines of the log that have a sentence get the facts that say it."""

from collections.abc import Mapping

from django.conf import settings
from django.db import migrations

from rules.reason import TOLD, params_to_json
from tournament.archive.old_lines import EventHistory, ToldLine


def find_facts(apps, schema_editor) -> None:
    """Replace sentences in old log lines by a code and facts.

    This is done for each sentence that can be derived from what its step changed.
    """
    log = apps.get_model("tournament", "LogEntry").objects
    users = _name_users(apps)
    told = log.filter(params__has_key=TOLD)
    for event in told.order_by().values_list("event_id", flat=True).distinct():
        _translate(log.filter(event=event).order_by("pk"), users)


def _translate(entries, users: Mapping[int, str]) -> None:
    history, changes = EventHistory(), []
    for entry in entries.iterator(chunk_size=100):
        if entry.head_id is None:
            changes = entry.changes
            history.apply(changes)
        if set(entry.params) != {TOLD} or entry.variant:
            continue
        actor = users.get(entry.user_id, entry.actor)
        line = ToldLine(entry.action, entry.params[TOLD], actor, changes)
        if found := history.find_facts(line):
            _, _, variant = found.code.partition(".")
            entries.filter(pk=entry.pk).update(variant=variant, params=params_to_json(found.params))


def _name_users(apps) -> dict[int, str]:
    users = apps.get_model(settings.AUTH_USER_MODEL).objects
    rows = users.values_list("pk", "first_name", "last_name", "username")
    return {pk: f"{first} {last}".strip() or username for pk, first, last, username in rows}


class Migration(migrations.Migration):
    dependencies = [
        ("tournament", "0020_result_details"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [migrations.RunPython(find_facts, migrations.RunPython.noop, elidable=True)]
