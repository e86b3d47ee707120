"""Tiebreakers from a player's own results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import add, sub

from rules.reason import Reason, reason
from tournament.engine.records import PlayerId
from tournament.engine.standings.scoring import MET, RoundStatus
from tournament.engine.standings.seats import RoundColumns
from tournament.engine.standings.tiebreakers.base import (
    Column,
    Term,
    TiebreakerContext,
    TiebreakerKind,
    exact_ratio,
    get_int_param,
    name_formula,
)
from tournament.engine.standings.tiebreakers.parameters import Params


def points(tally: TiebreakerContext, params: Params) -> Column:
    """Return tournament points."""
    return Column(tally.table.scores, tally.table.scale)


def progressive(tally: TiebreakerContext, params: Params) -> Column:
    """Return the sum of the scores after each round.

    Where cuts are requested, the first few are left out.
    """
    table = tally.table
    total, running_points = [0] * len(table.ids), [0] * len(table.ids)
    for number, turn in enumerate(table.rounds, 1):
        running_points = list(map(add, running_points, turn.points))
        if number > get_int_param(params, "cut_low"):
            total = list(map(add, total, running_points))
    return Column(total, table.scale)


def _progressive_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    table, running_points, lines = tally.table, 0, []
    for number, turn in enumerate(table.rounds, 1):
        running_points += turn.points[row]
        counts = number > get_int_param(params, "cut_low")
        lines.append(
            Term(number, table.opponent_id(turn, row), exact_ratio(running_points, table.scale), None, counts)
        )
    return lines


def net_games(tally: TiebreakerContext, params: Params) -> Column:
    """Return games (or board points) won minus those lost, byes as recorded."""
    table = tally.table
    wins = table.total(turn.games_won for turn in table.rounds)
    losses = table.total(turn.games_lost for turn in table.rounds)
    return Column(list(map(sub, wins, losses)))


def games_won(tally: TiebreakerContext, params: Params) -> Column:
    """Return games (or board points) won, byes as recorded."""
    return Column(tally.table.total(turn.games_won for turn in tally.table.rounds))


def wins(tally: TiebreakerContext, params: Params) -> Column:
    """Return rounds that brought the points of a win, byes and forfeits included."""
    return _rounds_won(tally, None)


def wins_played(tally: TiebreakerContext, params: Params) -> Column:
    """Return matches won against an opponent who was there."""
    return _rounds_won(tally, frozenset((RoundStatus.PLAYED,)))


def _rounds_won(tally: TiebreakerContext, sides: frozenset[RoundStatus] | None) -> Column:
    table, win = tally.table, tally.table.scale_score(tally.table.points.win)
    enough = [score for score in set().union(*(turn.points for turn in table.rounds)) if score >= win]
    counts = [[row.count(score) for row in table.points_by_row] for score in enough]
    wins = counts[0] if len(counts) == 1 else table.total(counts)
    if sides is None:
        return Column(wins)
    for turn in table.rounds:
        for row in turn.rows(frozenset(RoundStatus) - sides):
            wins[row] -= turn.points[row] >= win
    return Column(wins)


def matches_met(tally: TiebreakerContext, params: Params) -> Column:
    """Return matches against an opponent."""
    return Column(tally.table.count(MET))


def initial_order(tally: TiebreakerContext, params: Params) -> Column:
    """Return the place in the starting list.

    Players without one come after all others.
    """
    known_places = [place for place in tally.table.order if place is not None]
    last = max(known_places, default=0) + 1
    return Column([last if place is None else place for place in tally.table.order], lower_is_better=True)


def lot(tally: TiebreakerContext, params: Params) -> Column:
    """Return the random number of the player.

    Without random numbers, no one is separated by them.
    """
    lots: Mapping[PlayerId, int] = tally.lots or {}
    if not lots:
        return Column([0] * len(tally.table.ids), lower_is_better=True)
    last = max(lots.values()) + 1
    return Column([lots.get(player, last) for player in tally.table.ids], lower_is_better=True)


def _by_round(
    fact: Callable[[TiebreakerContext, RoundColumns, int], int],
) -> Callable[[TiebreakerContext, Params, int], list[Term]]:
    def terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
        table = tally.table
        return [
            Term(number, table.opponent_id(turn, row), fact(tally, turn, row))
            for number, turn in table.list_played(row)
        ]

    return terms


def _point_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    table = tally.table
    return [
        Term(
            number, table.opponent_id(turn, row), exact_ratio(turn.points[row], table.scale), _how(turn, row)
        )
        for number, turn in table.list_played(row)
    ]


def _how(turn: RoundColumns, row: int) -> Reason | None:
    side = RoundStatus(turn.side[row])
    return None if side is RoundStatus.PLAYED else reason("round_status", status=side.name.lower())


def _is_win(tally: TiebreakerContext, turn: RoundColumns, row: int) -> int:
    return int(turn.points[row] >= tally.table.scale_score(tally.table.points.win))


def _explain_given(
    compute: Callable[[TiebreakerContext, Params], Column],
) -> Callable[[TiebreakerContext, Params, int], list[Term]]:
    return lambda tally, params, row: [Term(None, None, compute(tally, params).value(row))]


def _name_progressive(params: Params) -> Reason:
    if cut := get_int_param(params, "cut_low"):
        return reason("formula_progressive.later", round=cut + 1)
    return reason("formula_progressive")


KINDS = {
    "points": TiebreakerKind(points, _point_terms, name_formula("formula_points")),
    "progressive": TiebreakerKind(progressive, _progressive_terms, _name_progressive),
    "net_games": TiebreakerKind(
        net_games,
        _by_round(lambda tally, turn, row: turn.games_won[row] - turn.games_lost[row]),
        name_formula("formula_net_games"),
    ),
    "games_won": TiebreakerKind(
        games_won, _by_round(lambda tally, turn, row: turn.games_won[row]), name_formula("formula_games_won")
    ),
    "wins": TiebreakerKind(wins, _by_round(_is_win), name_formula("formula_wins")),
    "wins_played": TiebreakerKind(
        wins_played,
        _by_round(
            lambda tally, turn, row: _is_win(tally, turn, row) if turn.side[row] == RoundStatus.PLAYED else 0
        ),
        name_formula("formula_wins_played"),
    ),
    "matches": TiebreakerKind(
        matches_met,
        _by_round(lambda tally, turn, row: int(turn.side[row] in MET)),
        name_formula("formula_matches"),
    ),
    "initial_order": TiebreakerKind(
        initial_order, _explain_given(initial_order), name_formula("formula_initial_order")
    ),
    "lot": TiebreakerKind(lot, _explain_given(lot), name_formula("formula_lot")),
}
