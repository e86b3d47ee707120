"""Round robin: everyone meets everyone once.

Holds the Berger tables, for one group or several side by side. The schedule is the one of the FIDE Handbook
(C.05, annex 1). With an odd number the last place stays empty, and the player who would meet it rests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournament.engine.pairing.model import SCHEDULED, PairingError, PairingTable
from tournament.engine.problems import problem, refer_to_players
from tournament.engine.records import PlayerId
from tournament.engine.seeded_random import SeededRandom


@dataclass(frozen=True, slots=True)
class RobinRound:
    """One round of all groups.

    Holds its tables (`p1` is named first in the schedule) and those who rest.
    """

    number: int
    tables: tuple[PairingTable, ...]
    resting_players: tuple[PlayerId, ...] = ()


def berger_table(size: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the Berger table of `size` places (from 1): the pairs of each round.

    An odd size leaves one place over a round.

    >>> berger_table(4)
    (((1, 4), (2, 3)), ((4, 3), (1, 2)), ((2, 4), (3, 1)))
    """
    if size < 2:
        return ()
    last = size + size % 2
    table = tuple(_berger_round(last, round_index) for round_index in range(last - 1))
    if size % 2:
        return tuple(tuple(pair for pair in pairs if last not in pair) for pairs in table)
    return table


def _berger_round(last: int, round_index: int) -> tuple[tuple[int, int], ...]:
    """Return round `at` (from 0).

    One place meets the last, and those equally far from it on the ring meet each other.
    """
    ring = last - 1
    middle = round_index * (last // 2) % ring
    opening = (middle + 1, last) if round_index % 2 == 0 else (last, middle + 1)
    others = (((middle + k) % ring + 1, (middle - k) % ring + 1) for k in range(1, last // 2))
    return (opening, *others)


def round_robin(
    groups: Sequence[Sequence[PlayerId]], *, seed: int | None = None, double: bool = False
) -> tuple[RobinRound, ...]:
    """Return the whole schedule of one or more groups that play at the same time.

    Each group lists its players by their number in the table; with a `seed` the numbers are random.
    `double` adds the same rounds again with sides changed. Groups of different sizes end when their own
    rounds are played. Raises PairingError for an empty group and for a player who occurs twice.
    """
    _refuse_bad_groups(groups)
    numbered_groups = [list(group) for group in groups]
    if seed is not None:
        chance = SeededRandom(seed, "round robin")
        for group in numbered_groups:
            chance.shuffle(group)
    schedules = [_schedule(group, double) for group in numbered_groups]
    return tuple(
        _round(round_index, numbered_groups, schedules)
        for round_index in range(max((len(rounds) for rounds in schedules), default=0))
    )


def _schedule(group: Sequence[PlayerId], double: bool) -> list[list[tuple[PlayerId, PlayerId]]]:
    once = [[(group[a - 1], group[b - 1]) for a, b in pairs] for pairs in berger_table(len(group))]
    return once + [[(b, a) for a, b in pairs] for pairs in once] if double else once


def _round(
    round_index: int,
    groups: Sequence[Sequence[PlayerId]],
    schedules: Sequence[Sequence[Sequence[tuple[PlayerId, PlayerId]]]],
) -> RobinRound:
    pairs = [pair for rounds in schedules if round_index < len(rounds) for pair in rounds[round_index]]
    paired_players = {player for pair in pairs for player in pair}
    unfinished_groups = [
        group for group, rounds in zip(groups, schedules, strict=True) if round_index < len(rounds)
    ]
    return RobinRound(
        number=round_index + 1,
        tables=tuple(PairingTable(number, a, b, note=SCHEDULED) for number, (a, b) in enumerate(pairs, 1)),
        resting_players=tuple(
            player for group in unfinished_groups for player in group if player not in paired_players
        ),
    )


def split_into_groups(
    players: Sequence[PlayerId], count: int, *, seed: int | None = None
) -> tuple[tuple[PlayerId, ...], ...]:
    """Share out players, best seed first, over `count` groups as a snake.

    With a `seed` each turn of it is random.

    >>> split_into_groups([1, 2, 3, 4, 5, 6], 2)
    ((1, 4, 5), (2, 3, 6))
    """
    if not 1 <= count <= len(players):
        raise PairingError([problem("group-count", players=len(players), groups=count)])
    groups: list[list[PlayerId]] = [[] for _ in range(count)]
    chance = SeededRandom(seed, "groups") if seed is not None else None
    for turn, start in enumerate(range(0, len(players), count)):
        order = list(range(count)) if turn % 2 == 0 else list(range(count))[::-1]
        if chance is not None:
            chance.shuffle(order)
        for round_index, player in zip(order, players[start : start + count], strict=False):
            groups[round_index].append(player)
    return tuple(tuple(group) for group in groups)


def _refuse_bad_groups(groups: Sequence[Sequence[PlayerId]]) -> None:
    problems = [
        problem("group-empty", group=round_index) for round_index, group in enumerate(groups, 1) if not group
    ]
    everybody = [player for group in groups for player in group]
    twice = sorted({player for player in everybody if everybody.count(player) > 1})
    if twice:
        problems.append(problem("listed-twice", players=refer_to_players(twice)))
    if not groups:
        problems.append(problem("groups-missing"))
    if problems:
        raise PairingError(problems)
