"""UFS cases that compare lists presented for a game with the registered ones."""

from __future__ import annotations

from collections.abc import Mapping

from rules.cases import DeckCase, case_kind
from rules.deck import Deck
from rules.finding import Verdict
from rules.legality import check_exchange


@case_kind("ufs", "sideboarding")
def sideboarding(case: DeckCase) -> Verdict:
    """Return the presented lists, under the exchange rules of the format."""
    registered_deck, presented_deck = (_deck(case, part) for part in ("registered", "presented"))
    number = case.data.get("game_in_round")
    first = case.data.get("first_round")
    return check_exchange(
        registered_deck,
        presented_deck,
        case.format(),
        game_in_round=number if type(number) is int else 1,
        first_round=first if isinstance(first, bool) else None,
    )


def _deck(case: DeckCase, part: str) -> Deck:
    lists = case.data.get(part)
    return case.deck(lists if isinstance(lists, Mapping) else {})
