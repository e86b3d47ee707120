"""Rank a league by points for places; match registrations to persons.

The documents of the games do not mention leagues. The points, the mean for shared places and the order of
equals are our defaults.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Generic, TypeVar

Person = TypeVar("Person", bound=Hashable)

Points = int | Fraction


@dataclass(frozen=True, slots=True)
class PointsTable:
    """Points for places.

    `spans` holds first place, last place and points each. `others` is for all other places.
    """

    spans: tuple[tuple[int, int, int], ...]
    others: int = 0

    def of_place(self, place: int) -> int:
        """Return the points of one place."""
        return next((points for first, last, points in self.spans if first <= place <= last), self.others)


DEFAULT_POINTS = PointsTable(
    ((1, 1, 20), (2, 2, 16), (3, 3, 13), (4, 4, 11), (5, 8, 8), (9, 16, 5)), others=2
)


def compute_points(table: PointsTable, place: int, sharing: int = 1) -> Points:
    """Return the points of a place that a number of players share.

    Each gets the mean of the places they take.

    >>> compute_points(DEFAULT_POINTS, 3, sharing=2)
    12
    """
    total = Fraction(sum(table.of_place(place + n) for n in range(sharing)), sharing)
    return total.numerator if total.denominator == 1 else total


@dataclass(frozen=True, slots=True)
class EventResult:
    """The result of a person in one event.

    `counts` says whether it is among the best that are added up.
    """

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
    results: tuple[EventResult, ...]
    is_shared: bool = False


def rank_league(
    results: Mapping[Person, Sequence[EventResult]], best_of: int | None = None
) -> list[LeagueRow[Person]]:
    """Return everyone by the sum of the best `best_of` results.

    None means all results. Then the best single result decides, and so on. Players equal in all of these
    share a rank.
    """
    results_by_person = {person: _mark_counted(each, best_of) for person, each in results.items()}
    keys = {person: _key(each) for person, each in results_by_person.items()}
    ordered_people = sorted(results_by_person, key=lambda person: keys[person], reverse=True)
    rows: list[LeagueRow[Person]] = []
    for key, same in groupby(ordered_people, key=lambda person: keys[person]):
        people, rank = list(same), len(rows) + 1
        rows += [LeagueRow(rank, each, key[0], results_by_person[each], len(people) > 1) for each in people]
    return rows


def _mark_counted(results: Sequence[EventResult], best_of: int | None) -> tuple[EventResult, ...]:
    """Return the results in the given order, each marked as counted or not.

    Of two equal results, the earlier counts.
    """
    ranked_results = sorted(range(len(results)), key=lambda n: (-results[n].points, n))
    best = set(ranked_results[:best_of])
    return tuple(
        EventResult(each.event, each.place, each.points, n in best) for n, each in enumerate(results)
    )


def _key(results: Sequence[EventResult]) -> tuple[Points, tuple[Points, ...]]:
    best = sorted((each.points for each in results if each.counts), reverse=True)
    return sum(best), tuple(best)


@dataclass(frozen=True, slots=True)
class LeagueRegistration:
    """One player of one event."""

    id: int
    event: int
    name: str
    email: str = ""


@dataclass(frozen=True, slots=True)
class PersonGroups:
    """`groups` holds the ids of each person's registrations, in the order they came.

    `namesakes` holds those of equal names whom nothing says to be one person or two.
    """

    groups: tuple[tuple[int, ...], ...]
    namesakes: tuple[tuple[int, ...], ...]


def fold_name(name: str) -> str:
    """Return a name without case, accents and doubled spaces."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


def group_registrations(
    registrations: Sequence[LeagueRegistration], same: Iterable[tuple[int, int]] = ()
) -> PersonGroups:
    """Return who is who. One address is one person.

    A registration without address joins those of its name where that leaves no doubt: not where two people
    of that name have addresses, or played the same event.
    """
    sets = _Sets(registration.id for registration in registrations)
    registration_ids = {registration.id for registration in registrations}
    for one, two in same:
        if one in registration_ids and two in registration_ids:
            sets.join(one, two)
    by_mail: dict[str, int] = {}
    by_name: dict[str, list[LeagueRegistration]] = defaultdict(list)
    for each in registrations:
        if each.email:
            sets.join(each.id, by_mail.setdefault(each.email.casefold(), each.id))
        by_name[fold_name(each.name)].append(each)
    for bearers in by_name.values():
        if _are_one(bearers, sets):
            for each in bearers[1:]:
                sets.join(each.id, bearers[0].id)
    doubtful = [b for b in by_name.values() if len({sets.root(each.id) for each in b}) > 1]
    return PersonGroups(sets.groups(), tuple(tuple(each.id for each in bearers) for bearers in doubtful))


def _are_one(bearers: Sequence[LeagueRegistration], sets: _Sets) -> bool:
    """Return whether a common name joins these.

    At most one has an address, and no one plays an event twice.
    """
    addressed_people = {sets.root(each.id) for each in bearers if each.email}
    persons: dict[int, set[int]] = defaultdict(set)
    for each in bearers:
        persons[sets.root(each.id)].add(each.event)
    events = [event for event_keys in persons.values() for event in event_keys]
    return len(addressed_people) <= 1 and len(events) == len(set(events))


class _Sets:
    """Disjoint sets of ids; the id that came first represents its set."""

    def __init__(self, ids: Iterable[int]) -> None:
        self._order = {each: place for place, each in enumerate(ids)}
        self._parent = {each: each for each in self._order}

    def root(self, each: int) -> int:
        """Return the id that represents the set."""
        while self._parent[each] != each:
            self._parent[each] = self._parent[self._parent[each]]
            each = self._parent[each]
        return each

    def join(self, one: int, two: int) -> None:
        """Make two sets one."""
        first, second = sorted((self.root(one), self.root(two)), key=self._order.__getitem__)
        self._parent[second] = first

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Return every set, by its first id."""
        groups: dict[int, list[int]] = {}
        for each in self._order:
            groups.setdefault(self.root(each), []).append(each)
        return tuple(tuple(ids) for ids in groups.values())
