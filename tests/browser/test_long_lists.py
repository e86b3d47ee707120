"""Long lists, whose rows out of sight wait with their layout.

Nothing is cut off, and they stay tables.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from tests.fixtures.desk import open_signed_in
from tests.scenarios.factories import organizer, play_round, started_event
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.setup.services import events

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAYERS = 16
LONG = 60
NARROWEST_TABLE = 720
WIDTHS = (320, 390, NARROWEST_TABLE, 1280)
LISTS = ("players/", "pairings/?by=name", "pairings/1/", "standings/", "cut/")
# Text outside its row would not be painted, because a row with delayed layout contains its own paint.
CUT_OFF = """() => {
    const found = [];
    for (const row of document.querySelectorAll(".table-long tbody tr")) {
        row.scrollIntoView();
        const box = row.getBoundingClientRect();
        const words = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
        while (words.nextNode()) {
            const text = words.currentNode;
            if (!text.data.trim() || text.parentElement.closest(".visually-hidden")) continue;
            const range = document.createRange();
            range.selectNodeContents(text);
            for (const line of range.getClientRects()) {
                const isIn = line.left >= box.left - 1 && line.right <= box.right + 1
                    && line.top >= box.top - 1 && line.bottom <= box.bottom + 1;
                if (!isIn) found.push(text.data.trim());
            }
        }
    }
    return found;
}"""
# The left edges of the head's cells and of those below them, row by row.
EDGES = """() => [...document.querySelectorAll(".table-long tr")].map((row) => {
    row.scrollIntoView();
    const shown = [...row.children].filter((cell) => cell.offsetWidth);
    return shown.map((cell) => Math.round(cell.getBoundingClientRect().left)).join(" ");
})"""

# The lowest name that is on the page once (by name everyone is also someone's opponent).
LAST_NAME = """() => {
    const cells = [...document.querySelectorAll(".table-long tbody .key")];
    const names = cells.map((cell) => (cell.querySelector("a") || cell).firstChild.data.trim());
    return names.filter((name) => document.body.textContent.split(name).length === 2).pop();
}"""
# Names that have less than four letters' room.
NARROW_NAMES = """() => [...document.querySelectorAll("tbody .key")]
    .filter((cell) => cell.offsetWidth && cell.offsetWidth < 128).map((cell) => cell.textContent)"""

# How much a page grows while one jumps down to its end.
GROWTH = """async () => {
    const height = () => document.documentElement.scrollHeight;
    const before = height();
    for (let place = 0; place < height(); place += innerHeight) {
        scrollTo(0, place);
        for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
    }
    return height() - before;
}"""

WAITING_ROWS = """() => [...document.querySelectorAll("tr")]
    .filter((row) => getComputedStyle(row).contentVisibility === "auto").length"""


def event_of_long_names() -> Event:
    """Return an event after one round, with names of 60 letters.

    The names consist of one word or of many, or are in other scripts.
    """
    event = started_event(PLAYERS, swiss_rounds=2, cut="diversity", cut_size=8)
    names = ("W" * 60, "Maximiliana von und zu " * 2 + "Hohenlohe-Bart", "田中" * 30, "Щ" * 60)
    people = list(event.players.all())
    for place, player in enumerate(people):
        player.name = names[place % len(names)]
    Player.objects.bulk_update(people, ["name"])
    play_round(event)
    return event


def test_nothing_in_a_row_is_cut_off_and_columns_stand_below_their_heads(
    new_page: Callable[..., Any],
) -> None:
    event = event_of_long_names()
    page = new_page({"viewport": {"width": 1280, "height": 400}})
    for path in LISTS:
        page.goto(f"/e/{event.slug}/{path}")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 400})
            assert page.evaluate(CUT_OFF) == [], (path, width)
            assert page.evaluate("document.documentElement.scrollWidth") == width, path
            if width >= NARROWEST_TABLE:
                assert len(set(page.evaluate(EDGES))) == 1, (path, width)


def test_no_row_of_the_console_waits_with_its_height_on_a_phone(phone: Any) -> None:
    event = event_of_long_names()
    open_signed_in(phone, f"/console/{event.slug}/", organizer().user.email)
    for path in ("players/", "lists/", "standings/"):
        phone.goto(f"/console/{event.slug}/{path}")
        assert phone.locator("tbody tr").count() >= PLAYERS // 2, path
        assert phone.evaluate(WAITING_ROWS) == 0, path


@pytest.mark.parametrize(
    "width",
    [390, pytest.param(1280, marks=pytest.mark.whole("the same on a phone, whose rows are no table"))],
)
def test_long_list_is_a_table_to_screen_readers(new_page: Callable[..., Any], width: int) -> None:
    event = started_event(PLAYERS, swiss_rounds=1)
    play_round(event)
    events.finish_event(event, organizer())
    page = new_page({"viewport": {"width": width, "height": 400}})
    for path in ("players/", "pairings/1/", "standings/", "ranking/"):
        page.goto(f"/e/{event.slug}/{path}")
        table = page.get_by_role("table")
        rows = PLAYERS // 2 if path == "pairings/1/" else PLAYERS
        assert table.get_by_role("rowheader").count() == rows, path
        heads = table.locator("thead [role=columnheader]").count()
        assert table.locator("tbody tr").last.locator("> [role]").count() == heads, path


def test_rows_that_wait_are_found_by_the_browser_and_stand_on_paper_below_their_heads(
    new_page: Callable[..., Any],
) -> None:
    event = started_event(LONG, swiss_rounds=1)
    play_round(event)
    people = {player.name for player in event.players.all()}
    page = new_page({"viewport": {"width": 1280, "height": 400}})
    for path, head in (("players/", "Player"), ("pairings/?by=name", "Opponent"), ("standings/", "Points")):
        page.goto(f"/e/{event.slug}/{path}")
        last = page.evaluate(LAST_NAME)
        if last:
            assert page.evaluate("(name) => window.find(name) && scrollY > innerHeight", last), path
        sheets = [sheet.extract_text() for sheet in PdfReader(BytesIO(page.pdf(format="A4"))).pages]
        rows = [sheet for sheet in sheets if any(name in sheet for name in people)]
        assert {name for name in people if not any(name in sheet for sheet in sheets)} == set(), path
        assert len(rows) > 1, path
        assert [head in sheet for sheet in rows] == [True] * len(rows), path


@pytest.mark.whole("tests/screens/test_quality.py with letters of the usual size")
def test_nothing_is_wider_than_a_small_phone_whose_letters_are_twice_as_large(
    new_page: Callable[..., Any],
) -> None:
    event = started_event(PLAYERS, swiss_rounds=2)
    play_round(event)
    page = new_page({"viewport": {"width": 320, "height": 640}})
    for path in ("/", "/keyboard/", *(f"/e/{event.slug}/{each}" for each in (*LISTS[:-1], "players/1/"))):
        page.goto(path)
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        page.evaluate("for (const each of document.querySelectorAll('main details')) each.open = true")
        assert page.evaluate("document.documentElement.scrollWidth") == 320, path
        assert page.evaluate(NARROW_NAMES) == [], path
