"""Differences between two versions of a list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from decks.checking.declarations import describe_declarations
from decks.matching.reading import zone_label
from decks.matching.records import EntryRecord
from decks.shared.json_shapes import Published
from decks.submissions.models import DeckVersion
from rules.names import normalize_name

ZONE_ORDER = ("pregame", "main", "sideboard", "pool")


@dataclass(frozen=True, slots=True)
class CardChange(Published):
    """A card of which one version holds more than another in a part of the list."""

    zone: str
    name: str
    before: int
    after: int

    @property
    def zone_words(self) -> str:
        """The part of the list, named for people."""
        return zone_label(self.zone)

    @property
    def by(self) -> int:
        """How many came in (above zero) or went out."""
        return self.after - self.before

    @property
    def signed_change(self) -> str:
        """The same with its sign: "+2", "−1"."""
        return f"+{self.by}" if self.by > 0 else f"−{-self.by}"


@dataclass(frozen=True, slots=True)
class DeclaredChange(Published):
    """A changed declaration.

    Holds its key among those of the game, its label, and both values in words.
    """

    key: str
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class VersionDifference(Published):
    """The differences between two versions.

    `printings` names cards that are as many but of other printings.
    """

    PUBLISHED = {
        "older": "older_number",
        "newer": "newer_number",
        "cards": "cards",
        "printings": "printings",
        "declared": "declared",
    }

    older: DeckVersion
    newer: DeckVersion
    cards: tuple[CardChange, ...]
    printings: tuple[str, ...]
    declared: tuple[DeclaredChange, ...]

    @property
    def older_number(self) -> int:
        return self.older.number

    @property
    def newer_number(self) -> int:
        return self.newer.number

    @property
    def came(self) -> tuple[CardChange, ...]:
        """The cards that came in."""
        return tuple(change for change in self.cards if change.by > 0)

    @property
    def went(self) -> tuple[CardChange, ...]:
        """The cards that went out."""
        return tuple(change for change in self.cards if change.by < 0)

    @property
    def is_none(self) -> bool:
        """Whether cards and declarations are the same."""
        return not (self.cards or self.printings or self.declared)


CardPlace = tuple[str, str]


def compare_versions(older: DeckVersion, newer: DeckVersion) -> VersionDifference:
    """Return the cards added and removed by part, and the changed declarations."""
    before, after = _count_cards(older.entries), _count_cards(newer.entries)
    names = {**_card_names(older.entries), **_card_names(newer.entries)}
    places = sorted(
        {*before, *after}, key=lambda place: (ZONE_ORDER.index(place[0]), names[place].casefold())
    )
    changes = (CardChange(p[0], names[p], before.get(p, 0), after.get(p, 0)) for p in places)
    changed_cards = tuple(change for change in changes if change.by)
    old, new = _count_printings(older.entries), _count_printings(newer.entries)
    equal = (p for p in places if before.get(p) == after.get(p) and old[p] != new[p])
    return VersionDifference(
        older,
        newer,
        changed_cards,
        tuple(dict.fromkeys(names[p] for p in equal)),
        _declaration_changes(older, newer),
    )


def _card_place(entry: EntryRecord) -> CardPlace:
    return entry["zone"], entry["card"] or normalize_name(entry["name"])


def _count_cards(entries: Iterable[EntryRecord]) -> dict[CardPlace, int]:
    copies_by_place: dict[CardPlace, int] = {}
    for entry in entries:
        copies_by_place[_card_place(entry)] = copies_by_place.get(_card_place(entry), 0) + (entry["qty"] or 0)
    return copies_by_place


def _card_names(entries: Iterable[EntryRecord]) -> dict[CardPlace, str]:
    return {_card_place(entry): entry["name"] for entry in entries}


def _count_printings(entries: Iterable[EntryRecord]) -> dict[CardPlace, dict[str | None, int]]:
    copies_by_place: dict[CardPlace, dict[str | None, int]] = {}
    for entry in entries:
        of_card = copies_by_place.setdefault(_card_place(entry), {})
        of_card[entry["printing"]] = of_card.get(entry["printing"], 0) + (entry["qty"] or 0)
    return copies_by_place


def _declaration_changes(older: DeckVersion, newer: DeckVersion) -> tuple[DeclaredChange, ...]:
    game = newer.deck_list.game
    old, new = describe_declarations(older.options, game), describe_declarations(newer.options, game)
    labels = {key: label for key, (label, _) in (*old.items(), *new.items())}
    changes = (
        DeclaredChange(key, label, *(texts.get(key, (label, ""))[1] for texts in (old, new)))
        for key, label in labels.items()
    )
    return tuple(change for change in changes if change.before != change.after)
