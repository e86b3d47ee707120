"""Eighty players and two scorekeepers at once, with three accidents.

Each result is accounted for. The ledger has the results at the tables. At the end the results of the event
equal it.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fixtures.browser import LAPTOP, until
from tests.fixtures.desk import enter, line_of, sign_in
from tests.scenarios import labels
from tests.scenarios.factories import make_user, started_event
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAYERS, ROUNDS, CUT = 80, 7, 8
SCORES = ((2, 0), (2, 1), (0, 2), (1, 2), (1, 1))
Sides = frozenset[int]
# By round and players: the games won of each player.
Ledger = dict[tuple[int, Sides], dict[int, int]]


@pytest.fixture
def event(transactional_db: None) -> Event:
    """Eighty players who have just started, an owner and a scorekeeper."""
    make_user("olga@example.org", first_name="Olga")
    event = started_event(PLAYERS, swiss_rounds=ROUNDS, cut="top", cut_size=CUT)
    sam = make_user("sam@example.org", first_name="Sam")
    StaffRole.objects.create(event=event, user=sam, kind=StaffRole.Kind.SCOREKEEPER)
    return event


def swiss_matches(number: int) -> list[Match]:
    return list(
        Match.objects.filter(round__stage__kind="swiss", round__number=number)
        .select_related("round")
        .order_by("table")
    )


def games(match: Match) -> dict[int, int]:
    assert match.p2_id is not None
    return {match.p1_id: match.p1_games, match.p2_id: match.p2_games}


def load_stored_results() -> Ledger:
    """Return the results of the event, without byes."""
    played_matches = (
        Match.objects.filter(round__stage__kind="swiss")
        .exclude(outcome__in=("", "bye"))
        .select_related("round")
    )
    return {
        (match.round.number, frozenset(games(match))): games(match)
        for match in played_matches.select_related("round")
    }


class ScorekeeperPage:
    """A person at a laptop with a pile of slips, as the players filled them in."""

    def __init__(self, page: Any, event: Event, email: str, ledger: Ledger) -> None:
        self.page, self.event, self.ledger = page, event, ledger
        page.goto(f"/console/{event.slug}/")
        sign_in(page, email)
        page.wait_for_url(f"**/console/{event.slug}/")

    def open_round(self, number: int) -> None:
        self.page.goto(f"/console/{self.event.slug}/rounds/1/{number}/")
        expect(line_of(self.page)).to_be_focused()
        self.page.wait_for_load_state("load")

    def enter(self, match: Match, score: tuple[int, int]) -> None:
        """Type a slip; the ledger stores the played result."""
        assert match.p2_id is not None
        sides = dict(zip((match.p1_id, match.p2_id), score, strict=True))
        self.ledger[match.round.number, frozenset(sides)] = sides
        enter(self.page, f"{match.table} {score[0]} {score[1]}")

    def publish(self, number: int) -> None:
        """Go from the finished round to the next with keys alone."""
        enter(self.page, "n")
        publish = self.page.get_by_role("button", name=labels.PUBLISH_ROUND % {"number": number})
        publish.wait_for()
        self.page.wait_for_load_state("load")
        publish.press("Enter")
        self.page.wait_for_url(f"**/rounds/1/{number}/")

    def exchange(self, one: Match, two: Match) -> None:
        """Exchange the second players of two pairings.

        It is as if they sat down at the wrong tables.
        """
        self.page.goto(f"/console/{self.event.slug}/rounds/1/{one.round.number}/change/")
        self.page.get_by_label(labels.FIRST_PLAYER).select_option(
            str(Player.objects.get(pk=one.p2_id).number)
        )
        self.page.get_by_label(labels.SECOND_PLAYER).select_option(
            str(Player.objects.get(pk=two.p2_id).number)
        )
        self.page.get_by_role("button", name=labels.PREVIEW_CHANGE).press("Enter")
        self.page.get_by_role("button", name=labels.CHANGE_ONLY).press("Enter")
        expect(self.page.get_by_role("heading", name="Pairings changed")).to_be_visible()

    def correct(self, match: Match, score: tuple[int, int]) -> None:
        """Correct a result of the round before; pairings that are being played stay."""
        self.page.goto(f"/console/{self.event.slug}/matches/{match.pk}/")
        self.page.locator("#id_p1_games").fill(str(score[0]))
        self.page.locator("#id_p2_games").fill(str(score[1]))
        self.page.get_by_role("button", name="Correct result").press("Enter")
        self.page.get_by_label(labels.REASON).fill("The slip was read upside down")
        self.page.get_by_role("button", name="Correct and keep pairings").press("Enter")
        self.page.wait_for_url("**/rounds/1/**")
        sides = games_of(match, score)
        self.ledger[match.round.number, frozenset(sides)] = sides

    def drop_and_undo(self, player: Player) -> None:
        """Drop a player who only went to lunch, and undo it."""
        self.page.goto(f"/console/{self.event.slug}/players/{player.number}/leave/")
        self.page.get_by_role("button", name="Drop after this match").press("Enter")
        until(self.page, lambda: is_dropped(player))
        self.page.goto(f"/console/{self.event.slug}/players/{player.number}/return/")
        self.page.get_by_role("button", name="Undo drop").press("Enter")
        until(self.page, lambda: not is_dropped(player))


def is_dropped(player: Player) -> bool:
    return Player.objects.get(pk=player.pk).is_dropped


def games_of(match: Match, score: tuple[int, int]) -> dict[int, int]:
    assert match.p2_id is not None
    return {match.p1_id: score[0], match.p2_id: score[1]}


@pytest.mark.whole("two desks at once and each accident stand in tests of their own")
def test_two_scorekeepers_account_for_every_result_through_three_accidents(
    new_page: Callable[..., Any], event: Event
) -> None:
    chance, ledger = random.Random(80), Ledger()
    olga = ScorekeeperPage(new_page(LAPTOP), event, "olga@example.org", ledger)
    sam = ScorekeeperPage(new_page(LAPTOP), event, "sam@example.org", ledger)
    olga.page.get_by_role("button", name=labels.PAIR_ROUND % {"number": 1}).click()
    olga.page.get_by_role("button", name=labels.PUBLISH_ROUND % {"number": 1}).press("Enter")
    olga.page.wait_for_url("**/rounds/1/1/")
    for number in range(1, ROUNDS + 1):
        if number > 1:
            olga.publish(number)
        if number == 2:
            # The slip of table 5 in round 1 was read upside down.
            upside_down = swiss_matches(1)[4]
            olga.correct(upside_down, (upside_down.p2_games, upside_down.p1_games))
        if number == 3:
            olga.drop_and_undo(Player.objects.get(event=event, number=11))
        enter_round(number, olga, sam, chance)
    assert len(ledger) == ROUNDS * PLAYERS // 2
    assert load_stored_results() == ledger
    assert not Match.objects.filter(outcome="bye").exists()
    play_cut(olga)
    event.refresh_from_db()
    assert (event.phase, Round.objects.exclude(state=Round.State.FINISHED).count()) == ("finished", 0)
    assert Match.objects.filter(round__stage__kind="single", outcome="p1").count() == CUT - 1
    assert load_stored_results() == ledger


def enter_round(number: int, olga: ScorekeeperPage, sam: ScorekeeperPage, chance: random.Random) -> None:
    """Enter the slips of a round from two piles, in any order, at the same time."""
    if number == 1:
        # The players of tables 3 and 4 sat down at the wrong tables and keep playing.
        olga.exchange(*swiss_matches(1)[2:4])
    for person in (olga, sam):
        person.open_round(number)
    slips = swiss_matches(number)
    chance.shuffle(slips)
    for place, match in enumerate(slips):
        (olga, sam)[place % 2].enter(match, chance.choice(SCORES))
    if number == 1:
        contradict(sam, slips[0])
    until(olga.page, lambda: not Match.objects.filter(round__number=number, outcome="").exists())
    for person in (olga, sam):
        expect(person.page.locator("#round-status")).to_contain_text("The round is finished.")


def play_cut(person: ScorekeeperPage) -> None:
    """Make the cut and enter its results, round by round."""
    person.page.goto(f"/console/{person.event.slug}/cut/")
    person.page.get_by_role("button", name=labels.MAKE_THE_CUT).press("Enter")
    person.page.locator(".bracket").wait_for()
    while open_matches := list(
        Match.objects.filter(round__stage__kind="single", outcome="").select_related("round")
    ):
        number = open_matches[0].round.number
        person.page.goto(f"/console/{person.event.slug}/rounds/2/{number}/")
        expect(line_of(person.page)).to_be_focused()
        person.page.wait_for_load_state("load")
        for match in (match for match in open_matches if match.round.number == number):
            enter(person.page, f"{match.table} 2 0")
        until(person.page, partial(is_over, number))


def is_over(number: int) -> bool:
    """Return whether every match of this round of the cut has a result."""
    return not Match.objects.filter(round__stage__kind="single", round__number=number, outcome="").exists()


def contradict(person: ScorekeeperPage, match: Match) -> None:
    """Type the slip of a table again, with another score.

    The first score stays once the second one is discarded.
    """
    until(person.page, lambda: Match.objects.get(pk=match.pk).is_finished)
    first = games(Match.objects.get(pk=match.pk))
    other = (2, 0) if first[match.p1_id] < 2 else (0, 2)
    enter(person.page, f"{match.table} {other[0]} {other[1]}")
    person.page.get_by_role("button", name=labels.DISCARD).press("Enter")
    assert games(Match.objects.get(pk=match.pk)) == first
