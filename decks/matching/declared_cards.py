"""Cards that a declaration beside the list names."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any

import rules
from decks.importers.parsing import parse
from decks.matching.catalogue import KnownCards
from decks.matching.model import SearchBudget

MAX_NAMED_CARDS = 20
"""No game declares as many kinds of cards beside a list; further ones stay as they are written."""


def resolve_declared_cards(options: Mapping[str, object], catalogue: KnownCards) -> Mapping[str, object]:
    """Return the declarations with the cards they name.

    A card is included where the catalogue knows exactly one such card.
    """
    declaration_kinds = rules.get_game(catalogue.game).cards.declarations
    named_cards = {each.key: options.get(each.key) for each in declaration_kinds if each.kind == "cards"}
    resolved_cards = {
        key: {
            **cards,
            **{
                kind: _find_named_card(name, catalogue)
                for kind, name in islice(cards.items(), MAX_NAMED_CARDS)
            },
        }
        for key, cards in named_cards.items()
        if isinstance(cards, Mapping)
    }
    return {**options, **resolved_cards} if resolved_cards else options


def _find_named_card(name: Any, catalogue: KnownCards) -> Any:
    lines = parse(name).cards if isinstance(name, str) else ()
    match = catalogue.index.resolve(lines[0], SearchBudget(0)) if len(lines) == 1 else None
    facts = catalogue.card_facts(match.card_key, match.printing_key) if match and match.card_key else None
    return facts or name
