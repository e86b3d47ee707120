"""The standings compared with a slow second calculation from the same results."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from tests.scenarios.day.model import DOUBLE_LOSS, Games
from tests.tournament.engine.standings_oracle import Oracle
from tournament.engine.records import Event as Played
from tournament.engine.records import Match as PlayedMatch
from tournament.engine.records import Player as Entrant
from tournament.engine.records import Result
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.events.selectors import STANDINGS_KINDS
from tournament.standings.selectors.standings import standings

THIRD, NOTHING = Fraction(1, 3), Fraction(0)


def assert_standings_are_recomputed(event: Event, results: dict[int, Games], points: Counter[int]) -> None:
    """Require points of the accepted results and tiebreakers of the oracle.

    The best comes first.
    """
    lines = standings(event)
    assert {line.player.pk: line.row.points for line in lines} == {
        line.player.pk: points[line.player.pk] for line in lines
    }
    assert {pk for pk, gain in points.items() if gain} <= {line.player.pk for line in lines}
    oracle = Oracle(_build_event(event, [line.player.pk for line in lines], results))
    for line in lines:
        player_id = line.player.pk
        expected_result = (
            oracle.omw(player_id, THIRD, False),
            oracle.game_win(player_id, NOTHING, False),
            oracle.ogw(player_id, NOTHING, False),
        )
        assert line.row.values[:3] == expected_result
    order = [(line.row.points, *line.row.values[:3]) for line in lines]
    assert order == sorted(order, reverse=True)


def _build_event(event: Event, players: list[int], results: dict[int, Games]) -> Played:
    rounds = Round.objects.filter(stage__event=event, stage__kind__in=STANDINGS_KINDS).exclude(state="draft")
    played_rounds = tuple(
        tuple(_match(match, results) for match in each.matches.order_by("pk"))
        for each in rounds.order_by("number")
    )
    return Played(tuple(Entrant(pk) for pk in players), played_rounds, {})


def _match(match: Match, results: dict[int, Games]) -> PlayedMatch:
    if match.p2_id is None:
        return PlayedMatch(match.p1_id, None, Result(match.outcome), match.p1_games, match.p2_games)
    games = results.get(match.pk)
    if games is None:
        return PlayedMatch(match.p1_id, match.p2_id)
    if games == DOUBLE_LOSS:
        return PlayedMatch(match.p1_id, match.p2_id, Result.DOUBLE_LOSS)
    result = Result.P1 if games[0] > games[1] else Result.P2 if games[0] < games[1] else Result.DRAW
    return PlayedMatch(match.p1_id, match.p2_id, result, *games)
