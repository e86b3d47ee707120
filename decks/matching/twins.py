"""Cards of one name that no fact distinguishes.

A line that gives the name alone means any of them, as one.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping

import rules
from decks.matching.model import CardDescription, IndexedPrinting
from rules.names import normalize_name

PLACE_FACTS = frozenset(
    {"id", "set", "set_name", "set_size", "set_codes", "number", "number_as_printed", "variant"}
)
_OF_PRINTINGS = PLACE_FACTS | {
    "ids", "aliases", "name", "title", "printed_name", "external_ids", "rarity", "illustrator", "edition",
    "note",
}  # fmt: skip

Twins = Mapping[str, tuple[str, ...]]
"""The keys of cards that are one by their facts, by the key of the first of them."""


def describe_card(game: str, name: str, facts: Mapping[str, object]) -> CardDescription | None:
    """Return all that distinguishes this card from others of its name.

    None if its number alone does.
    """
    cards = rules.get_game(game).cards
    if not cards.by_name.owner or is_told_by_number(game, name):
        return None
    title = normalize_name(name)
    telling_facts = {
        fact: json.dumps(value, sort_keys=True, default=str).casefold()
        for fact, value in facts.items()
        if fact not in _OF_PRINTINGS and fact not in cards.printing_facts
    }
    return CardDescription(title, normalize_name(get_owner(game, facts)), telling_facts)


def is_told_by_number(game: str, name: str) -> bool:
    """Return whether each number of this name is another card."""
    return normalize_name(name) in map(normalize_name, rules.get_game(game).cards.by_name.told_by_number)


def get_owner(game: str, facts: Mapping[str, object]) -> str:
    """Return the owner or subject of a card.

    There is one where the game knows owners and the owner of the card is known.
    """
    by_name = rules.get_game(game).cards.by_name
    owners = (facts.get(by_name.subject), facts.get(by_name.owner))
    return next((owner.strip() for owner in owners if isinstance(owner, str) and owner.strip()), "")


def is_owner_open(game: str, facts: Mapping[str, object]) -> bool:
    """Return whether no fact tells the owner of a card.

    A fact that it belongs to no one also counts as telling.
    """
    by_name = rules.get_game(game).cards.by_name
    is_unowned = any(facts.get(fact) == value for fact, value in by_name.unowned)
    is_told = is_unowned or by_name.owner in facts or bool(get_owner(game, facts))
    return bool(by_name.owner) and not is_told


def find_twins(printings: Iterable[IndexedPrinting]) -> Twins:
    """Return the cards of one name and owner whose facts never conflict.

    There are two or more of them.
    """
    alike: dict[tuple[str, str], list[IndexedPrinting]] = defaultdict(list)
    for printing in printings:
        if (card_description := printing.description) is not None:
            alike[card_description.title, card_description.owner].append(printing)
    twins = {}
    for group in alike.values():
        keys = tuple(dict.fromkeys(printing.card_key for printing in group))
        if len(keys) > 1 and _agree(group):
            twins[keys[0]] = keys
    return twins


def _agree(printings: Iterable[IndexedPrinting]) -> bool:
    known_values: dict[str, str] = {}
    facts = (printing.description.distinguishing_facts for printing in printings if printing.description)
    return all(
        known_values.setdefault(fact, value) == value for each in facts for fact, value in each.items()
    )
