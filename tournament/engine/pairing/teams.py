"""Teams against teams: the teams are paired like players, then their members sit down board by board.

Where the members of teams play an ordinary event and only must not meet their own, `pair_round` with
`own_group_forbidden` is what is wanted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from tournament.engine.pairing.floats import FloatCost, squared
from tournament.engine.pairing.history import History
from tournament.engine.pairing.records import Entrant, Pairing, PairingError
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.records import PlayerId

TeamId = int


@dataclass(frozen=True, slots=True)
class Board:
    """One board of a match between teams; a missing player (None) loses it without play."""

    table: int
    board: int
    p1: PlayerId | None
    p2: PlayerId | None


@dataclass(frozen=True, slots=True)
class TeamRound:
    """The pairing of the teams (its ids are teams), the boards of every match, and who rests."""

    pairing: Pairing
    boards: tuple[Board, ...]
    resting: tuple[PlayerId, ...] = ()


def pair_teams(
    teams: Sequence[Entrant],
    line_ups: Mapping[TeamId, Sequence[PlayerId]],
    met: History | Iterable[tuple[TeamId, TeamId]],
    *,
    seed: int,
    rounds_left: int | None = None,
    float_cost: FloatCost = squared,
    forbidden: Iterable[tuple[TeamId, TeamId]] = (),
) -> TeamRound:
    """Pair `teams` for one round, and their members by the order of their line-ups.

    Nobody meets a member of his own team. Raises PairingError where a team has no line-up or a player
    stands in two, and as `pair_round` does.
    """
    _refuse_bad_line_ups(teams, line_ups)
    pairing = pair_round(
        teams, met, seed=seed, rounds_left=rounds_left, float_cost=float_cost, forbidden=forbidden
    )
    boards = tuple(
        Board(table.number, number, a, b)
        for table in pairing.tables
        for number, (a, b) in enumerate(zip_longest(line_ups[table.p1], line_ups[table.p2]), 1)
    )
    return TeamRound(pairing, boards, () if pairing.bye is None else tuple(line_ups[pairing.bye]))


def everybody_against_everybody(
    ours: Sequence[PlayerId], theirs: Sequence[PlayerId]
) -> tuple[tuple[Board, ...], ...]:
    """All rounds of a match in which each member of one team meets each member of the other once.

    In every round each member moves on to the next opponent; sides change from round to round. The shorter
    team is filled up with missing players.
    """
    size = max(len(ours), len(theirs))
    first = [*ours, *[None] * (size - len(ours))]
    second = [*theirs, *[None] * (size - len(theirs))]
    return tuple(
        tuple(
            _board(number, first[number - 1], second[(number - 1 + at) % size], at % 2 == 1)
            for number in range(1, size + 1)
        )
        for at in range(size)
    )


def _board(number: int, ours: PlayerId | None, theirs: PlayerId | None, changed: bool) -> Board:
    return Board(1, number, theirs, ours) if changed else Board(1, number, ours, theirs)


def _refuse_bad_line_ups(teams: Sequence[Entrant], line_ups: Mapping[TeamId, Sequence[PlayerId]]) -> None:
    problems = [
        f"Team {team.id} has nobody in its line-up; name at least one player."
        for team in teams
        if not line_ups.get(team.id)
    ]
    teams_of: dict[PlayerId, list[TeamId]] = {}
    for team in teams:
        for player in line_ups.get(team.id, ()):
            teams_of.setdefault(player, []).append(team.id)
    for player, listed in sorted(teams_of.items()):
        if len(listed) > 1:
            places = ", ".join(map(str, listed))
            problems.append(f"Player {player} stands more than once in the line-ups (teams {places}).")
    if problems:
        raise PairingError(problems)
