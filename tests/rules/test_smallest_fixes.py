"""The fix of a finding.

It is the smallest that settles the finding, breaks nothing else and leaves no zone shorter.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules import CardFacts, Deck, Entry, check_deck, load_format
from rules.finding import Fix
from tests import machine
from tests.rules.builders import KEN, entries, fillers, foundation
from tests.rules.test_highlander_properties import CARDS, SLOTS, make_entries
from tests.rules.test_plans import BATTLE, CFC, UFS, Counts, Small, counts

FEW = settings(max_examples=machine.examples(2), deadline=None, suppress_health_check=[HealthCheck.too_slow])
DEEPEST = 3 if os.environ.get("RINGSIDE_TEST_WHOLE") else 2
OPTIONS = {"sf_miniatures": {"character": "Ken"}}


def count_changes(fix: Fix) -> int:
    """Return how many copies come, go or move, and how many options are declared."""
    came: Counter[str | None] = Counter()
    went: Counter[str | None] = Counter()
    for change in fix.changes:
        copies = went if change.action == "remove" else came
        copies[change.card] += change.qty or 1
    move_count = sum(min(qty, went[card]) for card, qty in came.items() if card is not None)
    return came.total() + went.total() - move_count


def find_shortages(small_format: Small, deck: Deck) -> dict[str, float]:
    """Return how many cards each zone lacks; a zone that is too large lacks none."""
    shortages = {}
    for zone, size in small_format.format.rules[0].setting.sizes.items():
        card_count = deck.size(zone)
        is_empty = size.or_none and card_count == 0
        shortages[zone] = 0 if is_empty else max(0, size.least - card_count)
        if size.most is not None and card_count > size.most:
            shortages[zone] = float("inf")
    return shortages


def settles(small_format: Small, before: Deck, after: Deck, rule: str) -> bool:
    broken_rules, then = (
        {f.rule for f in check_deck(deck, small_format.format).errors} for deck in (before, after)
    )
    shortages, shortages_left = find_shortages(small_format, before), find_shortages(small_format, after)
    return then <= broken_rules - {rule} and all(
        shortages_left[zone] <= shortages[zone] for zone in shortages_left
    )


def assert_smallest(small_format: Small, counts: Counts) -> None:
    options = OPTIONS.get(small_format.format.game.key, {})
    deck = small_format.deck(counts, options)
    for finding in check_deck(deck, small_format.format).errors:
        fix = finding.fix
        level, reached_counts = {counts}, {counts}
        for _ in range(min(DEEPEST, count_changes(fix) - 1) if fix and fix.changes else 0):
            level = {new for each in level for new in small_format.neighbors(each)} - reached_counts
            reached_counts |= level
            smaller = [
                each
                for each in level
                if settles(small_format, deck, small_format.deck(each, options), finding.rule)
            ]
            assert smaller == [], (fix.sentence, sorted(smaller[0]))


@pytest.mark.parametrize("small_format", [UFS, CFC, BATTLE], ids=["ufs", "cfc", "battle"])
@FEW
@given(data=st.data())
def test_no_smaller_change_settles_a_finding(small_format: Small, data: st.DataObject) -> None:
    assert_smallest(small_format, data.draw(counts(small_format)))


def say_fixes(deck: Deck, key: str) -> dict[str, str]:
    return {f.rule: f.fix.sentence for f in check_deck(deck, load_format(deck.game, key)).errors if f.fix}


PUNCH = foundation("Punch")


@pytest.mark.parametrize(
    ("main", "side", "rule", "fix"),
    [
        (60, 10, "UFS-L03", "Remove 6 Punch from the sideboard."),
        (60, 10, "UFS-L04", "Remove 2 Punch from the sideboard."),
        (60, 8, "UFS-L03", "Remove 4 Punch from the sideboard. It then has 4 cards: add 4."),
        (59, 5, "UFS-L03", "Remove 1 Punch from the sideboard. It then has 4 cards: add 1."),
    ],
)
def test_copies_go_and_others_come_only_where_the_zone_would_lack_them(
    main: int, side: int, rule: str, fix: str
) -> None:
    deck = Deck("ufs", entries((1, KEN), *fillers(main - 1)), entries((side, PUNCH)))

    assert say_fixes(deck, "constructed")[rule] == fix


def test_a_character_moves_in_alone_where_the_sideboard_has_no_size() -> None:
    deck = Deck("ufs", entries(*fillers(40)), entries((1, KEN)))

    assert say_fixes(deck, "sealed") == {"UFS-L09": "Move 1 Ken ●● from the sideboard to the main deck."}


def test_a_pregame_card_that_leaves_the_deck_is_not_replaced() -> None:
    main = make_entries([(slot, 1) for slot in SLOTS] + [(f"F{number:02}", 5) for number in range(7, 14)])
    deck = Deck("highlander", (*main, Entry(CARDS["dirk"], 2)), (), make_entries([("duncan", 1)]))

    assert say_fixes(deck, "standard")["HL-L27"] == "Remove 1 Dirk from the main deck."


SWAP, OTHER = "Add 1 Focus Attack.", "It then has 39 cards: add 1."


@pytest.mark.parametrize(
    ("bait", "focus", "attack", "fix"),
    [
        (4, 1, 33, f"Remove 1 attack from the main deck. {SWAP}"),
        (5, 1, 32, f"Remove 1 bait from the main deck. {SWAP}"),
        (5, 2, 31, f"Remove 1 bait from the main deck. {OTHER}"),
    ],
)
def test_a_battle_deck_keeps_its_forty_cards(bait: int, focus: int, attack: int, fix: str) -> None:
    quantities = {"bait": bait, "focus": focus, "super": 2, "attack": attack}
    cards = [
        (qty, CardFacts.of(kind, {"name": kind, "kind": kind, "owner": "Ken"}))
        for kind, qty in quantities.items()
    ]
    deck = Deck("sf_miniatures", entries(*cards), options={"character": "Ken"})

    assert say_fixes(deck, "battle_deck") == {"SFM-L02": fix}


@pytest.mark.parametrize(
    ("size", "lean_count", "fixes"),
    [
        (50, 4, {"HL-L43": "Remove 2 Filler 12 from the main deck. Add 2 Lean and Mean."}),
        (51, 6, {"HL-L44": "Remove 1 Filler 12 from the main deck."}),
        (48, 4, {"HL-L02": "Add 2 cards to the main deck.", "HL-L43": "Add 2 Lean and Mean."}),
    ],
)
def test_a_lean_deck_keeps_its_size_and_what_it_must_have(
    size: int, lean_count: int, fixes: dict[str, str]
) -> None:
    fillers = [(f"F{number:02}", 5) for number in range(7, 12)]
    rest = size - len(SLOTS) - lean_count - sum(qty for _, qty in fillers)
    main = make_entries([*fillers, ("F12", rest), ("lean", lean_count), *((slot, 1) for slot in SLOTS)])
    deck = Deck("highlander", main, (), make_entries([("duncan", 1)]))

    assert say_fixes(deck, "lean_and_mean") == {**fixes, **({"HL-L44": fixes["HL-L02"]} if size < 50 else {})}


@pytest.mark.parametrize("last", ["bait", "focus", "super"])
def test_a_battle_deck_that_is_too_large_keeps_what_it_must_have(last: str) -> None:
    quantities = {"attack": 33, "bait": 4, "focus": 2, "super": 2}
    kinds = [*(kind for kind in quantities if kind != last), last]
    cards = [CardFacts.of(kind, {"name": kind, "kind": kind, "owner": "Ken"}) for kind in kinds]
    listed_cards = entries(*((quantities[card.key], card) for card in cards))
    deck = Deck("sf_miniatures", listed_cards, options={"character": "Ken"})

    assert say_fixes(deck, "battle_deck") == {"SFM-L01": "Remove 1 attack from the main deck."}
