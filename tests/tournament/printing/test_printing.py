"""Sheets of paper: what is on them, read back from the PDF."""

from __future__ import annotations

import builtins
import re
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pypdf import PdfReader

import rules
from decks.jobs.models import Job
from decks.jobs.worker import perform
from tests.everyday import each_case
from tests.scenarios.event_cache import memory
from tests.scenarios.factories import (
    open_matches,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
    win,
)
from tests.scenarios.html import html_of, squeeze
from tests.scenarios.rollback import rolled_back
from tournament.amendments.services.changes import RoundChange, change_round
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.pairing.services import rounds
from tournament.printing.registry import SHEETS, find_sheet, list_parts, list_sheets
from tournament.printing.render import INSTALL_LIBRARIES, render_sheet_html, render_sheet_pdf
from tournament.printing.request import PrintRequest, find_round, get_paper_size
from tournament.printing.services import request_sheet_pdf
from tournament.printing.sheets.slips import stack_for_cutting
from tournament.registration import services as registration

SHELF_QUERIES = 8
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

    def make() -> Event:
        event = started_event(5)
        for name in NAMES:
            registration.add_player(event, organizer(), name=name)
        publish_next(event)
        return event

    return memory.build_once("difficult names", make)


def for_whole_run(*sheets: str) -> list[Any]:
    """Return sheets for the whole run; each is covered every day by another test."""
    return [
        pytest.param(sheet, marks=pytest.mark.whole("the same on another sheet, and this one for its size"))
        for sheet in sheets
    ]


LISTS = ["pairings-by-table", "pairings-by-name", "standings", "seating", "check-in"]


def make_request(event: Event, paper: str = "A4", **more: Any) -> PrintRequest:
    """Return a print request for the last round."""
    return PrintRequest(
        event, find_round(event, None, None), paper, NOW, base="https://ringside.example", **more
    )


def read(event: Event, sheet: str, paper: str = "A4", **more: Any) -> list[str]:
    """Return the text of each page, with single spaces."""
    pages = PdfReader(BytesIO(render_sheet_pdf(SHEETS[sheet], make_request(event, paper, **more)))).pages
    return [re.sub(r"\s+", " ", page.extract_text()) for page in pages]


def size(event: Event, sheet: str, paper: str) -> tuple[int, int]:
    """Width and height of the first page in points."""
    box = PdfReader(BytesIO(render_sheet_pdf(SHEETS[sheet], make_request(event, paper)))).pages[0].mediabox
    return round(box.width), round(box.height)


@each_case(
    "sheet", [*for_whole_run(*LISTS), "time", *for_whole_run("penalties", "badges")], around=rolled_back
)
@pytest.mark.paper
def test_every_sheet_says_event_time_of_printing_and_page(event: Event, sheet: str) -> None:
    (page,) = read(event, sheet)
    printed_facts = ("Spring Open" in page, "Printed Sat 2 May 2026, 11:30" in page, "Page 1 of 1" in page)
    assert printed_facts == (True, True, True)


@pytest.mark.parametrize("sheet", ["check-in", "deck-check"])
def test_line_of_event_and_place_is_set_smaller_before_it_is_cut(event: Event, sheet: str) -> None:
    event.place = "Old Gymnasium, Harbour Street 12"
    usual_page = render_sheet_html(SHEETS[sheet], make_request(event))
    event.name = "The Long and Winding Championship of the Seven Towns by the River"
    long_page = render_sheet_html(SHEETS[sheet], make_request(event))
    assert ('class="about is-long"' in usual_page, 'class="about is-long"' in long_page) == (False, True)


@pytest.fixture(scope="module")
def japanese_font() -> bool:
    """Return whether this machine has a Japanese font.

    Without it, no Japanese paper can be tested.
    """
    command_path = shutil.which("fc-list")
    return command_path is not None and bool(subprocess.check_output([command_path, ":lang=ja"]))


@each_case("sheet", [*for_whole_run(*LISTS[:-1]), LISTS[-1]], around=rolled_back)
@pytest.mark.paper
def test_names_in_every_script_are_printed_whole(event: Event, sheet: str, japanese_font: bool) -> None:
    printed_text = "".join(read(event, sheet)).replace(" ", "").replace("\N{HYPHEN}", "-")
    names = NAMES if japanese_font else NAMES[1:]
    assert {name: [word for word in name.split() if word not in printed_text] for name in names} == {
        name: [] for name in names
    }
    if not japanese_font:
        pytest.skip(
            "all but Japanese: no font for it on this machine (Debian: apt-get install fonts-noto-cjk)"
        )


@pytest.mark.paper
def test_slips_bear_both_names_the_table_and_their_place_in_the_pile(event: Event) -> None:
    (page,) = read(event, "slips")
    matches = Round.objects.get(stage__event=event).matches.filter(p2__isnull=False)
    assert [f"Table {match.table}" in page for match in matches] == [True] * 4
    assert [f"Slip {n} of 4 · Page 1 of 1" in page for n in range(1, 5)] == [True] * 4
    assert "bye" not in page.casefold()


@each_case("sheet", ["slips", *for_whole_run("pairings-by-name", "badges", "time")], around=rolled_back)
@pytest.mark.paper
def test_paper_has_the_size_that_was_asked_for(event: Event, sheet: str) -> None:
    assert [size(event, sheet, paper) for paper in ("A4", "Letter")] == [(595, 842), (612, 792)]


@pytest.mark.paper
def test_the_final_report_names_places_standings_and_their_formulas(event: Event) -> None:
    whole = " ".join(read(event, "report"))
    texts = ("Final places", "Standings", "Players: 9 · Rounds: 1", "Opponents' match-win percentage (OMW)")
    assert [words in whole for words in texts] == [True] * 4


def test_a_report_before_the_end_has_no_final_places() -> None:
    event = started_event(4, plan=[{"kind": "double"}])
    win(open_matches(find_round(event, None, None))[0])
    page = render_sheet_html(SHEETS["report"], make_request(event))
    assert '<td colspan="4">' in page
    assert page.count("Winners&#x27; side, round 1: seed") == 2


@pytest.mark.parametrize("sheet", ["registration", "deck-check"])
@pytest.mark.paper
def test_forms_of_a_game_without_characters_name_player_and_number(sheet: str) -> None:
    immortals = {"game": "highlander", "format": "standard", "rules_version": "1.7"}
    event = started_event(2, **immortals, match_form="one_game_30min", round_minutes=30)
    pages = read(event, sheet)
    assert [("Alice" in page, "Bob" in page, "Character" in page) for page in pages] == [
        (True, False, False),
        (False, True, False),
    ]


@pytest.mark.paper
def test_everything_for_a_round_is_one_file_whose_sheets_count_their_own_pages(event: Event) -> None:
    pages = read(event, "round-pack")
    assert [page.count("age 1 of 1") for page in pages] == [1, 1, 4, 1]
    assert "Time extensions" in pages[3]


def test_standings_of_groups_are_printed_group_by_group() -> None:
    event = started_event(8, plan=[{"kind": "robin", "groups": 2}, {"kind": "single", "size": 4}])
    play_round(event)
    page = squeeze(render_sheet_html(SHEETS["standings"], make_request(event)))
    (places,) = re.findall(r'<pre class="l-place"[^>]*>([^<]*)</pre>', page)
    assert places.split("\n") == ["", "1", "2", "3", "4", "", "1", "2", "3", "4"]
    assert (page.count("Group A\n"), page.count("Group B\n")) == (1, 1)


@pytest.mark.paper
def test_a_long_list_repeats_its_head_on_every_page() -> None:
    event = started_event(80)
    play_round(event)
    pages = read(event, "standings")
    assert [
        ("Player" in page, "OMW" in page, f"Page {n} of 2" in page) for n, page in enumerate(pages, 1)
    ] == [(True, True, True)] * 2


def test_cut_piles_of_slips_lie_in_the_order_of_the_tables() -> None:
    pages = stack_for_cutting(list(range(1, 21)), 8)
    piles = [[page[place] for page in pages if place < len(page)] for place in range(8)]
    assert [number for pile in piles for number in pile] == list(range(1, 21))


def ask_for(event: Event, sheet: str, shown_round: Round | None, paper: str = "A4") -> Job:
    return request_sheet_pdf(
        organizer(), PrintRequest(event, shown_round, paper, timezone.now()).to_request(sheet)
    )


@pytest.mark.paper
def test_a_sheet_is_made_by_the_worker_and_kept_until_the_event_changes(event: Event) -> None:
    shown_round = find_round(event, None, None)
    first = ask_for(event, "standings", shown_round)
    perform(first.pk)
    first.refresh_from_db()
    assert first.state == Job.State.DONE
    assert first.file_path.read_bytes().startswith(b"%PDF")
    assert ask_for(event, "standings", shown_round).pk == first.pk
    registration.drop(event.players.select_related("event").first(), organizer())
    assert ask_for(event, "standings", shown_round).pk != first.pk


@pytest.mark.paper
def test_asking_by_the_page_leads_to_the_pdf(event: Event, client: Client) -> None:
    sign_in_organizer(client)
    response = client.post(
        reverse("console_print", args=[event.slug]), {"sheet": "slips", "round": "1-1", "paper": "A4"}
    )
    waiting_page = client.get(response.url)
    assert b"hx-get" in waiting_page.content
    perform(Job.objects.get().pk)
    ready = client.get(response.url)
    answer = client.get(ready.url)
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF")


def test_without_the_libraries_the_worker_says_what_to_install(
    event: Event, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse_import(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "weasyprint":
            raise OSError("cannot load library 'libpangoft2-1.0-0'")
        return real(name, *args, **kwargs)

    real = builtins.__import__
    job = ask_for(event, "round-pack", find_round(event, None, None), "Letter")
    monkeypatch.setattr(builtins, "__import__", refuse_import)
    perform(job.pk)
    monkeypatch.undo()
    job.refresh_from_db()
    assert (job.state, job.error_code) == (Job.State.FAILED, "printing_libraries_missing")
    assert INSTALL_LIBRARIES in job.error
    sign_in_organizer(client)
    page = html_of(client.get(reverse("print_job", args=[job.pk])))
    way_out = reverse("print_page", args=[event.slug, "slips"])
    assert f"{way_out}?paper=Letter&amp;round=1-1" in page


def test_a_sheet_that_no_worker_starts_offers_the_page_instead(event: Event, client: Client) -> None:
    job = ask_for(event, "slips", find_round(event, None, None))
    sign_in_organizer(client)
    place, way_out = reverse("print_job", args=[job.pk]), reverse("print_page", args=[event.slug, "slips"])
    assert way_out not in html_of(client.get(place))
    Job.objects.update(created_at=job.created_at - timedelta(seconds=21))
    page = html_of(client.get(place))
    assert (f'href="{way_out}?paper=A4' in page, "No worker has started yet" in page) == (True, True)


def test_a_strangers_link_to_a_sheet_opens_nothing(event: Event) -> None:
    job = ask_for(event, "slips", find_round(event, None, None))
    assert Client().get(reverse("print_pdf", args=[job.pk])).status_code == 403


EVERY_SHEET = {sheet.key: sheet for game in rules.games() for sheet in list_sheets(game)}
SINGLE = [
    sheet.key
    for sheet in EVERY_SHEET.values()
    if sheet.parts is None and sheet.needs not in ("bracket", "pods")
]


@each_case("sheet", SINGLE, around=rolled_back)
def test_every_sheet_is_a_page_for_the_browser_too(event: Event, client: Client, sheet: str) -> None:
    if find_sheet(event, sheet) is None:
        game = next(game for game in rules.games() if sheet in [each.key for each in game.sheets])
        Event.objects.filter(pk=event.pk).update(game=game.key, match_form=game.match_forms[0].key)
    if sheet == "changed-slips":
        latest = Round.objects.select_related("stage__event").filter(stage__event=event).last()
        change_round(latest, organizer(), RoundChange("move", table=1, to=90))
    sign_in_organizer(client)
    page = client.get(reverse("print_page", args=[event.slug, sheet]))
    assert page.status_code == 200
    assert b"printing/base.css" in page.content
    assert b"style=" not in page.content
    assert b"<b>Bo</b>" not in page.content


def test_code_of_a_slip_leads_each_reader_to_their_page(event: Event, client: Client) -> None:
    match = (
        Round.objects.get(stage__event=event).matches.filter(p2__isnull=False).select_related("p1").first()
    )
    address = reverse("slip", args=[match.pk])
    assert address == address.upper()
    assert client.get(address).url == reverse("match", args=[event.slug, match.pk])
    session = client.session
    session["players"] = {str(event.pk): match.p1.token}
    session.save()
    assert client.get(address).url == reverse("player_report", args=[match.p1.token])
    sign_in_organizer(client)
    staff = reverse("console_round", args=[event.slug, 1, 1])
    assert client.get(address).url == f"{staff}#table-{match.table}"


def test_the_code_of_a_draft_tells_nothing(client: Client) -> None:
    event = started_event(4)
    drafted = rounds.pair_next_round(event, organizer())
    match = drafted.matches.first()
    answers = [client.get(reverse(name, args=[match.pk])).status_code for name in ("slip", "slip_code")]
    assert answers == [404, 404]


@pytest.mark.parametrize("players", [4, 12])
def test_the_list_of_sheets_takes_the_same_queries_for_few_and_many(
    players: int, client: Client, django_assert_num_queries: Any
) -> None:
    event = started_event(players)
    play_round(event)
    sign_in_organizer(client)
    client.get(reverse("console_print", args=[event.slug]))
    with django_assert_num_queries(SHELF_QUERIES):
        client.get(reverse("console_print", args=[event.slug]))


def test_the_print_page_offers_the_last_round_first_and_the_pack_at_one_press(
    event: Event, client: Client
) -> None:
    sign_in_organizer(client)
    page = html_of(client.get(reverse("console_print", args=[event.slug])))
    assert re.findall(r'value="1-\d"( selected)?>([^<]*)<', page) == [("", "Round 1")]
    assert page.count('aria-label="Create complete PDF: ') == 1
    again = html_of(client.get(reverse("console_print", args=[event.slug]), {"round": "1-1"}))
    assert '<option value="1-1" selected>' in again


def test_the_event_keeps_its_paper_and_says_so_in_the_log(event: Event, client: Client) -> None:
    sign_in_organizer(client)
    client.post(reverse("console_paper", args=[event.slug]), {"paper": "Letter"})
    event.refresh_from_db()
    assert (event.paper, get_paper_size(event)) == ("Letter", "Letter")
    assert event.log.order_by("pk").last().action == "paper_chosen"


@each_case(
    ("values", "status"),
    [
        ({"sheet": "nothing"}, 404),
        ({"sheet": "slips", "paper": "A3"}, 404),
        ({"sheet": "badges", "player": "999"}, 404),
        ({"sheet": "slips", "round": "9-9"}, 404),
        ({"sheet": "standings", "round": "١-١"}, 404),
        ({"sheet": "badges", "player": "\x00"}, 404),
    ],
    around=rolled_back,
)
def test_a_wish_for_what_there_is_not_is_no_fault_of_ours(
    event: Event, client: Client, values: dict[str, str], status: int
) -> None:
    sign_in_organizer(client)
    assert client.post(reverse("console_print", args=[event.slug]), values).status_code == status


def test_an_amended_round_says_so(event: Event) -> None:
    shown_round = find_round(event, None, None)
    Round.objects.filter(pk=shown_round.pk).update(amended_at=NOW)
    assert "Amended 11:30" in render_sheet_html(SHEETS["pairings-by-name"], make_request(event))


def test_sheets_of_other_games_are_made_by_no_door(client: Client, event: Event) -> None:
    sign_in_organizer(client)
    own = list_sheets(rules.get_game(event.game))
    others = [sheet for sheet in EVERY_SHEET.values() if sheet.key not in [each.key for each in own]]
    assert {sheet.key for sheet in others} >= {"match-sheets", "gems"}
    for sheet in others:
        console = client.post(f"/console/{event.slug}/print/", {"sheet": sheet.key})
        page = client.get(reverse("print_page", args=[event.slug, sheet.key]))
        program = client.post(
            f"/api/events/{event.slug}/sheets/", {"sheet": sheet.key}, content_type="application/json"
        )
        assert (console.status_code, page.status_code, program.status_code) == (404, 404, 400), sheet.key
        assert [each["code"] for each in program.json()["problems"]] == ["unknown_sheet"]
    assert not Job.objects.filter(kind="print_sheet").exists()


def test_parts_of_a_sheet_fit_the_event(event: Event) -> None:
    request = PrintRequest(event, find_round(event, None, None), "A4", NOW)
    parts = [
        part for sheet in SHEETS.values() if sheet.parts is not None for part in list_parts(sheet, request)
    ]
    assert parts
    assert [part.key for part in parts if not part.fits(event)] == []
