"""Sentences and fixes of Highlander's findings."""

from __future__ import annotations

from dataclasses import replace

from rules import CardFacts, Deck, Entry, Finding, check_deck, load_format
from rules.finding import build_fix
from rules.fixes import apply_fix
from rules.rendering import say
from tests.rules.test_highlander_overlays import deck
from tests.rules.test_highlander_properties import CARDS


def _error(deck: Deck, row: str, format: str = "standard") -> Finding:
    return next(f for f in check_deck(deck, load_format("highlander", format)).errors if f.rule == row)


def _sealed(main: dict[str, int], pool: dict[str, int], pregame: tuple[str, ...] = ("duncan",)) -> Deck:
    zones = [tuple(Entry(CARDS[key], qty) for key, qty in zone.items()) for zone in (main, pool)]
    return Deck("highlander", zones[0], (), tuple(Entry(CARDS[key], 1) for key in pregame), zones[1])


def test_two_cards_of_absent_personas_are_said_in_the_plural():
    altered_deck = deck(("amanda_card", 1), ("gas", 1))

    assert _error(altered_deck, "HL-L20").message == (
        "Cat Burglar (Amanda) and Poison Gas (Xavier St. Cloud) need their own Persona or an allowance card."
    )


def test_all_doubled_pregame_cards_are_told_at_once():
    altered_deck = deck(pregame=("duncan", "pre_a", "pre_a", "pre_b", "pre_b", "pre_b"))
    finding = _error(altered_deck, "HL-L27")

    assert (finding.limit, finding.found) == (1, 3)
    assert finding.message == (
        "Too many copies of a pre-game card: 2 of Old House and 3 of Barge (maximum 1 of each)."
    )
    assert finding.fix is not None
    assert finding.fix.sentence == "Remove 1 Old House and 2 Barge from the pre-game cards."


def test_one_head_too_many_is_mended_by_taking_one_out():
    altered_deck = deck(pregame=("duncan", "amanda", "faith"))
    finding = _error(altered_deck, "HL-L45", "two_headed_giant")

    assert finding.fix is not None
    assert finding.fix.sentence == "Remove 1 Faith from the pre-game cards."


def test_a_head_of_unknown_gender_may_fill_the_place_that_is_left():
    nobody = CardFacts.of("nobody", {**CARDS["faith"].attributes, "title": "Nobody", "gender": None})
    altered_deck = deck(pregame=("duncan", "ramirez"))
    altered_deck = altered_deck.with_zones({"pregame": (*altered_deck.pregame, Entry(nobody, 1))})
    finding = _error(altered_deck, "HL-L45", "two_headed_giant")

    assert finding.fix is not None
    assert finding.fix.sentence == "Remove 1 Ramirez from the pre-game cards."


def _plot_and_hilt(bonus: dict[str, object], **has: bool) -> Deck:
    return replace(deck(pregame=("kalas",)), options={"bonus": bonus, "persona_has": has})


def test_a_missing_bonus_card_is_asked_for_beside_those_that_fit():
    plot = _plot_and_hilt({"hilt": CARDS["hilt"]}, hilt=True, plot=True)
    finding = _error(plot, "HL-L51", "plot_hilt")

    assert finding.fix is not None
    assert finding.fix.sentence == "Start with Kalas's Hilt and the Persona's own signed stand-alone plot."
    assert finding.fix.changes == ()


def test_of_two_hilts_the_first_own_one_stays():
    plot = _plot_and_hilt({"hilt": [CARDS["hilt_methos"], CARDS["hilt"], CARDS["hilt"]]}, hilt=True)
    finding = _error(plot, "HL-L51", "plot_hilt")

    assert finding.fix is not None
    assert finding.fix.sentence == "Start with Kalas's Hilt."
    assert finding.fix.changes[0].wanted_facts == {"bonus": {"hilt": "hilt"}}


def test_the_hilt_of_another_is_left_out_where_the_persona_has_none():
    plot = _plot_and_hilt({"hilt": CARDS["hilt_methos"]})
    finding = _error(plot, "HL-L51", "plot_hilt")

    assert finding.fix is not None
    assert finding.fix.sentence == say("fix", "begin-without-bonus")


def test_a_hilt_without_a_persona_asks_for_both():
    altered_deck = replace(
        deck(pregame=()), options={"bonus": {"hilt": CARDS["hilt"]}, "persona_has": {"hilt": True}}
    )

    assert _error(altered_deck, "HL-L52", "plot_hilt").fix == build_fix("add-persona-of-hilt")


def test_a_sealed_card_left_out_is_put_in_so_often_as_it_lacks():
    sealed = _sealed({"event": 2}, {"event": 5, "duncan": 1})
    finding = _error(sealed, "HL-L38", "sealed")

    assert finding.fix is not None
    assert (finding.fix.sentence, [change.qty for change in finding.fix.changes]) == ("Add 3 Moment.", [3])
    mended_deck = apply_fix(sealed, finding.fix, lambda change: CARDS["event"])
    assert check_deck(mended_deck, load_format("highlander", "sealed")).errors == ()


def test_a_sealed_card_left_out_is_seen_where_the_pool_tells_it_on_two_lines():
    sealed = _sealed({"event": 3}, {"duncan": 1})
    pool = (*(sealed.pool or ()), Entry(CARDS["event"], 2), Entry(CARDS["event"], 3))
    finding = _error(replace(sealed, pool=pool), "HL-L38", "sealed")

    assert finding.fix is not None
    assert finding.fix.sentence == "Add 2 Moment."


def test_a_raise_that_does_not_hold_is_named_with_its_reason():
    altered_deck = deck(("two", 3), restriction_raise={"card": "two", "by": 1, "source": "pre_darius"})

    assert _error(altered_deck, "HL-L19").message == (
        "This raise is not allowed: Rare Chance (no pre-game card raises a restriction number)."
    )


def test_an_absurd_number_of_personas_is_judged_as_fast_as_two():
    altered_deck = deck(pregame=("amanda",))
    altered_deck = altered_deck.with_zones(
        {"pregame": (Entry(CARDS["duncan"], 10**30), *altered_deck.pregame)}
    )
    finding = _error(altered_deck, "HL-L45", "two_headed_giant")

    assert finding.fix is not None
    assert finding.fix.sentence == f"Remove {10**30 - 1} Duncan MacLeod from the pre-game cards."
