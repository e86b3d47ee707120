"""Worked cases of battle decks and of registered matches."""

from __future__ import annotations

from rules.cases import DeckCase, case_kind
from rules.finding import Verdict
from rules.legality import check_deck


@case_kind("sf_miniatures", "battle_deck")
def battle_deck(case: DeckCase) -> Verdict:
    """Return the deck of one character."""
    return check_deck(case.deck(), case.format())


@case_kind("sf_miniatures", "match_registration")
def match_registration(case: DeckCase) -> Verdict:
    """Return a registered match, under the format of its mode."""
    mode = case.data.get("mode")
    return check_deck(case.deck(), case.format(mode if isinstance(mode, str) else None))
