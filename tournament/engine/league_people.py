"""Which registrations of a league are one person: by e-mail, by name, or by the organizer's word."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Registration:
    """One player of one event."""

    id: int
    event: int
    name: str
    email: str = ""


@dataclass(frozen=True, slots=True)
class People:
    """`groups` holds the ids of each person's registrations, in the order they came.

    `namesakes` holds those of equal names whom nothing says to be one person or two.
    """

    groups: tuple[tuple[int, ...], ...]
    namesakes: tuple[tuple[int, ...], ...]


def folded(name: str) -> str:
    """A name without case, accents and doubled spaces."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


def people(registrations: Sequence[Registration], same: Iterable[tuple[int, int]] = ()) -> People:
    """Who is who. One address is one person.

    A registration without address joins those of its name where that leaves no doubt: not where two people
    of that name have addresses, or played the same event.
    """
    sets = _Sets(registration.id for registration in registrations)
    known = {registration.id for registration in registrations}
    for one, two in same:
        if one in known and two in known:
            sets.join(one, two)
    by_mail: dict[str, int] = {}
    by_name: dict[str, list[Registration]] = defaultdict(list)
    for each in registrations:
        if each.email:
            sets.join(each.id, by_mail.setdefault(each.email.casefold(), each.id))
        by_name[folded(each.name)].append(each)
    for bearers in by_name.values():
        if _are_one(bearers, sets):
            for each in bearers[1:]:
                sets.join(each.id, bearers[0].id)
    doubtful = [b for b in by_name.values() if len({sets.root(each.id) for each in b}) > 1]
    return People(sets.groups(), tuple(tuple(each.id for each in bearers) for bearers in doubtful))


def _are_one(bearers: Sequence[Registration], sets: _Sets) -> bool:
    """Whether a common name joins these: at most one has an address, and nobody plays an event twice."""
    addressed = {sets.root(each.id) for each in bearers if each.email}
    persons: dict[int, set[int]] = defaultdict(set)
    for each in bearers:
        persons[sets.root(each.id)].add(each.event)
    events = [event for played in persons.values() for event in played]
    return len(addressed) <= 1 and len(events) == len(set(events))


class _Sets:
    """Disjoint sets of ids; the id that came first stands for its set."""

    def __init__(self, ids: Iterable[int]) -> None:
        self._order = {each: place for place, each in enumerate(ids)}
        self._up = {each: each for each in self._order}

    def root(self, each: int) -> int:
        """The id that stands for the set."""
        while self._up[each] != each:
            self._up[each] = self._up[self._up[each]]
            each = self._up[each]
        return each

    def join(self, one: int, two: int) -> None:
        """Make two sets one."""
        first, second = sorted((self.root(one), self.root(two)), key=self._order.__getitem__)
        self._up[second] = first

    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Every set, by its first id."""
        found: dict[int, list[int]] = {}
        for each in self._order:
            found.setdefault(self.root(each), []).append(each)
        return tuple(tuple(ids) for ids in found.values())
