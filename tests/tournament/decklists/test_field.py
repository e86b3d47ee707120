"""The field of an event: cards of all lists by share and by result.

It is shown once the lists are open.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.factories import add_players, built_once, make_event, organizer, play_round
from tests.scenarios.public_pages import get
from tournament.access.permissions import Actor
from tournament.decklists.field import build_field, public_field
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.setup.services import events

pytestmark = pytest.mark.django_db
OTHER = list_of("1 Oto ●●●").replace("4 Brass Knuckle", "4 Paper Tiger")


@pytest.fixture
@built_once
def event() -> Event:
    """Two lists, one of which won against the other."""
    small_catalogue()
    event = make_event(decklists_required=True, swiss_rounds=1)
    for player, text in zip(add_players(event, 2), (LEGAL, OTHER), strict=True):
        decklists.submit_list(player, Actor.of_player(player), text)
    events.start_event(event, organizer())
    play_round(event)
    event.refresh_from_db()
    return event


def test_cards_by_share_say_lists_copies_and_results(event: Event) -> None:
    cards = {use.name: use for use in build_field(event).cards}
    common, one, other = cards["Anvil Stance"], cards["Brass Knuckle"], cards["Paper Tiger"]

    assert (common.lists, common.copies, common.average, common.matches) == (2, 8, "4.0", 0)
    assert (one.share, other.share) == (Fraction(1, 2), Fraction(1, 2))
    assert {one.rate, other.rate} == {0, 1}
    assert build_field(event).cards[0].lists == 2


def test_cards_by_result_begin_with_those_that_won(event: Event) -> None:
    cards = build_field(event, "result").cards
    assert [use.rate for use in cards[:3]] == [1, 1, 0]
    assert cards[-1].rate is None


def test_the_field_is_public_once_the_lists_are_open_to_everyone(event: Event, client) -> None:
    assert public_field(event) is None
    assert client.get(f"/e/{event.slug}/field/").context["field"] is None
    decklists.open_lists(event, organizer(), "all")
    page = get(client, f"/e/{event.slug}/field/?by=result")
    assert "Anvil Stance" in page
    assert client.get(f"/api/events/{event.slug}/field/").json()["lists"] == 2
