"""Pages that are set once and filled.

What is on them is where setting every page would put it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO

import pytest
import segno
from pypdf import PageObject, PdfReader

from tests.scenarios.event_cache import memory
from tests.scenarios.factories import add_players, make_event, organizer, play_round
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_pdf
from tournament.printing.request import PrintRequest, find_round
from tournament.printing.sheets import badges as people
from tournament.printing.sheets import slips
from tournament.printing.sheets.lists import build_pairings_by_table
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.shared.links import make_qr_dots

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.paper,
]
NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)
# One of each kind of column, and what has codes; the others differ from these by their rows.
EVERY_DAY = {"slips", "badges", "standings", "pairings-by-name"}
LEFT = pytest.mark.whole("the same for slips, badges, standings and pairings by name")
FILLED = [
    pytest.param(sheet.key, marks=() if sheet.key in EVERY_DAY else LEFT)
    for sheet in SHEETS.values()
    if sheet.fill
]
LONG = (
    "Maximiliane Oberhuber-Stein",
    "Bartholomäus Großmann-Wiesenthal",
    "Pablo Echeverría-Santos de la Torre y Álvarez del Castillo Montenegro",
    "Wolfgang Amadeus von und zu Hohenzollern-Sigmaringen-Habsburg",
)
TEXT = re.compile(rb"1(?:\.0)? 0 0 -1(?:\.0)? (\S+) (\S+) Tm|(\[.*?\]) TJ", re.DOTALL)
Drawn = list[tuple[float, float, bytes]]


@pytest.fixture
def event() -> Event:
    """Return an event after a round with four long names and many others.

    The names of the four players are set smaller or wrapped.
    """

    def make() -> Event:
        event = make_event(name="Autumn")
        # A name a hair too wide is wrapped a hair too early.
        Event.objects.filter(pk=event.pk).update(seed=1991)
        event.refresh_from_db()
        add_players(event, 4)
        events.start_event(event, organizer())
        for name in LONG:
            registration.add_player(event, organizer(), name=name)
        Player.objects.bulk_create(
            Player(event=event, number=n, name=f"Player {n}", lot=n, registered_at=NOW) for n in range(9, 120)
        )
        play_round(event)
        return event

    return memory.build_once("long names", make)


def list_drawn_texts(page: PageObject) -> Drawn:
    """Return every text of a page with its place, in order of the places."""
    pixels_by_place: dict[tuple[float, float], bytes] = {}
    place = (0.0, 0.0)
    for match in TEXT.finditer(page.get_contents().get_data()):
        if match[3] is None:
            place = round(float(match[1]), 1), round(float(match[2]), 1)
        else:
            pixels_by_place[place] = pixels_by_place.get(place, b"") + match[3]
    return sorted((x, y, text) for (x, y), text in pixels_by_place.items())


FEW_BY_SHEET = {"slips": range(1, 13), "badges": range(1, 12)}


def keep_few(event: Event, numbers: Collection[int] | None) -> None:
    """Leave these players and their tables, if the sheet is to be that short."""
    if numbers is not None:
        event.players.exclude(number__in=numbers).update(status=Player.Status.WITHDRAWN)
        tables = Match.objects.filter(round__stage__event=event)
        tables.exclude(p1__number__in=numbers).exclude(p2__number__in=numbers).delete()


def print_sheet(event: Event, key: str, *, is_filled: bool) -> list[Drawn]:
    """Return a sheet, filled or with every page set, as the texts of its pages."""
    print_request = PrintRequest(
        event, find_round(event, None, None), "A4", NOW, base="https://ringside.example"
    )
    sheet = SHEETS[key]
    pdf = render_sheet_pdf(sheet if is_filled else replace(sheet, fill=None, build=sheet.fill), print_request)
    return [list_drawn_texts(page) for page in PdfReader(BytesIO(pdf)).pages]


@pytest.mark.parametrize("key", FILLED)
def test_a_filled_page_is_the_page_that_is_set(
    event: Event, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_few(event, (1, 2, 5, 6) if key in ("registration", "deck-check") else FEW_BY_SHEET.get(key))
    filled_page = print_sheet(event, key, is_filled=True)
    for module in (slips, people):
        monkeypatch.setattr(module, "_code", lambda print_request, about: "")
    assert filled_page == print_sheet(event, key, is_filled=False)
    assert len(filled_page) > 1


@pytest.mark.parametrize("key", ["slips", "registration"])
def test_names_of_many_lines_are_where_a_browser_sets_them(
    event: Event, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_few(event, range(1, 7))
    for number, name in enumerate(("W" * 80, "W" * 13, "W" * 19, "@" * 20, "Ångström", "W" * 36), 1):
        event.players.filter(number=number).update(name=f"{name} {name} {name} {name} {name} {name}"[:80])
    filled_page = print_sheet(event, key, is_filled=True)
    monkeypatch.setattr(slips, "_code", lambda print_request, about: "")
    assert filled_page == print_sheet(event, key, is_filled=False)


def test_names_in_other_scripts_leave_all_columns_of_a_row_on_one_line(event: Event) -> None:
    Player.objects.filter(event=event, number__in=range(20, 60)).update(name="佐藤 健")
    (first, *_) = print_sheet(event, "pairings-by-table", is_filled=True)
    print_request = PrintRequest(event, find_round(event, None, None), "A4", NOW)
    lines = build_pairings_by_table(print_request)["pages"][0].rows
    heads_and_foot = 4
    assert len({y for _, y, _ in first}) == lines + heads_and_foot


def test_the_dots_of_a_code_are_its_modules() -> None:
    address = "https://ringside.example/S/123/"
    qr_code = segno.make_qr(address.upper(), error="m", boost_error=False, mask=3)
    dots = make_qr_dots(address)
    width = -(-dots.side // 8)
    rows = [dots.rows[at : at + width] for at in range(0, len(dots.rows), width)]
    modules = [
        [1 - int(bit) for bit in f"{int.from_bytes(row, 'big'):0{8 * width}b}"[: dots.side]] for row in rows
    ]
    assert modules == [list(row) for row in qr_code.matrix]
