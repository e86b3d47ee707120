"""Cards as lists are matched with them.

Holds facts by card and printing, from a database or a catalogue file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import rules
from decks.importers.model import DeckLine
from decks.matching.lines import LineMatcher, add_labels
from decks.matching.lookup import LookupTables
from decks.matching.model import IndexedPrinting, LineMatch, SearchBudget
from decks.matching.namesakes import choose_identity_key, find_namesakes_elsewhere
from decks.matching.twins import PLACE_FACTS, Twins, describe_card, get_owner, is_owner_open
from rules.cards import IdentityPart
from rules.deck import CardFacts
from rules.names import normalize_name
from rules.plan.supply import CardSupply

_MISSING = object()
_MOST_DOTS = 12


def card_identity(
    game: str, key: str | None, name: str, facts: Mapping[str, object], *, is_deck_card: bool = True
) -> str:
    """Return the text by which printings find their card.

    It is the name and the facts that the game declares. A card that a fact sets apart stands for this
    printing alone. A marker or a button that has the name of a card is never that card.
    """
    cards = rules.get_game(game).cards
    parts = [normalize_name(name), *(_identity_text(part, key, facts) for part in cards.identity)]
    if cards.apart_if and facts.get(cards.apart_if):
        parts.append(normalize_name(key or ""))
    return "|".join(parts if is_deck_card else [*parts, "no deck card"])


def _identity_text(part: IdentityPart, key: str | None, facts: Mapping[str, object]) -> str:
    value = facts.get(part.fact) or part.otherwise
    if not part.is_alone_without:
        return normalize_name(str(value))
    if value:
        return f"{part.fact} {normalize_name(str(value))}"
    return f"id {normalize_name(str(facts.get('id') or key or ''))}"


def format_place(facts: Mapping[str, object]) -> str:
    """Set and number of a printing as people write them, as far as they are known."""
    return f"{facts.get('set', '')} {facts.get('number_as_printed') or facts.get('number') or ''}".strip()


def rank_dots(facts: Mapping[str, object]) -> int:
    """Return the rank dots of a card; 0 for a card without."""
    dots = facts.get("dots")
    return dots if type(dots) is int and 0 <= dots <= _MOST_DOTS else 0


@dataclass(slots=True)
class CatalogueCard:
    """A card with the facts of each of its printings, by the keys of the printings."""

    key: str
    name: str
    dots: int
    printings: dict[str, dict[str, object]] = field(default_factory=dict)
    common: dict[str, object] | None = None
    is_deck_card: bool = True

    @property
    def label(self) -> str:
        """The name as players write it: "Ken ●●"."""
        return f"{self.name} {'●' * self.dots}".strip()

    def place(self, printing_key: str | None) -> str:
        """Return the place of a named printing ("SF01 38/143"); empty for none."""
        return format_place(self.printings.get(printing_key or "", {}))

    def facts(self, printing_key: str | None) -> Mapping[str, object]:
        """Return the facts of one printing, or those that all printings share."""
        if printing_key in self.printings:
            return self.printings[printing_key]
        if self.common is None:
            self.common = _common_facts(list(self.printings.values()))
        return self.common


class LineResolver(Protocol):
    """Finds the card that a line names."""

    def resolve(self, line: DeckLine, budget: SearchBudget | None = None) -> LineMatch:
        """Return what the line names."""

    def states_set(self, mark: str) -> bool:
        """Return whether words beside a name state a set."""


@dataclass(frozen=True)
class KnownCards:
    """The cards of a game, and what finds them.

    `twins` are those that no fact distinguishes.
    """

    game: str
    cards: Mapping[str, CatalogueCard]
    index: LineResolver
    twins: Twins

    def card_facts(self, card_key: str, printing_key: str | None = None) -> CardFacts | None:
        """Return the facts for the rules; None for a card that is not known."""
        card = self.cards.get(card_key)
        if card is None:
            return None
        key = printing_key if printing_key in card.printings else card.key
        return CardFacts(key, card.name, card.facts(printing_key))

    @cached_property
    def supply(self) -> CardSupply:
        """The cards that a plan may add, made into facts when the first is looked for."""
        return CardSupply(self._deck_cards)

    def _deck_cards(self) -> Iterator[CardFacts]:
        for key, card in self.cards.items():
            if card.is_deck_card:
                yield CardFacts(key, card.name, card.facts(None))


def cards_of_file(game: str, records: Mapping[str, CardFacts]) -> KnownCards:
    """Return the cards of a catalogue file.

    Printings of one card are grouped as an import groups them.
    """
    cards: dict[str, CatalogueCard] = {}
    by_identity: dict[str, CatalogueCard] = {}
    other_keys: dict[str, list[str]] = {}
    for key, record in records.items():
        facts = _set_apart(game, {**record.attributes, "name": record.name})
        place = facts.get("set"), facts.get("number")
        own_key = choose_identity_key(game, record.name, *place, key)
        identity = card_identity(game, own_key, record.name, facts)
        card = by_identity.get(identity)
        if card is None:
            card = by_identity[identity] = cards[key] = CatalogueCard(key, record.name, rank_dots(facts))
        first = next((each for each, other in card.printings.items() if _same_place(other, facts)), key)
        card.printings[first] = {**facts, **card.printings.get(first, {})}
        other_keys.setdefault(first, []).append(key)
    printings = (
        index_printing(game, key, card, facts, external_ids=tuple(other_keys[key]))
        for card in cards.values()
        for key, facts in card.printings.items()
    )
    tables = LookupTables(printings)
    add_labels(tables)
    share_facts(game, cards, tables.twins)
    return KnownCards(game, cards, LineMatcher(tables), tables.twins)


def _set_apart(game: str, facts: dict[str, object]) -> dict[str, object]:
    """Return the facts, with a mark if an identity list sets the card apart.

    Such a list of the rules says that the card shares its name.
    """
    others = find_namesakes_elsewhere(game, str(facts["name"]), facts.get("set"), facts.get("number"))
    return {rules.get_game(game).cards.apart_if: others, **facts} if others else facts


def _same_place(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Return whether two records are of one printing, as far as both name one."""
    places = [(each.get("set"), each.get("number"), each.get("variant")) for each in (one, other)]
    return places[0] == places[1] and None not in places[0][:2]


def share_facts(game: str, cards: Mapping[str, CatalogueCard], twins: Twins) -> None:
    """Give the first of several identical cards the facts that all of them share.

    The cards are one by their facts.
    """
    left_out = PLACE_FACTS.union(rules.get_game(game).cards.by_name.of_one_text)
    for first, keys in twins.items():
        every = [facts for key in keys for facts in cards[key].printings.values()]
        shared_facts = _common_facts(every)
        cards[first].common = {fact: value for fact, value in shared_facts.items() if fact not in left_out}


def _common_facts(every: Sequence[dict[str, object]]) -> dict[str, object]:
    return (
        every[0]
        if len(every) == 1
        else {
            fact: value
            for fact, value in every[0].items()
            if all(other.get(fact, _MISSING) == value for other in every[1:])
        }
    )


def index_printing(
    game: str,
    key: str,
    card: CatalogueCard,
    facts: Mapping[str, object],
    *,
    external_ids: tuple[str, ...] = (),
    is_deck_card: bool = True,
) -> IndexedPrinting:
    """Return a printing as lines are matched with it."""
    number, size = facts.get("number"), facts.get("set_size")
    codes = facts.get("set_codes", ())
    aliases, ids = facts.get("aliases", ()), facts.get("ids", ())
    every_id = (key, *external_ids, facts.get("id", ""), *(ids if isinstance(ids, list | tuple) else ()))
    printed_name = facts.get("printed_name", "")
    others = (printed_name,) if isinstance(printed_name, str) and printed_name not in ("", card.name) else ()
    return IndexedPrinting(
        key=key,
        card_key=card.key,
        name=card.name,
        set_code=str(facts.get("set") or ""),
        number=number if type(number) is int else None,
        number_text=str(facts.get("number_as_printed") or (number if isinstance(number, str) else "")),
        dots=card.dots if "dots" in facts else None,
        variant=str(facts["variant"]) if facts.get("variant") else None,
        aliases=(*others, *map(str, aliases)) if isinstance(aliases, list | tuple) else others,
        ids=tuple(str(each) for each in dict.fromkeys(map(str, every_id)) if each),
        is_deck_card=is_deck_card,
        owner=get_owner(game, facts),
        is_owner_open=is_owner_open(game, facts),
        description=describe_card(game, card.name, facts) if is_deck_card else None,
        set_size=size if type(size) is int else None,
        other_set_codes=tuple(map(str, codes)) if isinstance(codes, list | tuple) else (),
    )
