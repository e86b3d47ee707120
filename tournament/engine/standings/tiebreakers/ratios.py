"""Match-win and game-win percentages and strength of schedule.

The percentages are a player's own and those of the opponents. Strength of schedule is by rounds played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import lcm
from operator import add

from rules.reason import reason
from tournament.engine.records import Score
from tournament.engine.standings.scoring import BYES, COUNTED, RoundStatus
from tournament.engine.standings.tiebreakers.base import (
    Column,
    Term,
    TiebreakerContext,
    TiebreakerKind,
    exact_ratio,
    get_int_param,
    get_numeric_param,
    name_formula,
)
from tournament.engine.standings.tiebreakers.parameters import Params

IGNORED = "ignored"
NONE: frozenset[RoundStatus] = frozenset()


def ratio(
    parts: Sequence[int], wholes: Sequence[int], rounds: Sequence[int], unit: int, floor: Score
) -> Column:
    """Return parts / (unit * wholes) over one denominator, with a floor.

    0 without a whole. The floor is only for those who have a counted round: a player who never played has 0.
    """
    least = Fraction(floor)
    sizes = set(wholes)
    common = lcm(*(unit * size for size in sizes if size), least.denominator)
    factor = {size: common // (unit * size) if size else 0 for size in sizes}
    bottom = least.numerator * (common // least.denominator)
    values = [part * factor[size] for part, size in zip(parts, wholes, strict=True)]
    if bottom > 0:
        values = [
            bottom if turns and value < bottom else value for value, turns in zip(values, rounds, strict=True)
        ]
    return Column(values, common)


def left_out(params: Params) -> frozenset[RoundStatus]:
    """Return the rounds that carry no weight: byes where the system says so."""
    return BYES if params.get("byes") == IGNORED else NONE


def match_parts(tally: TiebreakerContext, params: Params) -> tuple[list[int], list[int]]:
    """Return points and rounds that count towards a match-win percentage, row by row."""
    skipped_kinds, table = left_out(params), tally.table
    points = table.total_without("points", skipped_kinds) if skipped_kinds else table.scores
    return points, tally.count(COUNTED - skipped_kinds)


def game_parts(tally: TiebreakerContext, params: Params) -> tuple[list[int], list[int]]:
    """Return game points and games for a game-win percentage.

    A win is 3 points, a drawn game 1 or 0.
    """
    skipped_kinds, worth = left_out(params), get_numeric_param(params, "drawn_games", 1)

    def compute() -> tuple[list[int], list[int]]:
        wins, losses, draws = (
            tally.table.total_without(fact, skipped_kinds)
            for fact in ("games_won", "games_lost", "games_drawn")
        )
        points = [3 * number for number in wins]
        return list(map(add, points, draws)) if worth else points, list(
            map(add, map(add, wins, losses), draws)
        )

    return tally.once(("game parts", skipped_kinds, worth), compute)


def match_unit(tally: TiebreakerContext, params: Params) -> int:
    """Return the maximum for the points of a round, in the units of the table."""
    table = tally.table
    return table.scale if params.get("per") == "round" else table.scale_score(table.points.win)


def match_win(tally: TiebreakerContext, params: Params) -> Column:
    """Divide match points by the most that the counted rounds could have brought.

    Alternatively, they are divided by the rounds alone.
    """
    floor, unit = get_numeric_param(params, "floor"), match_unit(tally, params)

    def compute() -> Column:
        points, rounds = match_parts(tally, params)
        return ratio(points, rounds, rounds, unit, floor)

    return tally.once(("match-win", left_out(params), floor, unit), compute)


def game_win(tally: TiebreakerContext, params: Params) -> Column:
    """Divide game points by three times the games played."""
    floor = get_numeric_param(params, "floor")
    key = ("game-win", left_out(params), floor, get_numeric_param(params, "drawn_games", 1))

    def compute() -> Column:
        rounds = tally.count(COUNTED - left_out(params))
        return ratio(*game_parts(tally, params), rounds, 3, floor)

    return tally.once(key, compute)


def opponents_match_win(tally: TiebreakerContext, params: Params) -> Column:
    """Return the mean of the opponents' match-win percentages, each with its floor."""
    return tally.mean_of_opponents(match_win(tally, params))


def opponents_game_win(tally: TiebreakerContext, params: Params) -> Column:
    """Return the mean of the opponents' game-win percentages, each with its floor."""
    return tally.mean_of_opponents(game_win(tally, params))


def opponents_of_opponents(tally: TiebreakerContext, params: Params) -> Column:
    """Return the mean of the opponents' own strength of schedule."""
    return tally.mean_of_opponents(opponents_match_win(tally, params))


def _match_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    table, unit = tally.table, match_unit(tally, params)
    lines = []
    for number, turn in table.list_played(row):
        most = exact_ratio(unit, table.scale)
        lines.append(_own_term(tally, params, row, number, exact_ratio(turn.points[row], table.scale), most))
    return lines


def _game_terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    worth = get_int_param(params, "drawn_games", 1)
    lines = []
    for number, turn in tally.table.list_played(row):
        points = 3 * turn.games_won[row] + worth * turn.games_drawn[row]
        games = turn.games_won[row] + turn.games_lost[row] + turn.games_drawn[row]
        lines.append(_own_term(tally, params, row, number, points, 3 * games))
    return lines


def _own_term(
    tally: TiebreakerContext, params: Params, row: int, number: int, part: Score, most: Score
) -> Term:
    table = tally.table
    turn = table.rounds[number - 1]
    counts = turn.side[row] not in left_out(params)
    note = reason("part_of", part=part, whole=most) if counts else reason("bye_ignored")
    return Term(number, table.opponent_id(turn, row), part, note, counts, most)


def list_terms_of_opponents(
    column: Callable[[TiebreakerContext, Params], Column],
) -> Callable[[TiebreakerContext, Params, int], list[Term]]:
    """Return what lists a player's opponents with their values of a column."""

    def terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
        values = column(tally, params)
        floor = get_numeric_param(params, "floor")
        lines = []
        for number, other in tally.opponents(row):
            value = values.value(other)
            note = reason("floor") if floor and value == floor else None
            lines.append(Term(number, tally.table.ids[other], value, note))
        return lines

    return terms


KINDS = {
    "match_win": TiebreakerKind(
        match_win, _match_terms, name_formula("formula_match_win"), combine="quotient"
    ),
    "opponents_match_win": TiebreakerKind(
        opponents_match_win,
        list_terms_of_opponents(match_win),
        name_formula("formula_opponents_match_win"),
        combine="mean",
    ),
    "opponents_opponents_match_win": TiebreakerKind(
        opponents_of_opponents,
        list_terms_of_opponents(opponents_match_win),
        name_formula("formula_opponents_opponents_match_win"),
        combine="mean",
    ),
    "game_win": TiebreakerKind(game_win, _game_terms, name_formula("formula_game_win"), combine="quotient"),
    "opponents_game_win": TiebreakerKind(
        opponents_game_win,
        list_terms_of_opponents(game_win),
        name_formula("formula_opponents_game_win"),
        combine="mean",
    ),
}
