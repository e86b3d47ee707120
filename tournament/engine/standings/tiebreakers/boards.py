"""Tiebreakers from the boards of team matches.

That a drawn board counts half is a Ringside default. The games of a match of two teams are its boards.
"""

from __future__ import annotations

from operator import add, mul

from rules.reason import reason
from tournament.engine.standings.scoring import COUNTED
from tournament.engine.standings.seats import RoundColumns
from tournament.engine.standings.tiebreakers.base import (
    Column,
    Term,
    TiebreakerContext,
    TiebreakerKind,
    exact_ratio,
    get_numeric_param,
    name_formula,
)
from tournament.engine.standings.tiebreakers.parameters import Params
from tournament.engine.standings.tiebreakers.ratios import left_out, list_terms_of_opponents, ratio

# Two halves make a board, so that halves are whole numbers.
HALVES = 2


def _count_halves(tally: TiebreakerContext, params: Params) -> list[int]:
    wins, draws = (tally.table.total_without(fact, left_out(params)) for fact in ("games_won", "games_drawn"))
    return list(map(add, map(mul, wins, [HALVES] * len(wins)), draws))


def board_points(tally: TiebreakerContext, params: Params) -> Column:
    """Return boards won, and half of those drawn."""
    return tally.once("board-points", lambda: Column(_count_halves(tally, params), HALVES))


def board_win(tally: TiebreakerContext, params: Params) -> Column:
    """Return the share of boards won, a drawn one as half."""
    floor, skipped_kinds = get_numeric_param(params, "floor"), left_out(params)

    def compute() -> Column:
        boards = [0] * len(tally.table.ids)
        for fact in ("games_won", "games_lost", "games_drawn"):
            boards = list(map(add, boards, tally.table.total_without(fact, skipped_kinds)))
        rounds = tally.count(COUNTED - skipped_kinds)
        return ratio(_count_halves(tally, params), boards, rounds, HALVES, floor)

    return tally.once(("board-win", skipped_kinds, floor), compute)


def opponents_board_points(tally: TiebreakerContext, params: Params) -> Column:
    """Return the sum of the opponents' board points, one entry a match."""
    return Column(tally.table.gather(board_points(tally, params).numerators), HALVES)


def opponents_board_win(tally: TiebreakerContext, params: Params) -> Column:
    """Return the mean of the opponents' board-win percentages, each with its floor."""
    return tally.mean_of_opponents(board_win(tally, params))


def _points_of_round(turn: RoundColumns, row: int) -> int:
    return HALVES * turn.games_won[row] + turn.games_drawn[row]


def _point_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    table = tally.table
    return [
        Term(number, table.opponent_id(turn, row), exact_ratio(_points_of_round(turn, row), HALVES))
        for number, turn in table.list_played(row)
    ]


def _win_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    table, lines = tally.table, []
    for number, turn in table.list_played(row):
        points, boards = (
            _points_of_round(turn, row),
            turn.games_won[row] + turn.games_lost[row] + turn.games_drawn[row],
        )
        part = exact_ratio(points, HALVES)
        counts = turn.side[row] not in left_out(params)
        note = reason("part_of", part=part, whole=boards) if counts else reason("bye_ignored")
        lines.append(Term(number, table.opponent_id(turn, row), part, note, counts, boards))
    return lines


KINDS = {
    "board_points": TiebreakerKind(board_points, _point_terms, name_formula("formula_board_points")),
    "board_win": TiebreakerKind(board_win, _win_terms, name_formula("formula_board_win"), combine="quotient"),
    "opponents_board_points": TiebreakerKind(
        opponents_board_points,
        list_terms_of_opponents(board_points),
        name_formula("formula_opponents_board_points"),
    ),
    "opponents_board_win": TiebreakerKind(
        opponents_board_win,
        list_terms_of_opponents(board_win),
        name_formula("formula_opponents_board_win"),
        combine="mean",
    ),
}
