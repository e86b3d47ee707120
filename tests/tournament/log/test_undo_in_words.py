"""The words of the log about undo.

However often a step is undone and redone, the log says which step it is and what became of it.
"""

from __future__ import annotations

import pytest

from tests.scenarios.factories import make_event, organizer, sign_in_organizer
from tests.scenarios.log_words import words_of
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.registration import services as registration

pytestmark = pytest.mark.django_db


def test_taking_back_and_doing_again_names_the_step_itself() -> None:
    event = make_event()
    registration.add_player(event, organizer(), name="Ann")
    entry = LogEntry.objects.filter(event=event, head=None).latest("pk")
    who, log_texts = organizer().label, []
    client = sign_in_organizer()
    for _ in range(5):
        page = client.get(f"/console/{event.slug}/log/{entry.pk}/undo/").content.decode()
        entry = undo_step(entry, organizer())
        log_texts.append(("Redo step" in page, words_of(entry), event.players.count()))
    step = f"“{who} added Ann.”"
    assert log_texts == [
        (False, f"{who} undid: {step}", 0),
        (True, f"{who} redid: {step}", 1),
        (False, f"{who} undid again: {step}", 0),
        (True, f"{who} redid: {step}", 1),
        (False, f"{who} undid again: {step}", 0),
    ]
