"""Properties of the verdict on every UFS list."""

from __future__ import annotations

import random
from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import CardFacts, Deck, Entry, Verdict, check_deck, load_format
from rules.finding import Change
from rules.fixes import apply_fix
from tests import machine
from tests.rules.builders import case_file

FEW = settings(max_examples=machine.examples(3), deadline=None, suppress_health_check=[HealthCheck.too_slow])
FORMATS = ("constructed", "sealed", "draft")

CARDS = tuple(
    CardFacts.of(key, {"split": (), **attributes})
    for key, attributes in case_file("ufs.toml")["pools"]["own"]["cards"].items()
)
FILLERS = tuple(card for card in CARDS if card.key.startswith("F"))
IN_LISTS = tuple(card for card in CARDS if card not in FILLERS[15:])

entries = st.lists(st.tuples(st.sampled_from(IN_LISTS), st.integers(1, 6)), max_size=6)


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    """Return lists near the limits.

    They have some odd cards, and fillers up to about the size of a format.
    """
    odd = draw(entries)
    copies = draw(st.sampled_from((4, 4, 4, 5)))
    fill = [(card, copies) for card in FILLERS[: draw(st.sampled_from((6, 8, 9, 13, 15)))]]
    side = draw(st.one_of(st.just([]), entries, st.just([(card, 4) for card in CARDS[2:4]])))
    pool = draw(st.one_of(st.none(), st.just([(card, 4) for card in CARDS])))
    options = {
        "diversity": draw(st.booleans()),
        "declared_character": draw(st.sampled_from((None, "Ken", "Ryu", "Hugo ●●"))),
    }
    return Deck(
        "ufs",
        *(_number_cards(zone) for zone in (odd + fill, side, [])),
        pool and _number_cards(pool),
        options,
    )


def _number_cards(counted_cards: list[tuple[CardFacts, int]]) -> tuple[Entry, ...]:
    return tuple(Entry(card, qty, line) for line, (card, qty) in enumerate(counted_cards, 1))


def _list_rules(verdict: Verdict) -> set[tuple[str, str]]:
    return {(finding.rule, finding.severity) for finding in verdict.findings}


@FEW
@given(decks(), st.sampled_from(FORMATS), st.randoms(use_true_random=False))
def test_the_order_of_lines_never_changes_a_verdict(deck: Deck, key: str, chance: random.Random):
    shuffled_zones = {
        zone: chance.sample(getattr(deck, zone), len(getattr(deck, zone))) for zone in ("main", "sideboard")
    }
    before, after = (
        check_deck(each, load_format("ufs", key)) for each in (deck, deck.with_zones(shuffled_zones))
    )

    assert (_list_rules(after), after.outcome) == (_list_rules(before), before.outcome)


@FEW
@given(decks(), st.sampled_from(CARDS), st.integers(1, 4), st.sampled_from(("main", "sideboard")))
def test_adding_a_card_never_mends_a_copies_fault(deck: Deck, card: CardFacts, qty: int, zone: str):
    more = deck.with_zones({zone: (*getattr(deck, zone), Entry(card, qty))})
    form = load_format("ufs", "constructed")

    if ("UFS-L03", "error") in _list_rules(check_deck(deck, form)):
        assert ("UFS-L03", "error") in _list_rules(check_deck(more, form))


@FEW
@given(decks(), st.sampled_from(FORMATS))
def test_a_list_that_is_legal_under_1_9_is_legal_under_1_8_but_for_dark_hado(deck: Deck, key: str):
    taken_apart = sum(entry.qty for _, entry in deck.entries() if entry.card.name == "Dark Hado")
    if taken_apart <= 4 and check_deck(deck, load_format("ufs", key, rules="1.9")).outcome == "legal":
        assert check_deck(deck, load_format("ufs", key, rules="1.8")).outcome == "legal"


@FEW
@given(decks(), st.sampled_from(FORMATS))
def test_a_mend_removes_its_finding(deck: Deck, key: str):
    form = load_format("ufs", key)
    for finding in check_deck(deck, form).errors:
        assert finding.fix is not None, finding
        if not finding.fix.changes:
            assert (finding.code, finding.follows_from) == (
                "character-not-declared",
                form.rule("character").rule,
            )
            continue
        mended_deck = apply_fix(deck, finding.fix, _supply())
        assert finding.rule not in {error.rule for error in check_deck(mended_deck, form).errors}, finding.fix


@FEW
@given(decks(), st.sampled_from(FORMATS))
def test_mending_one_finding_after_another_ends_in_a_legal_list(deck: Deck, key: str):
    form, supply = load_format("ufs", key), _supply()
    for _ in range(12):
        fixes = [finding.fix for finding in check_deck(deck, form).errors if finding.fix.changes]
        if not fixes:
            break
        deck = apply_fix(deck, fixes[0], supply)

    assert check_deck(deck, form).outcome == "legal"


def _supply():
    """Supply cards that no list has.

    They are unused fillers, or the lowest version of a character that is requested.
    """
    unused_cards = iter([card for card in FILLERS[15:] for _ in range(4)])
    characters = sorted(
        (card for card in CARDS if card.get("type") == "character"), key=lambda card: card.get("dots")
    )

    def supply(change: Change) -> CardFacts:
        if not change.wanted_facts:
            return next(unused_cards)
        name = str(change.wanted_facts.get("name", "Ken"))
        return next(card for card in characters if card.name == name)

    return supply


@FEW
@given(decks(), st.sampled_from(FORMATS), st.randoms(use_true_random=False))
def test_forgetting_facts_leaves_the_verdict_or_makes_it_unknown(deck: Deck, key: str, chance: random.Random):
    form = load_format("ufs", key)
    forgetful = {card.key: _forget(card, chance) for card in CARDS}
    zones = {
        zone: [replace(entry, card=forgetful[entry.card.key]) for entry in getattr(deck, zone)]
        for zone in ("main", "sideboard")
    }
    known_outcome, vague = check_deck(deck, form).outcome, check_deck(deck.with_zones(zones), form).outcome

    assert vague in {known_outcome, "unknown"}


def _forget(card: CardFacts, chance: random.Random) -> CardFacts:
    values_by_fact = {
        fact: value for fact, value in card.attributes.items() if fact == "name" or chance.random() < 0.8
    }
    return CardFacts(card.key, card.name, values_by_fact)


@FEW
@given(
    st.lists(
        st.tuples(st.sampled_from(CARDS), st.one_of(st.integers(-3, 3), st.none(), st.text(max_size=3)))
    ),
    st.sampled_from(FORMATS),
)
def test_no_quantity_is_too_odd_to_be_judged(counted_cards, key: str):
    deck = Deck("ufs", tuple(Entry(card, qty, line) for line, (card, qty) in enumerate(counted_cards, 1)))
    verdict = check_deck(deck, load_format("ufs", key))

    odd = [line for line, (_, qty) in enumerate(counted_cards, 1) if type(qty) is not int or qty < 0]
    lines = [
        finding.lines for finding in verdict.findings if finding.code.startswith("quantity-not-positive")
    ]
    assert lines == ([tuple(odd)] if odd else [])
    assert verdict.outcome != "legal"
