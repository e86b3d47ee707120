"""One line that two tabs send at the same moment, with real threads.

The database takes its key once.
"""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.decks.submissions.test_submission_concurrency import at_once
from tests.scenarios.factories import make_event, organizer
from tournament.entry_line.models import AcceptedEntry
from tournament.entry_line.services import accept_once
from tournament.registration import services as registration

pytestmark = pytest.mark.both_databases


@pytest.mark.django_db(transaction=True)
def test_line_sent_by_two_tabs_at_once_is_entered_once() -> None:
    event, actor, key = make_event(), organizer(), uuid4()

    def send(number: int) -> int:
        def enter() -> str:
            return registration.add_player(event, actor, name="Ann", is_namesake=True).name

        accepted_entry = accept_once(event, actor.user, key, "Ann", enter)
        return accepted_entry.log_entry.pk if accepted_entry.log_entry else 0

    entries = at_once(4, send)
    assert entries == [event.log.get(action="player_added").pk] * 4
    assert (event.players.count(), AcceptedEntry.objects.count()) == (1, 1)
