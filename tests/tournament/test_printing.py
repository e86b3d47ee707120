"""Sheets of paper: what stands on them, read back from the PDF."""

from __future__ import annotations

import re
import shutil
import subprocess
from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from config.checks import paper_libraries_are_there
from decks.jobs import perform
from decks.models import Job
from tests.tournament.factories import organizer, play_round, started_event
from tournament.models import Event, Round
from tournament.printing.asked import Asked
from tournament.printing.documents import ALL, SHEETS, round_for
from tournament.printing.render import LIBRARIES, sheet_pdf
from tournament.printing.slips import stacked
from tournament.services import registration, rounds
from tournament.services.printing import ask_for_sheet

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 2, 9, 30, tzinfo=UTC)
JAPANESE = "佐藤 健"
NAMES = (
    JAPANESE,
    "Катя Морозова",
    "Pablo Echeverría-Santos de la Torre y Álvarez del Castillo Montenegro",
    "<b>Bo</b> & Co",
)


@pytest.fixture
def event() -> Event:
    """Nine players in a published first round, four of them with difficult names."""
    event = started_event(5)
    for name in NAMES:
        registration.add_player(event, organizer(), name=name)
    rounds.publish(rounds.pair_next_round(event, organizer()), organizer())
    return event


@pytest.fixture(scope="module")
def libraries() -> None:
    """What WeasyPrint needs of the system; without it only the pages for the browser can be tested."""
    if paper_libraries_are_there(None):
        pytest.skip(f"no libraries for PDF on this machine (Debian: {LIBRARIES})")


LISTS = ["pairings-by-table", "pairings-by-name", "standings", "seating", "check-in"]


def asked(event: Event, paper: str = "A4", **more: Any) -> Asked:
    """A wish about the last round."""
    return Asked(event, round_for(event, None, None), paper, NOW, base="https://ringside.example", **more)


def read(event: Event, sheet: str, paper: str = "A4", **more: Any) -> list[str]:
    """The text of each page, with single spaces."""
    pages = PdfReader(BytesIO(sheet_pdf(SHEETS[sheet], asked(event, paper, **more)))).pages
    return [re.sub(r"\s+", " ", page.extract_text()) for page in pages]


def size(event: Event, sheet: str, paper: str) -> tuple[int, int]:
    """Width and height of the first page in points."""
    box = PdfReader(BytesIO(sheet_pdf(SHEETS[sheet], asked(event, paper)))).pages[0].mediabox
    return round(box.width), round(box.height)


@pytest.mark.parametrize("sheet", [*LISTS, "time", "penalties", "report", "badges"])
@pytest.mark.usefixtures("libraries")
def test_every_sheet_says_event_time_of_printing_and_page(event: Event, sheet: str) -> None:
    (page,) = read(event, sheet)
    said = ("Spring Open" in page, "Printed 2 May 2026, 11:30" in page, "Page 1 of 1" in page)
    assert said == (True, True, True)


@pytest.fixture(scope="module")
def japanese_font() -> bool:
    """Whether this machine has letters for Japanese; without them no paper of it can be tested."""
    found = shutil.which("fc-list")
    return found is not None and bool(subprocess.check_output([found, ":lang=ja"]))


@pytest.mark.parametrize("sheet", LISTS)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.usefixtures("libraries")
def test_names_in_every_script_are_printed_whole(
    event: Event, sheet: str, name: str, japanese_font: bool
) -> None:
    if name == JAPANESE and not japanese_font:
        pytest.skip("no Japanese font on this machine (Debian: apt-get install fonts-noto-cjk)")
    printed = "".join(read(event, sheet)).replace(" ", "").replace("\N{HYPHEN}", "-")
    assert all(word in printed for word in name.split())


@pytest.mark.usefixtures("libraries")
def test_slips_bear_both_names_the_table_and_their_place_in_the_pile(event: Event) -> None:
    (page,) = read(event, "slips")
    matches = Round.objects.get(stage__event=event).matches.filter(p2__isnull=False)
    assert [f"Table {match.table}" in page for match in matches] == [True] * 4
    assert [f"slip {n} of 4 · page 1 of 1" in page for n in range(1, 5)] == [True] * 4
    assert "bye" not in page.casefold()


@pytest.mark.parametrize("sheet", ["slips", "pairings-by-name", "badges", "time"])
@pytest.mark.usefixtures("libraries")
def test_paper_has_the_size_that_was_asked_for(event: Event, sheet: str) -> None:
    assert [size(event, sheet, paper) for paper in ("A4", "Letter")] == [(595, 842), (612, 792)]


@pytest.mark.usefixtures("libraries")
def test_everything_for_a_round_is_one_file_whose_sheets_count_their_own_pages(event: Event) -> None:
    pages = read(event, "round-pack")
    assert [page.count("age 1 of 1") for page in pages] == [1, 1, 4, 1]
    assert "More time" in pages[3]


@pytest.mark.usefixtures("libraries")
def test_a_long_list_repeats_its_head_on_every_page() -> None:
    event = started_event(80)
    play_round(event)
    pages = read(event, "standings")
    assert [
        ("Player" in page, "OMW" in page, f"Page {n} of 2" in page) for n, page in enumerate(pages, 1)
    ] == [(True, True, True)] * 2


def test_cut_piles_of_slips_lie_in_the_order_of_the_tables() -> None:
    pages = stacked(list(range(1, 21)), 8)
    piles = [[page[place] for page in pages if place < len(page)] for place in range(8)]
    assert [number for pile in piles for number in pile] == list(range(1, 21))


@pytest.mark.usefixtures("libraries")
def test_a_sheet_is_made_by_the_worker_and_kept_until_the_event_changes(event: Event) -> None:
    shown = round_for(event, None, None)
    first = ask_for_sheet(event, organizer(), "standings", shown, "A4")
    perform(first.pk)
    first.refresh_from_db()
    assert first.state == Job.State.DONE
    assert first.file_path.read_bytes().startswith(b"%PDF")
    assert ask_for_sheet(event, organizer(), "standings", shown, "A4").pk == first.pk
    registration.drop(event.players.select_related("event").first(), organizer())
    assert ask_for_sheet(event, organizer(), "standings", shown, "A4").pk != first.pk


@pytest.mark.usefixtures("libraries")
def test_asking_by_the_page_leads_to_the_pdf(event: Event, client: Client) -> None:
    client.force_login(organizer().user)
    asked = client.post(
        reverse("console_print", args=[event.slug]), {"sheet": "slips", "round": "1-1", "paper": "A4"}
    )
    waiting = client.get(asked.url)
    assert b"hx-get" in waiting.content
    perform(Job.objects.get().pk)
    ready = client.get(asked.url)
    answer = client.get(ready.url)
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF")


def test_a_strangers_link_to_a_sheet_opens_nothing(event: Event) -> None:
    job = ask_for_sheet(event, organizer(), "slips", round_for(event, None, None), "A4")
    assert Client().get(reverse("print_pdf", args=[job.pk])).status_code == 403


SINGLE = [sheet.key for sheet in ALL if sheet.parts is None and sheet.needs != "bracket"]


@pytest.mark.parametrize("sheet", SINGLE)
def test_every_sheet_is_a_page_for_the_browser_too(event: Event, client: Client, sheet: str) -> None:
    client.force_login(organizer().user)
    page = client.get(reverse("print_page", args=[event.slug, sheet]))
    assert page.status_code == 200
    assert b"css/sheets/base.css" in page.content
    assert b"style=" not in page.content
    assert b"<b>Bo</b>" not in page.content
