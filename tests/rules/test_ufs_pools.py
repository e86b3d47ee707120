"""Limited decks against their pool.

They are compared with counting every copy by its name and printing.
"""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from rules import CardFacts, Deck, check_deck, check_exchange, load_format
from tests import machine
from tests.rules.builders import KEN, entries, fillers, foundation

SEALED = load_format("ufs", "sealed")
CARDS = {
    "starter": foundation("Taking the Bait", set="SC03", number=90, variant="starter"),
    "booster": foundation("Taking the Bait", set="SC03", number=90, variant="booster"),
    "luck": foundation("Beginner's Luck", set="SF01", number=136),
    "green": foundation("Green", set="SF01", number=136),
    "punch": foundation("Punch"),
}
KEYED = {name: CardFacts.of(name, card.attributes) for name, card in CARDS.items()}
COPIES = st.fixed_dictionaries({name: st.integers(0, 3) for name in KEYED})


def pool_entries(copies: dict[str, int], *others: tuple[int, CardFacts]):
    return entries(*others, *((qty, KEYED[name]) for name, qty in copies.items() if qty))


REST = [(1, KEN), *fillers(44)]


@settings(max_examples=machine.examples(8), deadline=None)
@given(COPIES, COPIES, COPIES)
def test_a_list_holds_no_more_of_a_printing_than_its_pool(
    main: dict[str, int], side: dict[str, int], pool: dict[str, int]
) -> None:
    deck = Deck("ufs", pool_entries(main, *REST), pool_entries(side), pool=pool_entries(pool, *REST))
    rules = {finding.rule for finding in check_deck(deck, SEALED).errors}
    too_many = (Counter(main) + Counter(side)) - Counter(pool)

    assert rules == ({"UFS-L17"} if too_many else set())


@settings(max_examples=machine.examples(8), deadline=None)
@given(COPIES, COPIES, COPIES, COPIES)
def test_without_a_record_deck_and_rest_come_from_what_was_registered(
    main: dict[str, int], side: dict[str, int], then_main: dict[str, int], then_side: dict[str, int]
) -> None:
    registered_deck = Deck("ufs", pool_entries(main, *REST), pool_entries(side))
    presented = Deck("ufs", pool_entries(then_main, *REST), pool_entries(then_side))
    verdict = check_exchange(registered_deck, presented, SEALED, game_in_round=2)
    strange = (Counter(then_main) + Counter(then_side)) - (Counter(main) + Counter(side))

    assert {finding.rule for finding in verdict.errors} == ({"UFS-L24"} if strange else set())


def test_a_printing_that_is_not_told_may_be_the_opened_one() -> None:
    silent = CardFacts.of("silent", {**CARDS["starter"].attributes, "variant": None})
    deck = Deck("ufs", entries((1, silent), *REST), pool=pool_entries({"starter": 1}, *REST))
    verdict = check_deck(deck, SEALED)

    assert verdict.outcome == "unknown"
    assert [(fact.fact, fact.card) for fact in verdict.unknowns] == [("variant", "silent")]
