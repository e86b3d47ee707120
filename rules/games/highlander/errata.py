"""Find the errata of a card, and the values that they replace."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rules.deck import UNKNOWN, CardFacts
from rules.games.highlander.names import normalize_id, normalize_title
from rules.lists import Lists
from rules.names import normalize_name
from rules.tables import get_table, get_tables

Erratum = Mapping[str, object]

_SIGNS = re.compile(r"[:,()]")


@dataclass(frozen=True, slots=True)
class ErrataIndex:
    """The edition of errata in force, by title."""

    by_title: Mapping[str, tuple[Erratum, ...]]

    @classmethod
    def of(cls, lists: Lists) -> ErrataIndex:
        """Return the errata among the lists in force; none if no edition is attached."""
        index: dict[str, tuple[Erratum, ...]] = {}
        for entry in lists.entries("errata"):
            for title in dict.fromkeys(_titles(entry)):
                index[title] = (*index.get(title, ()), entry)
        return cls(index)

    def about(self, card: CardFacts) -> tuple[Erratum, ...]:
        """Return the entries that are about this very card."""
        title = normalize_title(card.name)
        return tuple(each for each in self.by_title.get(title, ()) if _speaks_of(each, card, title))


def _titles(entry: Erratum) -> Iterator[str]:
    for named_card in (get_table(entry, "card"), *get_tables(entry, "also")):
        yield normalize_title(str(named_card.get("name", "")))


def _speaks_of(entry: Erratum, card: CardFacts, title: str) -> bool:
    """Match a card by the card of the entry.

    Another card to which the entry also applies matches too.
    """
    own_title = normalize_title(str(get_table(entry, "card").get("name")))
    if title == own_title and _is_meant(entry, card):
        return True
    return any(
        title == normalize_title(str(other.get("name"))) and _has_all(card, other)
        for other in get_tables(entry, "also")
    )


def _is_meant(entry: Erratum, card: CardFacts) -> bool:
    """Return whether a card of the title is meant by the entry.

    It must have all facts of `only`, not those of `unless`, and be printed accordingly. An entry that
    `is_unowned` names no owner: it leaves out cards that are known to have one.
    """
    if entry.get("is_unowned") and _is_owned(card):
        return False
    if not _has_all(card, get_table(entry, "only")):
        return False
    unless = get_table(entry, "unless")
    return _is_printed_card(entry, card) and not (unless and _has_all(card, unless))


def _is_printed_card(entry: Erratum, card: CardFacts) -> bool:
    """Match a card by one of its numbers.

    Without numbers, it is matched by variant or owner, or by the title alone. A card without a number is
    recognized by the owner that is misprinted on it.
    """
    numbers, written_id = entry.get("ids"), card.get("id")
    if written_id is UNKNOWN and "printed_owner" in entry:
        return _has(card, "owner", str(entry["printed_owner"]))
    if isinstance(numbers, list) and numbers:
        return isinstance(written_id, str) and normalize_id(written_id) in {
            normalize_id(str(n)) for n in numbers
        }
    if "variant" in entry:
        return _has(card, "variant", str(entry["variant"]))
    owner = entry.get("owner")
    if isinstance(owner, str):
        owners = (owner, entry.get("printed_owner"))
        return any(_has(card, "owner", str(name)) for name in owners if name)
    if entry.get("owner_kind") == "generic":
        return _has(card, "owner", "generic")
    return True


def _is_owned(card: CardFacts) -> bool:
    """Return whether a card is known to belong to a persona, faction or weapon."""
    owner = card.get("owner")
    return isinstance(owner, str) and owner != "" and not _has(card, "owner", "generic")


def _has_all(card: CardFacts, wanted_facts: Mapping[str, object]) -> bool:
    return all(_has(card, fact, str(value)) for fact, value in wanted_facts.items() if fact != "name")


def _has(card: CardFacts, fact: str, wanted_value: str) -> bool:
    """Return whether a card is known to have a fact.

    A type may be any words of its type line.
    """
    value = card.get(fact)
    if fact == "owner" and normalize_name(wanted_value) == "generic":
        return value == "" or card.get("owner_kind") == "generic"
    if not isinstance(value, str):
        return False
    if fact == "type":
        return f" {normalize_name(wanted_value)} " in f" {normalize_name(_SIGNS.sub(' ', value))} "
    return normalize_name(value) == normalize_name(wanted_value)


def apply_errata(facts: Mapping[str, object], entries: tuple[Erratum, ...]) -> dict[str, object]:
    """Return the facts of a card after its errata are applied.

    What the entries say of owner, mark and the like replaces the facts.
    """
    corrected_facts = dict(facts)
    for entry in entries:
        corrected_facts |= {name: entry[name] for name in _CORRECTED if name in entry}
    return corrected_facts


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
