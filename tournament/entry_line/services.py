"""Accept a typed line once, however often the browser sends it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from decks.shared.refusals import Conflict
from tournament.entry_line.models import AcceptedEntry
from tournament.events.models.event import Event
from tournament.log.models import LogEntry
from tournament.log.wording import show_entry


@dataclass(frozen=True, slots=True)
class Acceptance:
    """The result of a line: a sentence, and the step in the log if anything changed."""

    sentence: str
    log_entry: LogEntry | None


def accept_once(event: Event, user: User, key: UUID, line: str, enter: Callable[[], str]) -> Acceptance:
    """Run `enter` unless this user's key was accepted before.

    `enter` returns what it did in words. The key and the step are written in one transaction, and the
    database takes each key once: of two requests at the same moment the second waits and finds the first. A
    refusal leaves no key. Raises Conflict if the key was accepted with another line, and whatever `enter`
    raises.
    """
    line_hash = hashlib.sha256(line.encode()).hexdigest()
    with transaction.atomic():
        entry, is_new = AcceptedEntry.objects.get_or_create(
            user=user, key=key, defaults={"event": event, "line_hash": line_hash}
        )
        if not is_new:
            return _accepted_before(entry, event, line_hash)
        # The lock of the step, taken before: the entries of the log that follow are those of this line.
        Event.objects.select_for_update().values_list("pk").get(pk=event.pk)
        steps = LogEntry.objects.filter(event=event, head=None).defer("changes").order_by("pk")
        last_pk = steps.values_list("pk", flat=True).last() or 0
        sentence = enter()
        entry.log_entry = steps.filter(pk__gt=last_pk).first()
        entry.save(update_fields=["log_entry"])
        return Acceptance(sentence, entry.log_entry)


def _accepted_before(entry: AcceptedEntry, event: Event, line_hash: str) -> Acceptance:
    log_entry = entry.log_entry
    sentence = show_entry(log_entry).sentence if log_entry else gettext("This was entered before.")
    if entry.event_id != event.pk or entry.line_hash != line_hash:
        raise Conflict("accepted_otherwise", sentence_text=sentence)
    return Acceptance(sentence, entry.log_entry)
