"""Highlander cases.

Each has a plain deck, whose bonus cards are looked up in the pool of the case.
"""

from __future__ import annotations

from collections.abc import Mapping

from rules.cases import DeckCase, case_kind
from rules.deck import CardFacts, Deck
from rules.finding import Verdict
from rules.legality import check_deck


@case_kind("highlander", "deck")
def deck(case: DeckCase) -> Verdict:
    """Return the deck of the case, its bonus cards turned from keys into cards."""
    return check_deck(_with_bonus(case), case.format())


def _with_bonus(case: DeckCase) -> Deck:
    plain = case.deck()
    bonus = plain.options.get("bonus")
    if not isinstance(bonus, Mapping):
        return plain
    bonus_cards = {kind: _cards(case, value) for kind, value in bonus.items()}
    return Deck(
        plain.game,
        plain.main,
        plain.sideboard,
        plain.pregame,
        plain.pool,
        {**plain.options, "bonus": bonus_cards},
    )


def _cards(case: DeckCase, value: object) -> object:
    if isinstance(value, list | tuple):
        return [_cards(case, item) for item in value]
    card = case.cards.get(value) if isinstance(value, str) else None
    return card if isinstance(card, CardFacts) else value
