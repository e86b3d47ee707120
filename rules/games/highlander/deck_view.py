"""Normalized view of a deck, shared by all Highlander checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from weakref import WeakKeyDictionary

from rules.deck import Deck, Entry
from rules.games.highlander.card_view import CardReader, CardView
from rules.lists import Lists
from rules.rule import Rule

ViewedEntry = tuple[Entry, CardView]


class DeckCounts:
    """Counts of the endurance, and the cards that some check must look at.

    The counts are size, editions, slots, gems and titles. `by_title` holds the cards by their own title;
    `titles` counts cards for every title they have. `owned_cards` are those that are not known to be generic,
    `masters` the Master cards, `errata_cards` those with errata. In `grouped_cards` and `allowing_cards` are
    also the cards of which groups or allowance are not known; the errata bind those in `bound_cards` to other
    cards, or against them. `unknown_cards` are cards that no catalogue holds: they count for the size alone.
    """

    __slots__ = (
        "allowing_cards",
        "bound_cards",
        "by_title",
        "editions",
        "errata_cards",
        "gems",
        "grouped_cards",
        "masters",
        "open_gems",
        "owned_cards",
        "size",
        "slots",
        "titles",
        "unknown_cards",
        "unknown_title_cards",
    )

    def __init__(self, main: list[ViewedEntry]) -> None:
        self.size = 0
        self.editions: set[int | None] = set()
        self.slots: set[str] = set()
        self.gems: dict[str, int] = {}
        self.open_gems: list[ViewedEntry] = []
        self.titles: dict[str, int] = {}
        self.by_title: dict[str, list[ViewedEntry]] = {}
        self.owned_cards: list[ViewedEntry] = []
        self.masters: list[ViewedEntry] = []
        self.errata_cards: list[ViewedEntry] = []
        self.unknown_title_cards: list[ViewedEntry] = []
        self.grouped_cards: list[ViewedEntry] = []
        self.allowing_cards: list[ViewedEntry] = []
        self.bound_cards: list[ViewedEntry] = []
        self.unknown_cards: list[ViewedEntry] = []
        self._count(main)

    def _count(self, main: list[ViewedEntry]) -> None:
        """Count everything in one loop without calls.

        Judging a legal list spends its time here.
        """
        titles, by_title = self.titles, self.by_title
        for viewed_entry in main:
            qty, view = viewed_entry[0].qty, viewed_entry[1]
            self.size += qty
            self.editions.add(view.edition)
            self.slots.add(view.basic)
            if view.title in by_title:
                by_title[view.title].append(viewed_entry)
            else:
                by_title[view.title] = [viewed_entry]
            for title in view.titles or (view.title,):
                titles[title] = titles.get(title, 0) + qty
            if not view.is_plain:
                self._add_special(viewed_entry)

    def _add_special(self, viewed_entry: ViewedEntry) -> None:
        entry, view = viewed_entry
        if view.is_known:
            self._add_titles(viewed_entry)
        else:
            self._set_strange_aside(viewed_entry)
        if view.gems is None:
            self.open_gems.append(viewed_entry)
        else:
            for letter, number in view.gems.items():
                self.gems[letter] = self.gems.get(letter, 0) + number * entry.qty
        if view.owner != "":
            self.owned_cards.append(viewed_entry)
        if view.errata:
            self.errata_cards.append(viewed_entry)
        if view.groups is None or view.groups:
            self.grouped_cards.append(viewed_entry)
        if view.allowance is None or view.allowance:
            self.allowing_cards.append(viewed_entry)
        if view.is_bound:
            self.bound_cards.append(viewed_entry)

    def _add_titles(self, viewed_entry: ViewedEntry) -> None:
        if viewed_entry[1].is_master:
            self.masters.append(viewed_entry)
        if viewed_entry[1].titles is None:
            self.unknown_title_cards.append(viewed_entry)

    def _set_strange_aside(self, viewed_entry: ViewedEntry) -> None:
        entry, view = viewed_entry
        self.unknown_cards.append(viewed_entry)
        for title in view.titles or (view.title,):
            self.titles[title] -= entry.qty


__all__ = ["DeckView", "ViewedEntry", "view_deck"]

_readers: WeakKeyDictionary[Lists, CardReader] = WeakKeyDictionary()


@dataclass
class DeckView:
    """The cards of a list.

    Those of the endurance are in `main`, those played before the game in `pregame`. `strays` are in-game
    cards that the list has among its pre-game cards: they are neither. `reader` knows factions and weapons.
    `untyped_cards` are pre-game cards whose type is not known: each could be anything. `cache` is for what
    checks share.
    """

    reader: CardReader
    deck: Deck
    main: list[ViewedEntry]
    pregame: list[ViewedEntry]
    strays: list[ViewedEntry] = field(default_factory=list)
    personas: list[ViewedEntry] = field(default_factory=list)
    weapons: list[ViewedEntry] = field(default_factory=list)
    crystals: list[ViewedEntry] = field(default_factory=list)
    quickenings: list[ViewedEntry] = field(default_factory=list)
    watchers: list[ViewedEntry] = field(default_factory=list)
    hunters: list[ViewedEntry] = field(default_factory=list)
    untyped_cards: list[ViewedEntry] = field(default_factory=list)
    cache: dict[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for viewed_entry in self.pregame:
            kinds = viewed_entry[1].kinds
            if kinds is None:
                self.untyped_cards.append(viewed_entry)
                continue
            for kind, place in _PREGAME_KINDS:
                if kind in kinds:
                    getattr(self, place).append(viewed_entry)

    def list_used(self) -> Iterator[tuple[str, Entry, CardView]]:
        """Yield every card of endurance and pre-game with its zone, the endurance first."""
        for entry, view in self.main:
            yield "main", entry, view
        for entry, view in self.pregame:
            yield "pregame", entry, view

    def everything(self) -> Iterator[tuple[str, Entry, CardView]]:
        """Yield every card of the list with its zone, strays last."""
        yield from self.list_used()
        for entry, view in self.strays:
            yield "pregame", entry, view

    @cached_property
    def persona_names(self) -> frozenset[str]:
        """The names of the personas, as they are compared."""
        return frozenset(view.title for _, view in self.personas)

    @cached_property
    def factions(self) -> frozenset[str]:
        """The factions of which a persona is a member."""
        members = self.reader.factions.items()
        return frozenset(name for name, member_names in members if member_names & self.persona_names)

    def may_hold(self, owner: str) -> bool:
        """Return whether a card of unknown type could have this name.

        It could be this persona or weapon, or a member of this faction. A card that no catalogue holds could
        be anyone.
        """
        names = {owner, *self.reader.factions.get(owner, ())}
        return any(not view.is_known or view.title in names for _, view in self.untyped_cards)

    @cached_property
    def weapon_names(self) -> frozenset[str]:
        """The names of the weapons of choice."""
        return frozenset(view.title for _, view in self.weapons)

    @cached_property
    def tally(self) -> DeckCounts:
        """Return what is counted of the endurance."""
        return DeckCounts(self.main)

    @cached_property
    def editions(self) -> frozenset[int | None]:
        """The editions of all cards, None for one that is not known."""
        others = (*self.pregame, *self.strays)
        return frozenset({*self.tally.editions, *(view.edition for _, view in others)})

    @cached_property
    def allowing_cards(self) -> list[CardView]:
        """Every card that lets others in, or may do so."""
        pregame = (view for _, view in self.pregame if view.allowance is None or view.allowance)
        return [*(view for _, view in self.tally.allowing_cards), *pregame]


_PREGAME_KINDS = (
    ("persona", "personas"),
    ("weapon of choice", "weapons"),
    ("weapon", "weapons"),
    ("crystal", "crystals"),
    ("quickening", "quickenings"),
    ("watcher", "watchers"),
    ("hunter", "hunters"),
)


def view_deck(deck: Deck, rule: Rule) -> DeckView:
    """Return the view of the deck under the lists in force.

    It comes from the cache if possible. That a card is elsewhere than cards of its type is a fault of its own
    (HL-L62). A pre-game card is one wherever it is listed, and never one of the endurance (l.144); an in-game
    card that is listed before the game is not in the endurance either.
    """
    lists = rule.lists
    place = (lists, "highlander view")
    cached_view: DeckView | None = deck.memo.get(place)
    if cached_view is not None:
        return cached_view
    reader = _readers.get(lists)
    if reader is None:
        reader = _readers[lists] = CardReader(lists, rule.setting.zone_types)
    view = reader.view
    main = [(entry, view(entry.card)) for entry in deck.zone("main")]
    pregame = [(entry, view(entry.card)) for entry in deck.zone("pregame")]
    new_view = deck.memo[place] = DeckView(
        reader,
        deck,
        [each for each in main if each[1].home != "pregame"],
        [each for each in pregame if each[1].home != "main"] + [e for e in main if e[1].home == "pregame"],
        [each for each in pregame if each[1].home == "main"],
    )
    return new_view
