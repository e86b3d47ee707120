"""A game's catalogue as values: as it stands, or as it will stand once a plan is carried out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rules.names import normal


@dataclass(slots=True)
class StoredCard:
    """A card as it stands, or as it will stand. A `pk` of None is not stored yet."""

    identity: str
    name: str
    facts: dict[str, Any]
    pk: int | None = None
    is_changed: bool = False


@dataclass(slots=True)
class StoredPrinting:
    """A printing as it stands, or as it will stand; `columns` are set, number, variant and the like."""

    key: str
    card: StoredCard
    columns: dict[str, Any]
    external_ids: dict[str, str]
    facts: dict[str, Any]
    pk: int | None = None
    is_changed: bool = False


@dataclass(slots=True)
class StoredSet:
    """A set as it stands, or as it will stand."""

    code: str
    name: str = ""
    size: int | None = None
    is_hidden: bool = False
    pk: int | None = None
    is_changed: bool = False


@dataclass(slots=True)
class State:
    """All that is stored of a game's catalogue, by the names under which it is looked up."""

    sets: dict[str, StoredSet] = field(default_factory=dict)
    cards: dict[str, StoredCard] = field(default_factory=dict)
    printings: dict[str, StoredPrinting] = field(default_factory=dict)
    by_place: dict[tuple[str, int | None, str], list[StoredPrinting]] = field(default_factory=dict)

    def add(self, printing: StoredPrinting) -> None:
        """Remember a printing under its key and its place."""
        self.printings[printing.key] = printing
        columns = printing.columns
        place = (columns["card_set"], columns["number"], normal(printing.card.name))
        self.by_place.setdefault(place, []).append(printing)
