"""The catalogue as one process holds it: an index for matching, and the facts of each card.

It is built once for each version of the catalogue. The version stands in the database, so every process
notices a change at its next look.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from decks.catalogue.models.cards import CatalogueState
from decks.catalogue.models.cards import Printing as PrintingRow
from decks.matching.index import CardIndex
from decks.matching.model import Printing as IndexedPrinting
from rules.deck import CardFacts

Stamp = tuple[int, str]
_COLUMNS = (
    "key", "card__key", "card__name", "card__attributes", "card_set__code", "card_set__size", "number",
    "number_as_printed", "printed_name", "variant", "external_ids", "attributes", "is_deck_card",
)  # fmt: skip


def place_of(facts: Mapping[str, Any]) -> str:
    """Set and number of a printing as people write them, as far as they are known."""
    return f"{facts.get('set', '')} {facts.get('number_as_printed') or facts.get('number') or ''}".strip()


@dataclass(slots=True)
class CatalogueCard:
    """A card with the facts of each of its printings, by the keys of the printings."""

    key: str
    name: str
    dots: int
    printings: dict[str, dict[str, Any]] = field(default_factory=dict)
    common: dict[str, Any] | None = None

    @property
    def label(self) -> str:
        """The name as players write it: "Ken ●●"."""
        return f"{self.name} {'●' * self.dots}".strip()

    def place(self, printing_key: str | None) -> str:
        """Where a named printing stands ("SF01 38/143"); empty for none."""
        return place_of(self.printings.get(printing_key or "", {}))

    def facts(self, printing_key: str | None) -> Mapping[str, Any]:
        """The facts of one printing, or those that all printings share."""
        if printing_key in self.printings:
            return self.printings[printing_key]
        if self.common is None:
            each = list(self.printings.values())
            self.common = {
                fact: value
                for fact, value in each[0].items()
                if all(other.get(fact, _ABSENT) == value for other in each[1:])
            }
        return self.common


_ABSENT = object()


@dataclass(frozen=True)
class Catalogue:
    """One version of a game's catalogue."""

    game: str
    stamp: Stamp
    index: CardIndex
    cards: Mapping[str, CatalogueCard]

    def card_facts(self, card_key: str, printing_key: str | None = None) -> CardFacts | None:
        """The facts for the rules; None for a card that is not in this version."""
        card = self.cards.get(card_key)
        if card is None:
            return None
        key = printing_key if printing_key in card.printings else card.key
        return CardFacts(key, card.name, card.facts(printing_key))


_held: dict[str, Catalogue] = {}
_building = Lock()


def catalogue(game: str) -> Catalogue:
    """The catalogue of a game as it stands now; one small query when nothing changed."""
    stamp = current_stamp(game)
    held = _held.get(game)
    if held is not None and held.stamp == stamp:
        return held
    with _building:
        held = _held.get(game)
        if held is None or held.stamp != stamp:
            held = _held[game] = _build(game, stamp)
    return held


def current_stamp(game: str) -> Stamp:
    """The version number of a game's catalogue and the mark of the change that made it."""
    found = CatalogueState.objects.filter(game=game).values_list("version", "stamp").first()
    return found or (0, "")


def _build(game: str, stamp: Stamp) -> Catalogue:
    cards: dict[str, CatalogueCard] = {}
    indexed = []
    for row in PrintingRow.objects.filter(game=game).order_by("pk").values(*_COLUMNS):
        card = cards.get(row["card__key"])
        if card is None:
            card = CatalogueCard(row["card__key"], row["card__name"], _dots(row["card__attributes"]))
            cards[card.key] = card
        facts = _facts(row)
        card.printings[row["key"]] = facts
        indexed.append(_indexed(row, card, facts))
    index = CardIndex(indexed)
    # The names are arranged on the first search; whoever types first should not have to wait for that.
    index.search("warm")
    return Catalogue(game, stamp, index, cards)


def _dots(facts: Mapping[str, Any]) -> int:
    dots = facts.get("dots")
    return dots if type(dots) is int and 0 <= dots <= 12 else 0


def _facts(row: Mapping[str, Any]) -> dict[str, Any]:
    """All that is known of a printing, under the names that the rules use; what is unknown is absent."""
    columns = {
        "name": row["card__name"],
        "printed_name": row["printed_name"],
        "set": row["card_set__code"],
        "set_size": row["card_set__size"],
        "number": row["number"],
        "number_as_printed": row["number_as_printed"],
        "variant": row["variant"],
    }
    known = {fact: value for fact, value in columns.items() if value not in (None, "")}
    return {**row["card__attributes"], **row["attributes"], **known}


def _indexed(row: Mapping[str, Any], card: CatalogueCard, facts: Mapping[str, Any]) -> IndexedPrinting:
    aliases = facts.get("aliases", ())
    ids = [row["key"], *row["external_ids"].values(), facts.get("id", ""), *(facts.get("ids", ()))]
    others = [row["printed_name"]] if row["printed_name"] != card.name else []
    return IndexedPrinting(
        key=row["key"],
        card_key=card.key,
        name=card.name,
        set_code=row["card_set__code"] or "",
        number=row["number"],
        number_text=row["number_as_printed"],
        dots=card.dots if "dots" in facts else None,
        variant=row["variant"] or None,
        aliases=(*others, *aliases) if isinstance(aliases, list | tuple) else tuple(others),
        ids=tuple(str(each) for each in dict.fromkeys(ids) if each),
        is_deck_card=row["is_deck_card"],
        set_size=row["card_set__size"],
    )
