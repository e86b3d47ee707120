"""Names and halls are found however they are written, on both databases."""

from __future__ import annotations

import pytest

from tests.scenarios.factories import built_once, make_event, organizer, publish_next, started_event
from tournament.events.models.event import Event
from tournament.judging.deck_check_states import deck_check_states
from tournament.judging.selectors import search_players_by_name
from tournament.pairing.selectors.pairings import list_pairings, search_pairings
from tournament.pairing.selectors.venues import events_sharing_venue
from tournament.registration import services as registration
from tournament.registration.selectors import check_in_overview, search_players

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

NAME = "Éva Ångström O’Neil"
QUERIES = ("éva", "ÉVA", "eva", "ångström", "ANGSTROM", "o'neil", "oneil")


@pytest.fixture
@built_once
def event() -> Event:
    event = started_event(4)
    player = event.players.select_related("event").get(number=1)
    registration.change_details(player, organizer(), name=NAME, email="", character=player.character)
    return event


@pytest.mark.parametrize("query", QUERIES)
def test_search_of_names_is_the_same_everywhere(event: Event, query: str) -> None:
    round_ = publish_next(event)
    tables = search_pairings(list_pairings(round_), query)
    assert [name for table in tables for name in (table.red.name, table.blue.name) if name == NAME] == [NAME]
    players = (
        search_players(event, query),
        search_players_by_name(event, query),
        check_in_overview(event, query).rows,
        [state.player for state in deck_check_states(event, query)],
    )
    assert [[player.name for player in rows] for rows in players] == [[NAME]] * len(players)


def test_no_name_is_found_by_words_that_none_holds(event: Event) -> None:
    assert search_players(event, "evi") == search_players_by_name(event, "eva zoe") == []


def test_hall_is_shared_however_it_is_written() -> None:
    one, other = make_event(hall="Café Größe"), make_event(hall="CAFÉ GRÖSSE ")
    make_event(hall="Cafe")
    assert [events_sharing_venue(one), events_sharing_venue(other)] == [[other], [one]]
