"""A booster draft of twelve from its creation to its champion.

It is played on the pages of staff and on phones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.browser import LAPTOP, PHONE
from tests.scenarios import labels
from tests.scenarios.factories import add_players, make_user, organizer
from tournament.booster_drafts.selectors import find_seat_of, map_pods
from tournament.brackets.selectors.bracket import champion_of_event
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.results.services.results import enter_result

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def create_draft(desk: Any) -> Event:
    """Create a draft whose two rounds are played inside the pods, with a cut to four."""
    desk.goto("/console/new/ufs/draft/")
    desk.get_by_label(labels.EMAIL).fill("olga@example.org")
    desk.get_by_label(labels.PASSWORD).fill("correct horse")
    desk.get_by_label(labels.PASSWORD).press("Enter")
    desk.get_by_text("UFS 100.5.1").first.wait_for()
    desk.get_by_label(labels.EVENT_NAME).fill("Draft Night")
    desk.get_by_label(labels.STARTS).fill("2026-05-02T18:00")
    desk.locator("[name=swiss_rounds]").fill("2")
    desk.get_by_label("Play Swiss rounds inside the draft pods").check()
    desk.locator("[name=cut]").select_option("top")
    desk.locator("[name=cut_size]").fill("4")
    desk.get_by_role("button", name=labels.CREATE_EVENT).click()
    desk.get_by_role("button", name=labels.OPEN_CHECK_IN).wait_for()
    return Event.objects.get(name="Draft Night")


def phone_of(new_page: Callable[..., Any], player: Player) -> Any:
    phone = new_page(PHONE)
    phone.goto(f"/p/{player.token}/")
    return phone


def play_on_phones(new_page: Callable[..., Any], match: Match) -> None:
    """Report the same result as both players."""
    for player in (match.p1, match.p2):
        assert player is not None
        phone = phone_of(new_page, player)
        phone.locator("form[data-report] button:visible", has_text=f"{match.p1.name} won").first.click()
        phone.locator("#task").get_by_text("You reported:").or_(
            phone.locator("#task").get_by_text(f"{match.p1.name} won")
        ).first.wait_for()


def play_on_the_line(desk: Any, match: Match) -> None:
    line = desk.get_by_label(labels.TABLE_AND_RESULT)
    line.fill(f"{match.table} 20")
    line.press("Enter")
    desk.locator(f"#table-{match.table} .result").get_by_text("2-0").wait_for()


def play_at_once(matches: list[Match]) -> None:
    """Enter the results of the other tables."""
    for match in matches:
        row = Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk)
        enter_result(row, organizer(), p1_games=2, p2_games=0)


@pytest.mark.whole("drafts in tests/tournament/booster_drafts; a whole event of single players in a browser")
def test_twelve_draft_build_and_play_inside_pods_to_a_champion(new_page: Callable[..., Any]) -> None:
    make_user("olga@example.org", first_name="Olga")
    desk = new_page(LAPTOP)
    event = create_draft(desk)
    players = add_players(event, 12)
    desk.goto(f"/console/{event.slug}/")
    desk.get_by_role("button", name="Start without check-in").click()
    desk.get_by_role("button", name=labels.PAIR_ROUND % {"number": 1}).wait_for()

    desk.get_by_role("link", name="Draft pods").click()
    desk.get_by_role("button", name="Seat draft pods").click()
    desk.get_by_role("heading", name="Pod 2").wait_for()
    seat = find_seat_of(Player.objects.select_related("event").get(pk=players[4].pk))
    assert seat is not None
    phone = phone_of(new_page, players[4])
    phone.get_by_role("heading", name="Draft and build your deck").wait_for()
    phone.get_by_text(f"Pod {seat.pod}, seat {seat.seat}").wait_for()
    phone.get_by_text(f"You pass to {seat.first.name} first.").wait_for()
    desk.get_by_label("Minutes").fill("45")
    desk.get_by_role("button", name="Start build time").click()
    desk.get_by_role("button", name="Pause").wait_for()
    phone.locator("[data-clock-time]").get_by_text(":").first.wait_for()
    assert phone.locator("[data-clock-time]").first.inner_text().startswith("4")
    desk.get_by_role("button", name="End build time").click()
    phone.get_by_text("The build time is over.").first.wait_for()

    pods = map_pods(event)
    for number in (1, 2):
        desk.goto(f"/console/{event.slug}/")
        desk.get_by_role("button", name=labels.PAIR_ROUND % {"number": number}).click()
        desk.get_by_role("button", name=labels.PUBLISH_ROUND % {"number": number}).click()
        desk.get_by_label(labels.TABLE_AND_RESULT).wait_for()
        round_ = Round.objects.get(stage__event=event, number=number)
        by_phone, *others = round_.matches.select_related("p1", "p2").order_by("table")
        assert all(pods[match.p1_id] == pods[match.p2_id] for match in (by_phone, *others))
        if number == 1:
            play_on_phones(new_page, by_phone)
        else:
            play_on_the_line(desk, by_phone)
        play_at_once(others)

    desk.goto(f"/console/{event.slug}/")
    desk.get_by_role("link", name=labels.VIEW_CUT).click()
    desk.get_by_role("button", name=labels.MAKE_THE_CUT).click()
    for _ in (1, 2):
        desk.goto(f"/console/{event.slug}/")
        desk.get_by_role("link", name=labels.ENTER_RESULTS).click()
        by_line, *others = Match.objects.filter(round__stage__event=event, outcome="").order_by("table")
        play_on_the_line(desk, by_line)
        play_at_once(others)
    champion = champion_of_event(Event.objects.get(pk=event.pk))
    assert champion is not None
    phone_of(new_page, champion).get_by_text("Champion", exact=True).wait_for()
