"""Groups of three or four by double elimination: two of each qualify, after two wins or one defeat."""

from __future__ import annotations

from dataclasses import dataclass

from rules.text import truncate
from tournament.engine.brackets.layout import MOST_ENTRANTS, Bracket, Seed, build_bracket
from tournament.engine.problems import make_error

GROUP_SIZE = 4
QUALIFIERS = 2


@dataclass(frozen=True, slots=True)
class EliminationGroup:
    """One group: its bracket counts by places in the group, and `seeds` are those of the whole field."""

    number: int
    seeds: tuple[Seed, ...]
    bracket: Bracket


def build_elimination_groups(entrants: int) -> tuple[EliminationGroup, ...]:
    """Groups for a number of entrants: the best seeds in different ones, the next best in reverse order.

    Raises EngineError for a number that fills no groups of three or four, and for more than 4,096.

    >>> [group.seeds for group in build_elimination_groups(8)]
    [(1, 4, 5, 8), (2, 3, 6, 7)]
    """
    count = -(-entrants // GROUP_SIZE)
    if entrants > MOST_ENTRANTS:
        raise make_error("bracket-size", most=MOST_ENTRANTS, entrants=truncate(entrants))
    if entrants < 3 * count or entrants < 3:
        raise make_error("bracket-groups", entrants=truncate(entrants))
    members: list[list[Seed]] = [[] for _ in range(count)]
    for at in range(entrants):
        row, place = divmod(at, count)
        members[place if row % 2 == 0 else count - 1 - place].append(at + 1)
    return tuple(
        EliminationGroup(number, tuple(seeds), build_bracket("group", len(seeds)))
        for number, seeds in enumerate(members, 1)
    )
