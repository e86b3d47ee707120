"""Facts of a kind that no one expected.

They are judged as unknown or as different, and never cause a crash.
"""

from __future__ import annotations

from rules import CardFacts, Deck, check_deck, load_format
from tests.everyday import each_case
from tests.rules.builders import KEN, entries, fillers

ODD = [0, -1, 3.5, True, "", "many", [], [None], {}, {"a": 1}, ("x",)]
OUTCOMES = {"legal", "illegal", "unknown"}


@each_case("odd", ODD)
@each_case("fact", ["type", "dots", "split", "set", "number", "character_only", "printed_name"])
def test_odd_facts_of_a_ufs_card(fact, odd):
    card = CardFacts.of(
        "odd", {"name": "Dark Hado", "type": "character", "set": "SF03", "number": 15, fact: odd}
    )
    deck = Deck("ufs", entries((1, KEN), (3, card), *fillers(56)), options={"diversity": True, fact: odd})

    for key in ("constructed", "sealed", "draft"):
        assert check_deck(deck, load_format("ufs", key)).outcome in OUTCOMES


@each_case("odd", ODD)
@each_case("fact", ["kind", "owner", "attack_type"])
def test_odd_facts_of_a_battle_card(fact, odd):
    card = CardFacts.of("odd", {"name": "Uppercut", "kind": "attack", "owner": "Ryu", fact: odd})
    deck = Deck("sf_miniatures", entries((40, card)), options={"character": "Ryu"})

    assert check_deck(deck, load_format("sf_miniatures", "battle_deck")).outcome in OUTCOMES


@each_case("odd", [odd for odd in ODD if odd is not True])
@each_case("option", ["diversity", "declared_character", "unread", "game_in_round", "registered"])
def test_odd_declarations(option, odd):
    deck = Deck("ufs", entries((1, KEN), *fillers(59)), options={option: odd})

    for stage in ("registration", "exchange"):
        assert check_deck(deck, load_format("ufs", "constructed"), at=stage).outcome in OUTCOMES
