"""Fixes that add up.

Shown together and applied in any order, they never make a worse list.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import CardFacts, Deck, Format, Verdict, check_deck, load_format
from rules.finding import Change, format_verdict
from rules.fixes import apply_fix
from tests import machine
from tests.rules.builders import KEN, character, constructed, entries, fillers, foundation
from tests.rules.test_plans import CFC, HIGHLANDER, Small, counts
from tests.rules.test_properties_of_verdicts import FORMATS, _supply, decks

FEW = settings(max_examples=machine.examples(13), deadline=None, suppress_health_check=[HealthCheck.too_slow])
FORM = load_format("ufs", "constructed")
BANNED = character("Dhalsim", 3)


def alternatives(deck: Deck, form: Format = FORM) -> frozenset[str]:
    return check_deck(deck, form).alternatives


def test_fixes_of_a_deck_with_cards_to_spare_add_up() -> None:
    deck = Deck("ufs", entries((1, KEN), (5, foundation("Bog")), (1, BANNED), *fillers(64)))

    assert alternatives(deck) == frozenset()


def test_what_is_open_beside_a_fault_of_the_same_rule_makes_no_alternatives() -> None:
    either_hado = foundation("Dark Hado")
    deck = Deck("ufs", entries((1, KEN), (5, foundation("Bog")), (5, either_hado), (1, BANNED), *fillers(64)))
    verdict = check_deck(deck, FORM)

    assert [each.severity for each in verdict.findings if each.rule == "UFS-L03"] == ["error", "unknown"]
    assert verdict.alternatives == frozenset()


def test_fixes_that_each_leave_just_enough_cards_are_alternatives() -> None:
    deck = Deck("ufs", entries((1, KEN), (5, foundation("Bog")), (1, BANNED), *fillers(54)))
    verdict = check_deck(deck, FORM)

    assert verdict.alternatives == {finding.rule for finding in verdict.errors}
    assert format_verdict(verdict).count("Alternative: ") == 2


def test_fixes_that_keep_the_size_of_a_deck_of_sixty_add_up() -> None:
    assert (
        alternatives(constructed((5, foundation("Bog")), (1, BANNED), (6, foundation("Fen")))) == frozenset()
    )


def test_four_faults_are_shown_as_those_that_add_up_and_alternatives() -> None:
    side = entries((4, foundation("Moor")), (6, foundation("Reed")))
    deck = Deck("ufs", entries((1, KEN), (5, foundation("Bog")), (1, BANNED), *fillers(54)), side)
    verdict = check_deck(deck, FORM)

    assert len(verdict.errors) >= 3
    assert_no_worse(deck, FORM, verdict, _supply(), random.Random(1))


def test_copies_that_two_fixes_would_take_make_them_alternatives() -> None:
    banned_five = check_deck(constructed((5, BANNED)), FORM)

    assert len(banned_five.alternatives) == 2


def spoken_of(deck: Deck, form: Format) -> set[str]:
    """Return the rules that the list breaks or may break."""
    return {each.rule for each in check_deck(deck, form).findings if each.severity in ("error", "unknown")}


def assert_no_worse(
    deck: Deck,
    form: Format,
    verdict: Verdict,
    supply: Callable[[Change], CardFacts],
    chance: random.Random,
) -> None:
    """Apply the fixes one after another, and require that no list becomes worse.

    Fixes that are alternatives are left out. The lists in between are compared.
    """
    fixable = [each for each in verdict.errors if each.fix and each.fix.changes]
    together = [each for each in fixable if each.rule not in verdict.alternatives]
    if len(fixable) < 2:
        return
    for finding in chance.sample(together, len(together)):
        before = spoken_of(deck, form)
        deck = apply_fix(deck, finding.fix, supply)
        assert spoken_of(deck, form) <= before - {finding.rule}, (finding.code, finding.fix)


@FEW
@given(decks(), st.sampled_from(FORMATS), st.randoms(use_true_random=False))
def test_fixes_of_a_ufs_list_add_up_in_any_order(deck: Deck, key: str, chance: random.Random) -> None:
    form = load_format("ufs", key)

    assert_no_worse(deck, form, check_deck(deck, form), _supply(), chance)


def new_cards(small_format: Small) -> Callable[[Change], CardFacts]:
    """Return cards that no list holds, with what is wanted of them."""
    usual = (
        small_format.cards["plain"] if small_format is HIGHLANDER else next(iter(small_format.cards.values()))
    )
    count = 0

    def supply(change: Change) -> CardFacts:
        nonlocal count
        count += 1
        name = f"new {count}"
        facts = {**usual.attributes, "name": name, **(change.wanted_facts or {})}
        able = {"gems": dict.fromkeys("ASTERM", 9)} if facts.get("type") == "Persona" else {}
        return CardFacts.of(name, {**facts, **able})

    return supply


@FEW
@given(counts(CFC), st.randoms(use_true_random=False))
def test_fixes_of_a_cfc_list_add_up_in_any_order(each, chance: random.Random) -> None:
    deck = CFC.deck(each, {})

    assert_no_worse(deck, CFC.format, check_deck(deck, CFC.format), new_cards(CFC), chance)


@FEW
@given(counts(HIGHLANDER), st.randoms(use_true_random=False))
def test_fixes_of_a_highlander_list_add_up_in_any_order(each, chance: random.Random) -> None:
    deck = HIGHLANDER.deck(each, {})

    assert_no_worse(
        deck, HIGHLANDER.format, check_deck(deck, HIGHLANDER.format), new_cards(HIGHLANDER), chance
    )
