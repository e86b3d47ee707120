"""Eight teams of three from the creation of their event to its champion.

They play on the entry line, in forms and on phones.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.browser import LAPTOP, PHONE
from tests.scenarios import labels
from tests.scenarios.factories import make_user, organizer
from tests.tournament.results.test_boards import NAMES
from tournament.brackets.selectors.bracket import champion_of_event
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.registration import services as registration
from tournament.results.services.results import enter_result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.whole(
    "boards in tests/tournament/results and standings; a whole event of single players in a browser"
)
def test_eight_teams_play_boards_to_a_champion(new_page: Callable[..., Any]) -> None:
    make_user("olga@example.org", first_name="Olga")
    desk = new_page(LAPTOP)
    event = create_event(desk)
    register_on_a_phone(new_page(PHONE), event)
    for name in NAMES[1:]:
        members = [f"{name} {letter}" for letter in "ABC"]
        registration.add_player(event, organizer(), name=name, members=members)
    desk.goto(f"/console/{event.slug}/")
    desk.get_by_role("button", name=labels.OPEN_CHECK_IN, exact=True).click()
    desk.get_by_text("0 of 8 players are checked in.").first.wait_for()
    for player in event.players.select_related("event"):
        registration.check_in(player, organizer())
    desk.reload()
    desk.get_by_role("button", name="Start event", exact=True).click()
    desk.wait_for_load_state()
    by_line, by_form, by_phone, by_seat = open_matches(event)
    desk.goto(f"/console/{event.slug}/rounds/1/1/")
    enter_on_the_line(desk, by_line)
    enter_in_the_form(desk, by_form)
    report_at_once(new_page(PHONE), new_page(PHONE), by_phone)
    report_seat_by_seat(new_page, by_seat)
    while matches := open_matches(event):
        for match in matches:
            enter_result(match, organizer(), boards=[[2, 1, 0], [2, 0, 0], [0, 2, 0]])
    event.refresh_from_db()
    assert event.phase == Event.Phase.FINISHED
    champion = champion_of_event(event)
    assert champion is not None
    desk.goto(f"/e/{event.slug}/bracket/")
    desk.locator(".champion").get_by_text(champion.name).wait_for()
    desk.goto(f"/e/{event.slug}/boards/")
    desk.get_by_role("rowheader", name=re.compile("^Foxes A ")).wait_for()


def create_event(desk: Any) -> Event:
    desk.goto("/console/")
    desk.get_by_label(labels.EMAIL).fill("olga@example.org")
    desk.get_by_label(labels.PASSWORD).fill("correct horse")
    desk.get_by_role("button", name=labels.SIGN_IN, exact=True).click()
    desk.get_by_role("link", name=labels.NEW_EVENT).first.click()
    desk.locator("a[href$='/ufs/constructed/']").click()
    desk.get_by_label(labels.EVENT_NAME).fill("Trios Open")
    desk.get_by_label(labels.STARTS).fill("2026-05-02T10:00")
    desk.get_by_text("Team options").click()
    desk.get_by_label("Team size").fill("3")
    desk.get_by_label("Boards for team members").check()
    desk.get_by_label("Event structure").select_option("single")
    desk.get_by_role("button", name=labels.CREATE_EVENT, exact=True).click()
    desk.wait_for_url(re.compile(r"/console/trios-open/$"))
    event = Event.objects.get()
    assert (event.team_size, event.has_boards, event.board_count) == (3, True, 3)
    return event


def register_on_a_phone(phone: Any, event: Event) -> None:
    phone.goto(f"/e/{event.slug}/register/")
    phone.get_by_label("Team name").fill(NAMES[0])
    phone.get_by_label(labels.EMAIL_ADDRESS).fill("foxes@example.org")
    for letter in "ABC":
        phone.get_by_label(f"Seat {letter}").fill(f"{NAMES[0]} {letter}")
    phone.get_by_role("button", name=labels.REGISTER, exact=True).click()
    phone.get_by_text("You are registered").first.wait_for()
    assert event.players.get().members == ["Foxes A", "Foxes B", "Foxes C"]


def open_matches(event: Event) -> list[Match]:
    matches = Match.objects.filter(round__stage__event=event, outcome="", p2__isnull=False)
    return list(matches.select_related("round__stage__event", "p1", "p2").order_by("table", "pk"))


def facts(match: Match) -> tuple[str, str]:
    match.refresh_from_db()
    return match.outcome, match.score


def enter_on_the_line(desk: Any, match: Match) -> None:
    line = desk.get_by_label(labels.TABLE_AND_RESULT)
    line.fill(f"{match.table} 2-1 0-2 2-0")
    desk.locator("[data-line-reads]").get_by_text(f"{match.p1.name} won 2-1").wait_for()
    line.press("Enter")
    desk.locator(f"#table-{match.table} .result").get_by_text("2-1").wait_for()


def enter_in_the_form(desk: Any, match: Match) -> None:
    row = desk.locator(f"#table-{match.table}")
    row.get_by_role("link", name="Enter boards").click()
    for letter, score in zip("ABC", ("2-0", "0-2", "1-2"), strict=True):
        desk.get_by_label(f"Seat {letter}: {match.p1.name} {letter} vs. {match.p2.name} {letter}").fill(score)
    desk.get_by_role("button", name="Enter result").click()
    desk.locator(f"#table-{match.table} .result").get_by_text("1-2").wait_for()
    assert facts(match) == ("p2", "1-2")


def report_at_once(first: Any, second: Any, match: Match) -> None:
    """Report all boards as one member, and confirm them as the other team."""
    first.goto(f"/p/{match.p1.token}/")
    for letter, winner in zip("ABC", (match.p1, match.p1, match.p2), strict=True):
        first.locator(f"#board-{letter}").select_option(label=f"{winner.name} {letter} won 2-1")
    first.get_by_role("button", name=labels.REPORT_BOARDS).click()
    first.get_by_text("The result counts once").wait_for()
    second.goto(f"/p/{match.p2.token}/")
    second.get_by_text(f"A: {match.p1.name} A won 2-1").wait_for()
    second.get_by_role("button", name=labels.CONFIRM_BOARDS).click()
    second.get_by_role("button", name=labels.CONFIRM_BOARDS).wait_for(state="detached")
    assert facts(match) == ("p1", "2-1")


def report_seat_by_seat(new_page: Callable[..., Any], match: Match) -> None:
    """Report each board on the phone of its member, who says who they are."""
    for letter, winner in zip("ABC", (match.p2, match.p1, match.p2), strict=True):
        for team, other in ((match.p1, match.p2), (match.p2, match.p1)):
            phone = new_page(PHONE)
            phone.goto(f"/p/{team.token}/")
            phone.get_by_role("link", name=f"I am {team.name} {letter}").click()
            phone.get_by_role("heading", name=f"Seat {letter} vs. {other.name} {letter}").wait_for()
            report_own_board(phone, letter, f"{winner.name} {letter} won 2-0")
            phone.context.close()
    assert facts(match) == ("p2", "1-2")


def report_own_board(phone: Any, letter: str, words: str) -> None:
    confirm = phone.get_by_role("button", name=labels.CONFIRM_BOARDS)
    if confirm.count():
        confirm.click()
        confirm.wait_for(state="detached")
        return
    phone.locator(f"#board-{letter}").select_option(label=words)
    with phone.expect_response(lambda answer: "/report/" in answer.url):
        phone.get_by_role("button", name=labels.REPORT_BOARDS).click()
    phone.wait_for_load_state()
