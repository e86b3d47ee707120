"""A deck laid out for the checks, once for all: endurance, pre-game cards by type, and whose deck it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from weakref import WeakKeyDictionary

from rules.deck import Deck, Entry
from rules.lists import Lists

from .tally import Seat, Tally
from .view import Reader, View

__all__ = ["Seat", "Table", "table"]

_readers: WeakKeyDictionary[Lists, Reader] = WeakKeyDictionary()


@dataclass
class Table:
    """`main` and `pregame` in the order of the list; `reader` knows factions and weapons.

    `untyped` are pre-game cards whose type is not known: each could be anything. `kept` is for what checks
    share.
    """

    reader: Reader
    deck: Deck
    main: list[Seat]
    pregame: list[Seat]
    personas: list[Seat] = field(default_factory=list)
    weapons: list[Seat] = field(default_factory=list)
    crystals: list[Seat] = field(default_factory=list)
    quickenings: list[Seat] = field(default_factory=list)
    watchers: list[Seat] = field(default_factory=list)
    hunters: list[Seat] = field(default_factory=list)
    untyped: list[Seat] = field(default_factory=list)
    kept: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for seat in self.pregame:
            kinds = seat[1].kinds
            if kinds is None:
                self.untyped.append(seat)
                continue
            for kind, place in _PLACES:
                if kind in kinds:
                    getattr(self, place).append(seat)

    def everything(self) -> Iterator[tuple[str, Entry, View]]:
        """Every card with its zone, the endurance first."""
        for entry, view in self.main:
            yield "main", entry, view
        for entry, view in self.pregame:
            yield "pregame", entry, view

    @cached_property
    def persona_names(self) -> frozenset[str]:
        """The names of the personas, as they are compared."""
        return frozenset(view.title for _, view in self.personas)

    @cached_property
    def factions(self) -> frozenset[str]:
        """The factions of which a persona is a member."""
        members = self.reader.factions.items()
        return frozenset(name for name, held in members if held & self.persona_names)

    @cached_property
    def weapon_names(self) -> frozenset[str]:
        """The names of the weapons of choice."""
        return frozenset(view.title for _, view in self.weapons)

    @cached_property
    def tally(self) -> Tally:
        """What is counted of the endurance."""
        return Tally(self.main)

    @cached_property
    def editions(self) -> frozenset[int | None]:
        """The editions of all cards, None for one that is not known."""
        return frozenset({*self.tally.editions, *(view.edition for _, view in self.pregame)})

    @cached_property
    def allowing(self) -> list[View]:
        """Every card that lets others in, or may do so."""
        pregame = (view for _, view in self.pregame if view.allowance is None or view.allowance)
        return [*(view for _, view in self.tally.allowing), *pregame]


_PLACES = (
    ("persona", "personas"),
    ("weapon of choice", "weapons"),
    ("weapon", "weapons"),
    ("crystal", "crystals"),
    ("quickening", "quickenings"),
    ("watcher", "watchers"),
    ("hunter", "hunters"),
)


def table(deck: Deck, lists: Lists) -> Table:
    """The deck laid out under the lists in force."""
    place = (lists, "highlander")
    kept = deck.memo.get(place)
    if kept is not None:
        laid = kept[0][1]
        if isinstance(laid, Table):
            return laid
    reader = _readers.get(lists)
    if reader is None:
        reader = _readers[lists] = Reader(lists)
    view = reader.view
    made = Table(
        reader,
        deck,
        [(entry, view(entry.card)) for entry in deck.zone("main")],
        [(entry, view(entry.card)) for entry in deck.zone("pregame")],
    )
    if made.deck.zone("main") or made.deck.zone("pregame"):
        first = (*deck.zone("main"), *deck.zone("pregame"))[0]
        deck.memo[place] = [(first, made)]
    return made
