"""Overlays that say how an event is played.

They apply where the document leaves the organizer free.
"""

from __future__ import annotations

import pytest

from rules import Deck, Entry, check_deck, load_format
from rules.overlay import BadOverlay
from tests.rules.test_highlander_properties import CARDS, SLOTS


def deck(*counted_cards: tuple[str, int], pregame: tuple[str, ...] = ("duncan",), **options: object) -> Deck:
    """Fifty cards: the basics, the cards given, and fillers."""
    rest = 50 - len(SLOTS) - sum(qty for _, qty in counted_cards)
    fillers = [(f"F{number:02}", 5) for number in range(7, 7 + rest // 5)]
    more = [("F20", rest % 5)] if rest % 5 else []
    main = [*((slot, 1) for slot in SLOTS), *counted_cards, *fillers, *more]
    return Deck(
        "highlander",
        tuple(Entry(CARDS[key], qty) for key, qty in main),
        (),
        tuple(Entry(CARDS[key], 1) for key in pregame),
        None,
        options,
    )


def judge(
    deck: Deck, overlay: dict[str, object], format: str = "standard"
) -> list[tuple[str, str, str | None]]:
    verdict = check_deck(deck, load_format("highlander", format, overlay=overlay))
    return [(f.rule, f.severity, f.overlay) for f in verdict.findings]


ALTERED = {"gem_assignment": {"A": 6, "S": 5, "T": 5, "E": 5, "R": 5}, "gem_sheet": True}


def test_the_total_of_altered_gems_is_pointed_out_where_the_organizer_asks_for_it():
    altered_deck = deck(pregame=("duncan", "pre_gems"), **ALTERED)
    options = {"name": "Shop rules", "parameters": {"gem_total": {"warn": True}}}

    assert judge(altered_deck, {"name": "Shop rules"}) == []
    assert judge(altered_deck, options) == [("HL-L09", "warning", "Shop rules")]


def test_allowance_cards_may_be_given_a_number():
    altered_deck = deck(("darius", 1), ("amanda_card", 2))
    one = {"name": "Shop rules", "parameters": {"allowance": {"each": 1}}}
    two = {"name": "Shop rules", "parameters": {"allowance": {"each": 2}}}

    assert judge(altered_deck, {"name": "Shop rules"}) == []
    assert judge(altered_deck, one) == [("HL-L25", "error", "Shop rules")]
    assert judge(altered_deck, two) == []


def test_the_curse_may_be_allowed_in_two_headed_giant():
    altered_deck = deck(("curse", 1), pregame=("duncan", "amanda"))

    assert judge(altered_deck, {}, "two_headed_giant") == [("HL-L37", "error", None)]
    assert judge(altered_deck, {"off": ["curse"]}, "two_headed_giant") == []


def test_a_local_ban_hits_pregame_cards_as_well():
    altered_deck = deck(pregame=("duncan", "pre_a"))
    local = {"name": "Shop rules", "bans": ["Old House"]}

    assert judge(altered_deck, local) == [("HL-L36", "error", "Shop rules")]


def test_the_minimum_may_be_set_for_an_event():
    smaller = {"name": "Shop rules", "parameters": {"HL-L02": {"min": 60}}}

    assert judge(deck(), smaller) == [("HL-L02", "error", "Shop rules")]
    (overlay,) = load_format("highlander", "standard", overlay=smaller).overlay_in_words()
    assert overlay.startswith("At least 60 cards in the deck. ")


def test_the_random_end_of_a_round_is_the_organizers_choice():
    wider = {"name": "Shop rules", "parameters": {"random_end": {"earliest": 20, "latest": 40}}}
    words = [
        c.in_words() for c in load_format("highlander", "standard", overlay=wider).conditions() if c.overlay
    ]

    assert words == ["A random end of a round is between minute 20 and minute 40."]


def test_an_overlay_that_speaks_of_another_games_rule_is_refused():
    with pytest.raises(BadOverlay, match="copies"):
        load_format("highlander", "standard", overlay={"off": ["copies"]})


def test_plot_and_hilt_is_offered_and_not_sanctioned():
    formats = {key: load_format("highlander", key).sanctioned for key in ("standard", "sealed", "plot_hilt")}

    assert formats == {"standard": True, "sealed": True, "plot_hilt": False}
