"""Characters as players type them.

They count as the ones they mean in the breakdown, in the cut and for prizes.
"""

from __future__ import annotations

from typing import Any

import pytest

from decks.catalogue.models import Card
from tests.scenarios.factories import built_once, make_event, organizer, play_round
from tournament.closing.selectors import character_breakdown, closing_report
from tournament.closing.services import set_prizes
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.selectors import is_same_character, map_character_spellings
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.shared.awards import parse_prizes
from tournament.standings.selectors import qualifying as cut

pytestmark = pytest.mark.django_db
TYPED = ("Chun-Li", "chun li", " CHUN-LI ●●", "Ken", "ken", "Ryu")


def add_characters(*names: str, game: str = "ufs") -> None:
    """Add characters to the catalogue."""
    for name in names:
        Card.objects.create(game=game, key=name, identity=name, name=name, attributes={"type": "character"})


@built_once
def play_round_with(*characters: str, **values: Any) -> Event:
    """Return an event of people who typed these, with a Swiss round played."""
    event = make_event(swiss_rounds=1, **values)
    for place, character in enumerate(characters):
        registration.add_player(event, organizer(), name=f"Player {place}", character=character)
    events.start_event(event, organizer())
    play_round(event)
    event.refresh_from_db()
    return event


def test_case_spaces_hyphens_and_dots_make_no_other_character() -> None:
    shares = character_breakdown(play_round_with(*TYPED)).shares  # type: ignore[union-attr]
    assert [(each.character, each.players) for each in shares] == [("Chun-Li", 3), ("Ken", 2), ("Ryu", 1)]


def test_the_catalogue_says_how_a_character_is_spelled() -> None:
    add_characters("Chun-Li ●●", "Ken ●●●", "José ●")
    character_spellings = map_character_spellings(make_event(), (*TYPED, "jose", "Jose"))
    assert {character_spellings[name] for name in TYPED} == {"Chun-Li", "Ken", "Ryu"}
    assert (character_spellings["jose"], character_spellings["Jose"]) == ("José", "José")


def test_characters_that_the_catalogue_tells_apart_stay_apart() -> None:
    add_characters("K", "K'")
    assert map_character_spellings(make_event(), ("k", "K’", "K")) == {"k": "K", "K’": "K'", "K": "K"}


def test_other_games_say_nothing_about_a_spelling() -> None:
    add_characters("KEN", game="cfc")
    assert map_character_spellings(make_event(), ("Ken", "ken"))["ken"] == "Ken"


@pytest.mark.both_databases
def test_names_spelled_alike_need_no_query_of_the_catalogue(django_assert_num_queries: Any) -> None:
    event = make_event()
    with django_assert_num_queries(0):
        assert map_character_spellings(event, ("Ken", "Ken", "Ryu", "")) == {"Ken": "Ken", "Ryu": "Ryu"}
    with django_assert_num_queries(1):
        map_character_spellings(event, ("Ken", "ken", "Ryu"))


def test_a_diversity_cut_takes_one_of_those_who_typed_a_character_differently() -> None:
    event = play_round_with("Chun-Li", "chun li", "Ryu", "Ryu", cut=Event.Cut.DIVERSITY, cut_size=2)
    result = cut.select_qualifiers(event).result
    qualified_players = Player.objects.filter(pk__in=[place.player for place in result.places])
    assert len({player.character.casefold()[:2] for player in qualified_players}) == 2


def test_prize_for_the_best_of_a_character_ignores_how_the_character_is_typed() -> None:
    event = play_round_with("Chun-Li", "Ryu")
    set_prizes(event, organizer(), parse_prizes("best chun li: a fan"))
    events.finish_event(event, organizer())
    event.refresh_from_db()
    report = closing_report(event)
    assert report is not None
    assert [[each.character for each in award.players] for award in report.awards] == [["Chun-Li"]]
    assert report.unclaimed_prizes == []


def test_the_same_character_typed_otherwise_is_no_exchange() -> None:
    assert is_same_character("T. Hawk", "t hawk ●●")
    assert not is_same_character("Ken", "Ken Masters")
