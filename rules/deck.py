"""Decks, entries and card facts; an unknown fact is `UNKNOWN`.

Nothing here knows a game. A fact that no one has entered is `UNKNOWN`, which is neither false nor zero nor
None; a check must decide what follows from not knowing it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from operator import attrgetter
from typing import Any, Final, Literal, NoReturn

ZONES: Final = ("main", "sideboard", "pregame")
ZONE_WORDS: Final[Mapping[str, str]] = {
    "main": "main deck",
    "sideboard": "sideboard",
    "pregame": "pre-game cards",
    "pool": "card pool",
}


class Unknown(Enum):
    """The type of `UNKNOWN`, so that it can be named in annotations."""

    UNKNOWN = "unknown"

    def __bool__(self) -> NoReturn:
        raise TypeError("An unknown fact is neither true nor false: compare it with `is UNKNOWN`.")

    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN: Final[Literal[Unknown.UNKNOWN]] = Unknown.UNKNOWN


# The number of different cards that one line may stand for if it does not distinguish them, and their names
# if these differ too.
MAY_BE: Final = "may_be"
MAY_BE_NAMED: Final = "may_be_named"


@dataclass(frozen=True, slots=True)
class CardFacts:
    """A card and what is known of it.

    `key` names the card in its catalogue, `name` is its name without rank marks, `attributes` holds the facts
    by the names that the game gives them. `in_catalogue` is false for a card that was written but not found:
    then only the written name is known.
    """

    key: str
    name: str
    attributes: Mapping[str, object] = field(default_factory=dict)
    in_catalogue: bool = True
    # The identity worked out last, behind its lists, so that a card is not named for every deck. One pair, so
    # that threads that share a catalogue never see half of it. Any: `Lists` knows what it keeps there.
    memo: tuple[object, Any] = field(default=(None, None), init=False, repr=False, compare=False)
    # Whether it is one card of a catalogue, as nearly every card is.
    is_known: bool = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "is_known", self.in_catalogue and MAY_BE not in self.attributes)

    def __hash__(self) -> int:
        return hash(self.key)

    @classmethod
    def of(cls, key: str, attributes: Mapping[str, object]) -> CardFacts:
        """Return a card from a catalogue record.

        An attribute given as None counts as not given. The name is the record's `name`, else its `title`,
        else its `printed_name`, else the key.
        """
        given_facts = {name: value for name, value in attributes.items() if value is not None}
        name_fact = next(
            (given_facts[part] for part in ("name", "title", "printed_name") if part in given_facts), key
        )
        return cls(key, " ".join(str(name_fact).split()), given_facts)

    @classmethod
    def of_missing(cls, name: str) -> CardFacts:
        """Return a card that no catalogue holds.

        Everything except the written name is unknown.
        """
        return cls(name, name, {}, in_catalogue=False)

    def get(self, attribute: str) -> object:
        """Return the fact of that name, or `UNKNOWN`."""
        return self.attributes.get(attribute, UNKNOWN)


@dataclass(frozen=True, slots=True)
class Entry:
    """A number of copies of a card.

    `line` is the line of the list that states it, if there is one.
    """

    card: CardFacts
    qty: int
    line: int | None = None


_get_quantity: Callable[[Entry], int] = attrgetter("qty")
_WHOLE = {int}


@dataclass(frozen=True, slots=True)
class Deck:
    """A registered or presented list.

    `pool` is what a limited deck was built from, None if it was not recorded. `options` are the declarations
    that come with a list (`declared_character`, `diversity`, `gem_assignment`, …). Lines of its file that
    could not be read are under `unread`, as records with `line` and `why`.
    """

    game: str
    main: tuple[Entry, ...]
    sideboard: tuple[Entry, ...] = ()
    pregame: tuple[Entry, ...] = ()
    pool: tuple[Entry, ...] | None = None
    options: Mapping[str, object] = field(default_factory=dict)
    # Where `Lists.identified` and others keep what they worked out for this deck. Any: what is kept there is
    # known to those who keep it.
    memo: dict[tuple[object, ...], Any] = field(default_factory=dict, init=False, repr=False, compare=False)
    # Whether each line has a quantity of one or more, as in nearly every list.
    every_line_counts: bool = field(init=False, repr=False, compare=False)
    _entries_by_zone: dict[str, tuple[Entry, ...]] = field(init=False, repr=False, compare=False)
    _sizes: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        zones = {"main": self.main, "sideboard": self.sideboard, "pregame": self.pregame}
        zones["pool"] = self.pool or ()
        every_line_counts, sizes = True, {}
        for zone, entries in zones.items():
            quantities = list(map(_get_quantity, entries)) if entries else []
            if quantities and (set(map(type, quantities)) != _WHOLE or min(quantities) <= 0):
                every_line_counts = False
                zones[zone] = tuple([e for e in entries if type(e.qty) is int and e.qty > 0])
                quantities = list(map(_get_quantity, zones[zone]))
            sizes[zone] = sum(quantities)
        object.__setattr__(self, "_entries_by_zone", zones)
        object.__setattr__(self, "_sizes", sizes)
        object.__setattr__(self, "every_line_counts", every_line_counts)

    def zone(self, name: str) -> tuple[Entry, ...]:
        """Return the entries of a zone whose quantity is a positive whole number."""
        return self._entries_by_zone[name]

    def size(self, name: str) -> int:
        """Return how many cards are in a zone, as far as its quantities can be read."""
        return self._sizes[name]

    def entries(self, zones: Iterable[str] = ZONES) -> Iterator[tuple[str, Entry]]:
        """Yield every readable entry of the zones, each with the name of its zone."""
        for zone in zones:
            for entry in self._entries_by_zone[zone]:
                yield zone, entry

    def unreadable(self, zones: Iterable[str] = ZONES) -> tuple[tuple[str, Entry], ...]:
        """Return entries whose quantity is not a whole number of zero or more.

        Each is returned with its zone.
        """
        if self.every_line_counts:
            return ()
        return tuple(
            (zone, entry)
            for zone in zones
            for entry in getattr(self, zone) or ()
            if type(entry.qty) is not int or entry.qty < 0
        )

    def with_zones(self, zones: Mapping[str, Iterable[Entry]]) -> Deck:
        """Return the same deck with some zones replaced."""
        # Any: fields by name, whose types no one can tell apart.
        changes: dict[str, Any] = {name: tuple(entries) for name, entries in zones.items()}
        return replace(self, **changes)
