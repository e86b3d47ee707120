"""Rounds are paired by the points of the standings, in every scoring system."""

from __future__ import annotations

from typing import Any

import pytest

from tests.everyday import each_case
from tests.scenarios.factories import built_once, organizer, play_round, started_event
from tests.scenarios.rollback import rolled_back
from tournament.engine.standings.systems.custom import OWN_SYSTEM_KEY
from tournament.engine.standings.systems.loading import system_names
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.pairing.selectors.pairing_context import load_pairing_context
from tournament.pairing.services import rounds
from tournament.standings.selectors.standings import calculate_standings, points_before

pytestmark = pytest.mark.django_db
OWN_SYSTEM = {
    "points": {
        "win": 5,
        "draw": 2,
        "loss": 1,
        "bye": 4,
        "double_loss": 0,
        "game_win": "1/2",
        "game_draw": "1/4",
    },
    "tiebreakers": [{"kind": "lot"}],
}
RESULTS: tuple[dict[str, Any], ...] = (
    {"outcome": "p1", "p1_games": 2, "p2_games": 1},
    {"outcome": "p2", "p1_games": 0, "p2_games": 2},
    {"outcome": "draw", "p1_games": 1, "p2_games": 1, "draws": 1},
    {"outcome": "double_loss", "p1_games": 0, "p2_games": 0},
    {"outcome": "p1", "p1_games": 2, "p2_games": 0, "forfeit": True},
)


@pytest.fixture
@built_once
def event() -> Event:
    """Return an event of eleven players after two rounds.

    Each round has one table of every kind of result and a bye.
    """
    running_event = started_event(11, swiss_rounds=4)
    for _ in range(2):
        round_ = play_round(running_event)
        for match, result in zip(
            round_.matches.filter(p2__isnull=False).order_by("pk"), RESULTS, strict=True
        ):
            Match.objects.filter(pk=match.pk).update(**result)
    return running_event


@each_case("system", [*system_names(), OWN_SYSTEM_KEY], around=rolled_back)
def test_a_round_is_paired_by_the_points_that_the_standings_show(event: Event, system: str) -> None:
    Event.objects.filter(pk=event.pk).update(standings_system=system, own_system=OWN_SYSTEM)
    event.refresh_from_db()
    shown_round = {line.player.pk: line.row.points for line in calculate_standings(event)}
    third = rounds.pair_next_round(event, organizer())
    assert load_pairing_context(event, third.stage, 3).swiss.scores == shown_round
    assert {pk: points_before(third)[pk] for pk in shown_round} == shown_round


def test_where_games_bring_the_points_a_lost_game_costs_the_winner_nothing(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(standings_system="netrunner")
    second = Round.objects.get(stage__event=event, number=2)
    first = Match.objects.filter(round__number=1, round__stage__event=event).order_by("pk")
    points = points_before(second)
    assert [(points[m.p1_id], points[m.p2_id] if m.p2_id else None) for m in first] == [
        (6, 3),
        (0, 6),
        (4, 4),
        (0, 0),
        (6, 0),
        (6, None),
    ]


@pytest.mark.parametrize(("system", "has_met", "byes"), [("ufs", True, 0), ("fide", False, 1)])
def test_two_who_did_not_play_have_met_where_the_system_says_so(
    event: Event, system: str, has_met: bool, byes: int
) -> None:
    Event.objects.filter(pk=event.pk).update(standings_system=system)
    event.refresh_from_db()
    match = Match.objects.filter(round__number=2, outcome="p1", p2__isnull=False).order_by("pk")[0]
    before = load_pairing_context(event, event.stages.get(), 3).swiss
    byes_before = {entrant.id: entrant.byes for entrant in before.entrants}[match.p1_id]
    Match.objects.filter(pk=match.pk).update(forfeit=True)
    swiss = load_pairing_context(event, event.stages.get(), 3).swiss
    assert swiss.meetings.have_met(match.p1_id, match.p2_id or 0) is has_met
    assert {entrant.id: entrant.byes for entrant in swiss.entrants}[match.p1_id] == byes_before + byes


def test_pages_know_when_pairs_met_and_players_rested(event: Event) -> None:
    swiss = load_pairing_context(event, event.stages.get(), 3).swiss
    first = Match.objects.filter(round__number=1, p2__isnull=False).order_by("pk")[0]
    second = Match.objects.filter(round__number=2, p2__isnull=False).order_by("pk")[0]
    assert swiss.meetings.meetings[first.p1_id, first.p2_id or 0] == (1, 2)
    assert swiss.meetings.meetings[second.p1_id, second.p2_id or 0] == (1, 1)
    points_by_bye = {
        m.p1_id: 3 - m.round.number for m in Match.objects.filter(p2__isnull=True, outcome="bye")
    }
    assert {e.id: e.rounds_since_bye for e in swiss.entrants if e.byes} == points_by_bye
