"""A judge's round on a phone, in a real browser.

It covers table, lists, penalty, time and paper.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from decks.jobs.models import Job
from tests.fixtures.browser import PHONE
from tests.fixtures.desk import open_signed_in
from tests.scenarios import labels
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.factories import add_players, make_event, make_user, organizer
from tournament.access.permissions import Actor
from tournament.clock import services as clock
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.pairing.services import rounds
from tournament.penalties.models import Penalty
from tournament.setup.services import events

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def running_event() -> Event:
    """Round 1 of four players who have all submitted a list; its clock runs."""
    small_catalogue()
    event = make_event()
    for player in add_players(event, 4):
        decklists.submit_list(player, Actor.of_player(player), LEGAL)
    events.start_event(event, organizer())
    clock.start_clock(
        rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer()), organizer()
    )
    StaffRole.objects.create(event=event, user=make_user("judy@example.org"), kind=StaffRole.Kind.JUDGE)
    return event


def call_up_table(page: Any, event: Event, typed_text: str) -> None:
    page.goto(f"/judge/{event.slug}/")
    page.get_by_label("Table or player").fill(typed_text)
    page.get_by_role("button", name="Find").click()


def look_at_both_lists(page: Any, match: Match) -> None:
    page.get_by_role("heading", name="Table 2").wait_for()
    expect(page.get_by_text("Legal", exact=True)).to_have_count(2)
    for player in (match.p1, match.p2):
        page.get_by_role("region", name=player.name).get_by_role("link", name="View decklist").click()
        page.get_by_role("heading", name=player.name, exact=True).wait_for()
        expect(page.get_by_text("1 Mara").first).to_be_visible()
        page.go_back()


def give_a_warning(page: Any, player: Player) -> None:
    page.get_by_role("region", name=player.name).get_by_role("link", name=labels.GIVE_PENALTY).click()
    page.get_by_role("button", name=labels.GIVE_PENALTY, exact=True).wait_for()
    duty = page.get_by_text("Required for a game loss or more.")
    page.get_by_role("radio", name="Game loss", exact=True).check()
    expect(duty).to_be_visible()
    page.get_by_role("radio", name="Slow play").check()
    expect(duty).to_be_hidden()
    expect(page.get_by_role("radio", name="Warning", exact=True)).to_be_checked()
    page.get_by_role("button", name=f"Warning to {player.name} for slow play").click()
    page.get_by_role("heading", name="Table 2").wait_for()
    assert [(p.player_id, p.infraction, p.degree) for p in Penalty.objects.all()] == [
        (player.pk, "slow", "warning")
    ]


def give_more_time(page: Any) -> None:
    page.get_by_label("Reason for the extension").fill("deck check")
    page.get_by_role("button", name="Extend time by 5 minutes").click()
    page.get_by_text("Table 2 has 5 more minutes.").wait_for()


def answer_what_is_asked_at_time(page: Any, match: Match) -> None:
    page.get_by_role("link", name="Table 2").click()
    page.get_by_text("Apply time rules").click()
    page.get_by_label(f"How many games did {match.p1.name} win?").fill("1")
    page.get_by_label(f"How many games did {match.p2.name} win?").fill("0")
    winner = page.locator("[data-unless-no=game_in_progress]")
    expect(winner).to_be_visible()
    page.get_by_role("group", name="Was a game in progress").get_by_label("No", exact=True).check()
    expect(winner).to_be_hidden()
    page.get_by_role("button", name=labels.CONTINUE).click()
    page.get_by_role("button", name="Enter 1-0 for table 2").click()
    page.get_by_text(f"Table 2: {match.p1.name} 1-0 {match.p2.name}.").wait_for()


def print_slips(page: Any) -> None:
    page.get_by_role("link", name="Print round", exact=True).last.click()
    page.get_by_role("button", name="Create PDF: Match slips").click()
    page.get_by_role("heading", name="Match slips").wait_for()
    assert Job.objects.get(kind="print_sheet").payload["sheet"] == "slips"


def test_a_judges_round_on_a_phone(new_page: Callable[..., Any]) -> None:
    event = running_event()
    match = Match.objects.select_related("p1", "p2").get(table=2)
    page = new_page(PHONE)
    open_signed_in(page, f"/judge/{event.slug}/", "judy@example.org")

    call_up_table(page, event, "2")
    look_at_both_lists(page, match)
    give_a_warning(page, match.p2)
    call_up_table(page, event, "2")
    give_more_time(page)
    call_up_table(page, event, match.p1.name)
    answer_what_is_asked_at_time(page, match)

    match.refresh_from_db()
    assert (match.outcome, match.score, match.ending) == ("p1", "1-0", "time")

    call_up_table(page, event, "2")
    print_slips(page)
