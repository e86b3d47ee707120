"""The corrections of the errata, found for a card by its number, or by its title and owner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rules.deck import CardFacts
from rules.lists import Lists
from rules.names import normal

from .names import normal_id, normal_title

Entry = Mapping[str, object]


@dataclass(frozen=True)
class Errata:
    """The edition of errata in force, by title."""

    by_title: Mapping[str, tuple[Entry, ...]]

    @classmethod
    def of(cls, lists: Lists) -> Errata:
        """The errata among the lists in force; none where no edition is attached."""
        index: dict[str, tuple[Entry, ...]] = {}
        for entry in lists.entries("errata"):
            card = entry.get("card")
            title = normal_title(str(card.get("name"))) if isinstance(card, Mapping) else ""
            index[title] = (*index.get(title, ()), entry)
        return cls(index)

    def about(self, card: CardFacts) -> tuple[Entry, ...]:
        """The entries that speak of this very card."""
        return tuple(e for e in self.by_title.get(normal_title(card.name), ()) if _speaks_of(e, card))


def _speaks_of(entry: Entry, card: CardFacts) -> bool:
    """By one of its numbers; an entry without numbers by its variant or owner, or by the title alone."""
    numbers = entry.get("ids")
    if isinstance(numbers, list) and numbers:
        written = card.get("id")
        return isinstance(written, str) and normal_id(written) in {normal_id(str(n)) for n in numbers}
    if "variant" in entry:
        variant = card.get("variant")
        return isinstance(variant, str) and normal(variant) == normal(str(entry["variant"]))
    owner = entry.get("owner")
    if isinstance(owner, str):
        return _is_owned_by(card, (owner, entry.get("printed_owner")))
    if entry.get("owner_kind") == "generic":
        return card.get("owner") == "" or card.get("owner_kind") == "generic"
    return True


def _is_owned_by(card: CardFacts, owners: tuple[object, ...]) -> bool:
    written = card.get("owner")
    return isinstance(written, str) and normal(written) in {normal(str(name)) for name in owners if name}


def corrected(facts: Mapping[str, object], entries: tuple[Entry, ...]) -> dict[str, object]:
    """The facts of a card with what the entries say of owner, mark and the like in their place."""
    told = dict(facts)
    for entry in entries:
        told |= {name: entry[name] for name in _CORRECTED if name in entry}
    return told


_CORRECTED = (
    "owner",
    "owner_kind",
    "mark",
    "restriction",
    "type",
    "hand_icons",
    "groups",
    "forbids_titles",
    "needs_weapon",
    "persona_only",
    "off_hand",
)
