"""Groups of four by double elimination.

The module says who meets whom, who has qualified, and the order in a group.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournament.engine.brackets.groups_of_four import GroupState, Meeting, play_group
from tournament.events.models.event import Stage
from tournament.events.models.round import Match, Round
from tournament.events.selectors import count_rounds_before
from tournament.standings.selectors.standings import StandingsLine

WINNING_SIDES = {Match.Outcome.P1: 0, Match.Outcome.P2: 1}


def load_elimination_groups(stage: Stage, *, before_round: int | None = None) -> dict[int, GroupState]:
    """Return the groups by number, after the published rounds or those before one.

    Four queries.
    """
    members: dict[int, list[int]] = {}
    for player, group in stage.entrants.order_by("seed").values_list("player_id", "group"):
        members.setdefault(group, []).append(player)
    published_rounds = Round.objects.filter(stage=stage).exclude(state=Round.State.DRAFT)
    if before_round is not None:
        published_rounds = published_rounds.filter(number__lt=before_round)
    rounds = list(published_rounds.values_list("pk", "number"))
    results = _load_results(dict(rounds), count_rounds_before(stage))
    return {number: play_group(members[number], results, len(rounds)) for number in sorted(members)}


def _load_results(rounds: dict[int, int], before: int) -> dict[Meeting, int | None]:
    """Return the winner of each match, by its round in the stage and players.

    It is None while the match is open.
    """
    matches = Match.objects.filter(round_id__in=rounds, p2__isnull=False)
    results: dict[Meeting, int | None] = {}
    for round_id, one, two, outcome in matches.values_list("round_id", "p1_id", "p2_id", "outcome"):
        side = WINNING_SIDES.get(Match.Outcome(outcome)) if outcome else None
        winner = None if side is None else (one, two)[side]
        results[rounds[round_id] - before, frozenset({one, two or 0})] = winner
    return results


def order_group(group: GroupState, lines: Sequence[StandingsLine]) -> tuple[StandingsLine, ...]:
    """Return the lines of a group with the places that its matches decide.

    Before that, they are in the order of the standings.
    """
    ordered_lines = sorted(lines, key=lambda line: group.get_record(line.player.pk))
    return tuple(
        StandingsLine(line.row._replace(rank=rank, is_shared=False), line.player, line.tiebreakers)
        for rank, line in enumerate(ordered_lines, 1)
    )
