"""Fixes of single findings that once removed too much, or left a fault."""

from __future__ import annotations

from rules import Deck, Entry, check_deck, load_format
from rules.finding import Finding
from tests.rules.test_plans import BASICS, FIGHTERS, WHOLE, cards_of


def error(deck: Deck, form: str, rule: str) -> Finding:
    verdict = check_deck(deck, load_format(deck.game, form))
    return next(finding for finding in verdict.errors if finding.rule == rule)


def make_deck(main: str, pregame: str = "1 persona") -> Deck:
    zones = [
        tuple(
            Entry(WHOLE[name], int(qty))
            for qty, _, name in (part.partition(" ") for part in zone_text.split(", "))
        )
        for zone_text in (f"{BASICS}, {main}", pregame)
    ]
    return Deck("highlander", zones[0], (), zones[1])


def test_of_three_weapons_with_three_hands_one_goes() -> None:
    fix = error(make_deck("35 plain1", "1 persona, 1 katana, 1 dirk, 1 knife"), "standard", "HL-L29").fix

    assert fix.sentence == "Remove 1 knife from the pre-game cards."


def test_cards_of_one_weapon_bring_it_where_there_is_none() -> None:
    fix = error(make_deck("12 stance, 23 plain1"), "standard", "HL-L24").fix

    assert fix.sentence == "Add Katana to the pre-game cards."
    assert [(change.action, change.qty) for change in fix.changes] == [("add", 1)]


def test_cards_of_a_weapon_go_where_there_is_another() -> None:
    fix = error(make_deck("12 stance, 23 plain1", "1 persona, 1 dirk"), "standard", "HL-L24").fix

    assert fix.sentence.startswith("Remove 12 stance from the main deck.")


def test_one_card_that_shows_both_gems_goes_for_both() -> None:
    main = "1 agile, 1 strong, 3 able, 30 plain1"
    fix = error(make_deck(main), "standard", "HL-L05").fix

    assert fix.sentence.startswith("Remove 1 able from the main deck.")


def test_the_battle_deck_of_another_character_declares_this_one() -> None:
    main = tuple(Entry(FIGHTERS[name], qty) for name, qty in (("Ryu attack", 32), ("Ryu super", 2)))
    deck = Deck("sf_miniatures", main, options={"character": "Ken"})
    fix = error(deck, "battle_deck", "SFM-L05").fix

    assert fix.sentence == "Change the character of this deck to Ryu."


def test_a_persona_with_an_own_hilt_is_not_told_to_start_without_one() -> None:
    cards = cards_of(
        "highlander",
        hilt={"type": "Hilt", "edition": "2E", "owner": "Kalas", "owner_kind": "persona", "mark": "R"},
        kalas={"name": "Kalas", "type": "Persona", "edition": "2E", "gender": "M", "gems": {}},
    )
    options = {"bonus": {"hilt": cards["hilt"]}, "persona_has": {"hilt": True}}
    deck = Deck("highlander", (), (), (Entry(cards["kalas"], 1),), options=options)
    fix = error(deck, "plot_hilt", "HL-L57").fix

    assert "without" not in fix.sentence
    assert fix.sentence == "Start with the Persona's own signed hilt."
