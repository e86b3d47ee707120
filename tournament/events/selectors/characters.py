"""Declared characters as players type them, brought to one spelling each.

The document compares them without case and without dots (UFS 100.5.1). That accents, hyphens and spaces count
for nothing either is ours: whoever types “chun li” means Chun-Li.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from functools import partial

from decks.catalogue.models.cards import Card
from rules.cuts import character_key
from rules.names import without_rank
from tournament.events.models.event import Event
from tournament.shared.name_folding import fold

TYPE = "character"


def same_character(one: str, two: str) -> bool:
    """Whether two names say the same character, however they are typed."""
    return _folded(one) == _folded(two)


def spellings(event: Event, declared: Iterable[str]) -> Mapping[str, str]:
    """Each declared name with the spelling of its character: the catalogue's, else the one most used.

    One query, where a character is spelled in more than one way; none else. Names that the catalogue tells
    apart, such as those that differ by an accent only, stay apart.
    """
    counted = Counter(filter(None, declared))
    groups: dict[str, list[str]] = defaultdict(list)
    for name in counted:
        groups[_folded(name)].append(name)
    several = any(len(group) > 1 for group in groups.values())
    known = _in_catalogue(event, groups.keys()) if several else {}
    return {
        name: spelled
        for folded, group in groups.items()
        for name, spelled in _spelled(group, known.get(folded, frozenset()), counted)
    }


def _folded(name: str) -> str:
    return fold(_plain(name))


def _plain(name: str) -> str:
    """A name without dots and needless spaces."""
    return without_rank(" ".join(name.split()))[0]


def _in_catalogue(event: Event, folded: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """The names of characters in the game's catalogue, by how they compare; of those asked for."""
    wanted, found = set(folded), defaultdict(set)
    names = Card.objects.filter(game=event.game, attributes__type__iexact=TYPE)
    for name in names.values_list("name", flat=True).distinct():
        plain = _plain(name)
        if (key := fold(plain)) in wanted:
            found[key].add(plain)
    return {key: frozenset(each) for key, each in found.items()}


def _spelled(group: list[str], known: frozenset[str], counted: Counter[str]) -> Iterable[tuple[str, str]]:
    """The names of one group with their spelling."""
    if len(group) == 1:
        return [(group[0], " ".join(group[0].split()))]
    exact = {character_key(name): name for name in sorted(known, reverse=True)}
    if len(exact) < 2:
        best = next(iter(exact.values()), None) or _plain(max(group, key=partial(_rank, counted)))
        return [(name, best) for name in group]
    return [(name, exact.get(character_key(name), name)) for name in group]


def _rank(counted: Counter[str], name: str) -> tuple[int, bool, bool, str]:
    """The most used goes first, then what is written as names are: capitals and small letters."""
    return counted[name], not name.isupper(), name[:1].isupper(), name
