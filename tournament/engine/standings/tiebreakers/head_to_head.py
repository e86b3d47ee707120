"""Head to head (FIDE C.07 6).

Players level on everything before are ordered by the matches among themselves. If all of them have met, their
scores against each other decide, and again among those still level. Where some have not, only a player who
would be ahead whatever the missing matches had brought is placed first, then the next in the same way.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction

from rules.reason import reason
from tournament.engine.standings.scoring import RoundStatus
from tournament.engine.standings.tiebreakers.base import (
    Column,
    Term,
    TiebreakerContext,
    TiebreakerKind,
    exact_ratio,
    name_formula,
)
from tournament.engine.standings.tiebreakers.parameters import Params

Group = Sequence[int]


def head_to_head(tally: TiebreakerContext, params: Params) -> Column:
    """Count for each player how many of those tied with them they are ahead of."""
    behind = [0] * len(tally.table.ids)
    for group in tally.groups:
        open_count = len(group)
        for tier in rank_in_tiers(tally, group):
            open_count -= len(tier)
            for row in tier:
                behind[row] = open_count
    return Column(behind)


def rank_in_tiers(tally: TiebreakerContext, group: Group) -> list[list[int]]:
    """Return the group from best to worst; players in one tier stay level."""
    if len(group) < 2:
        return [list(group)]
    scores, unmet_counts = _among(tally, group)
    split = (
        _peel(tally, group, scores, unmet_counts) if any(unmet_counts.values()) else _by_score(group, scores)
    )
    if len(split) == 1:
        return split
    return [tier for part in split for tier in rank_in_tiers(tally, part)]


def _among(tally: TiebreakerContext, group: Group) -> tuple[dict[int, Fraction], dict[int, int]]:
    """Return scores against the group, and how many of it each has not met.

    Where two met again, the mean counts.
    """
    members, table = set(group), tally.table
    scores, unmet_counts = {}, {}
    for row in group:
        results: defaultdict[int, list[int]] = defaultdict(list)
        for turn in table.rounds:
            if turn.opponent[row] in members and turn.side[row] == RoundStatus.PLAYED:
                results[turn.opponent[row]].append(turn.points[row])
        scores[row] = sum(
            (Fraction(sum(opponents), len(opponents)) for opponents in results.values()), Fraction(0)
        )
        unmet_counts[row] = len(members) - 1 - len(results)
    return scores, unmet_counts


def _by_score(group: Group, scores: dict[int, Fraction]) -> list[list[int]]:
    by_score: defaultdict[Fraction, list[int]] = defaultdict(list)
    for row in group:
        by_score[scores[row]].append(row)
    return [by_score[score] for score in sorted(by_score, reverse=True)]


def _peel(
    tally: TiebreakerContext, group: Group, scores: dict[int, Fraction], unmet_counts: dict[int, int]
) -> list[list[int]]:
    win = tally.table.scale_score(tally.table.points.win)
    best = {row: scores[row] + win * unmet_counts[row] for row in group}
    rest = sorted(group, key=lambda row: -scores[row])
    placed_players = []
    while len(rest) > 1 and scores[rest[0]] > max(best[row] for row in rest[1:]):
        placed_players.append([rest.pop(0)])
    return [*placed_players, sorted(rest)]


def _terms(tally: TiebreakerContext, params: Params, row: int) -> list[Term]:
    group = next((group for group in tally.groups if row in group), ())
    table = tally.table
    lines = [
        Term(
            number,
            table.ids[other],
            exact_ratio(table.rounds[number - 1].points[row], table.scale),
            is_counted=False,
        )
        for number, other in tally.opponents(row)
        if other in group
    ]
    value = head_to_head(tally, params).value(row)
    level_count = max(len(group) - 1, 0)
    return [*lines, Term(None, None, value, reason("players_level", count=level_count))]


KINDS = {
    "head_to_head": TiebreakerKind(
        head_to_head,
        _terms,
        name_formula("formula_head_to_head"),
    ),
}
