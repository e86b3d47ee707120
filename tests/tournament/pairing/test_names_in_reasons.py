"""Reasons of the engine name players and tables; what is a name is never read as a reason."""

from __future__ import annotations

import pytest

from tests.scenarios.factories import make_event, organizer
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.pairing.services.rounds import insert_names
from tournament.registration import services as registration

pytestmark = pytest.mark.django_db

NAMES = ["fixed table 3 fan", "Player 1", "player 2 fixed table 2", r"\\1 \\g<player>"]


@pytest.fixture
def event() -> Event:
    made = make_event(first_table=101)
    for name in NAMES:
        registration.add_player(made, organizer(), name=name)
    return made


@pytest.mark.parametrize("name", NAMES)
def test_names_that_read_like_a_reason_stay_as_they_are(event: Event, name: str) -> None:
    other, player = event.players.first(), event.players.get(name=name)
    words = f"Player {player.pk} cannot keep the fixed table 3: player {other.pk} has it too."
    assert insert_names(event, words) == f"{name} cannot keep the fixed table 103: {other.name} has it too."


def test_number_of_nobody_stays(event: Event) -> None:
    unknown = Player.objects.order_by("pk").last().pk + 1
    assert insert_names(event, f"Player {unknown} has the bye.") == f"Player {unknown} has the bye."
