"""A league's table: points by place in each event, the best results counted, exact throughout.

No document of the games speaks of leagues. The points, the mean for shared places and the order of equals
are our defaults.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Generic, TypeVar

Person = TypeVar("Person", bound=Hashable)
Points = int | Fraction


@dataclass(frozen=True, slots=True)
class PointsTable:
    """Points for places: `spans` of first place, last place and points each, and for all `others`."""

    spans: tuple[tuple[int, int, int], ...]
    others: int = 0

    def of_place(self, place: int) -> int:
        """The points of one place."""
        return next((points for first, last, points in self.spans if first <= place <= last), self.others)


DEFAULT = PointsTable(((1, 1, 20), (2, 2, 16), (3, 3, 13), (4, 4, 11), (5, 8, 8), (9, 16, 5)), others=2)


def points_for(table: PointsTable, place: int, sharing: int = 1) -> Points:
    """The points of a place that so many players share: each gets the mean of the places they take.

    >>> points_for(DEFAULT, 3, sharing=2)
    12
    """
    total = Fraction(sum(table.of_place(place + n) for n in range(sharing)), sharing)
    return total.numerator if total.denominator == 1 else total


@dataclass(frozen=True, slots=True)
class Result:
    """What a person reached in one event; `counts` says whether it is among the best that are added up."""

    event: int
    place: int
    points: Points
    counts: bool = True


@dataclass(frozen=True, slots=True)
class LeagueRow(Generic[Person]):
    """One person's line: shared ranks have one number."""

    rank: int
    person: Person
    points: Points
    results: tuple[Result, ...]
    is_shared: bool = False


def table(results: Mapping[Person, Sequence[Result]], best_of: int | None = None) -> list[LeagueRow[Person]]:
    """Everybody by the sum of the best `best_of` results (None: all), then by the best single one, and so on.

    Whoever is equal in all of these shares a rank.
    """
    counted = {person: _counted(each, best_of) for person, each in results.items()}
    keys = {person: _key(each) for person, each in counted.items()}
    ordered = sorted(counted, key=lambda person: keys[person], reverse=True)
    rows: list[LeagueRow[Person]] = []
    for key, same in groupby(ordered, key=lambda person: keys[person]):
        people, rank = list(same), len(rows) + 1
        rows += [LeagueRow(rank, each, key[0], counted[each], len(people) > 1) for each in people]
    return rows


def _counted(results: Sequence[Result], best_of: int | None) -> tuple[Result, ...]:
    """The results as they came, each marked; of two equal ones the earlier counts."""
    ranked = sorted(range(len(results)), key=lambda n: (-results[n].points, n))
    best = set(ranked[:best_of])
    return tuple(Result(each.event, each.place, each.points, n in best) for n, each in enumerate(results))


def _key(results: Sequence[Result]) -> tuple[Points, tuple[Points, ...]]:
    best = sorted((each.points for each in results if each.counts), reverse=True)
    return sum(best), tuple(best)
