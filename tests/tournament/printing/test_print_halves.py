"""Forms of half a page.

There are two to a sheet, and the piles are in order when they are cut apart.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from decks.catalogue.services.catalogue import import_catalogue
from tests.scenarios.catalogue import write
from tests.scenarios.factories import add_players, make_event, publish_next, started_event
from tests.scenarios.html import squeeze
from tournament.access.permissions import Actor
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.printing.registry import SHEETS, find_sheet
from tournament.printing.render import render_sheet_html
from tournament.printing.request import PrintRequest, find_round
from tournament.printing.sheets.game_sheets import pair_half_pages

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)
MINIATURES = {"game": "sf_miniatures", "format": "versus", "rules_version": "1", "round_minutes": 25}


def html(event: Event, *, is_blank: bool = False) -> str:
    """Return the match sheets of the last round."""
    print_request = PrintRequest(event, find_round(event, None, None), "A4", NOW, is_blank=is_blank)
    return squeeze(render_sheet_html(find_sheet(event, "match-sheets"), print_request))


def test_the_lower_pile_goes_on_where_the_upper_one_ends() -> None:
    pages = pair_half_pages(["one", "two", "three", "four", "five"])
    assert [[(half.about, half.number, half.page) for half in page] for page in pages] == [
        [("one", 1, 1), ("four", 4, 1)],
        [("two", 2, 2), ("five", 5, 2)],
        [("three", 3, 3)],
    ]


def test_a_match_sheet_names_its_round_its_players_and_its_place_in_the_pile() -> None:
    event = started_event(6, match_form="versus_25min", **MINIATURES)
    publish_next(event)
    page = html(event)
    assert (page.count('class="half-page"'), page.count("Match sheets · Round 1")) == (2, 3)
    assert re.findall(r"Table (\d).*?Sheet (\d) of 3 · Page (\d) of 2", page, re.DOTALL) == [
        ("1", "1", "1"),
        ("3", "3", "1"),
        ("2", "2", "2"),
    ]
    assert [page.count(name) for name in event.players.values_list("name", flat=True)] == [2] * 6


def test_an_empty_match_sheet_comes_twice_and_names_no_round() -> None:
    event = started_event(2, match_form="versus_25min", **MINIATURES)
    page = html(event, is_blank=True)
    assert (page.count("Table ______"), page.count('class="half-page"'), "round 1" in page) == (2, 1, False)


def test_a_long_match_form_is_set_smaller_on_a_slip_before_anything_is_left_out() -> None:
    immortals = {"game": "highlander", "format": "standard", "rules_version": "1.7", "round_minutes": 30}
    event = started_event(2, match_form="one_game_30min", **immortals)
    publish_next(event)
    print_request = PrintRequest(event, find_round(event, None, None), "A4", NOW)
    page = squeeze(render_sheet_html(SHEETS["slips"], print_request))
    assert '<i class="t76">Round 1 · One game in about 30 minutes, then End Game</i>' in page


def test_a_gem_sheet_names_the_persona_and_the_weapons_of_the_list_and_leaves_lines_without() -> None:
    cards = {"Marcus": "Persona", "Gladius": "Weapon of Choice", "Slash": "Attack"}
    import_catalogue(write({n: {"name": n, "type": kind} for n, kind in cards.items()}, "highlander"))
    event = make_event(game="highlander", format="standard", rules_version="1.7", match_form="one_game_30min")
    player = add_players(event, 2)[0]
    decklists.submit_list(player, Actor.of_player(player), "Pregame\n1 Marcus\n1 Gladius\n\nMain\n6 Slash")
    page = squeeze(render_sheet_html(find_sheet(event, "gems"), PrintRequest(event, None, "A4", NOW)))
    persona, weapon = (f'<b translate="no" dir="auto">{name}</b>' for name in ("Marcus", "Gladius"))
    assert (page.count(f"Persona {persona}"), page.count(f"Weapons {weapon}")) == (1, 1)
    assert (page.count("Persona ____"), page.count("Weapons ____")) == (1, 1)
