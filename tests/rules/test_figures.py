"""Figures of a deck.

These are sizes and copies against their limits, types, and what each game counts.
"""

from __future__ import annotations

from rules import CardFacts, Deck, Entry, load_format
from rules.figures import Bar, Figure, list_figures
from tests.everyday import each_case
from tests.rules.test_fixes_that_add_up import make_deck


def card(name: str, **facts: object) -> CardFacts:
    return CardFacts.of(name, {"name": name, **facts})


def figures(deck: Deck, format: str) -> dict[str, Figure]:
    return {each.key: each for each in list_figures(deck, load_format(deck.game, format))}


@each_case(
    ("bar", "state", "words"),
    [
        (Bar("", 60, 60), "ok", "minimum 60"),
        (Bar("", 59, 60), "under", "minimum 60"),
        (Bar("", 5, 0, 4), "over", "maximum 4"),
        (Bar("", 0, 8, 8, or_none=True), "ok", "0 or 8"),
        (Bar("", 5, 8, 8, or_none=True), "under", "0 or 8"),
        (Bar("", 50, 50, 50), "ok", "exactly 50"),
        (Bar("", 3, 2, 4), "ok", "2 to 4"),
        (Bar("", 3, is_open=True), "open", ""),
    ],
)
def test_a_number_is_compared_with_its_limits(bar: Bar, state: str, words: str) -> None:
    assert (bar.state, bar.limit_words) == (state, words)


def test_limits_follow_from_the_rules_of_the_format() -> None:
    main = (Entry(card("Ken", type="character"), 3), Entry(card("Gi", type="foundation"), 5))
    limits = figures(Deck("ufs", main), "constructed")["limits"]

    assert [(bar.label, bar.count, bar.state) for bar in limits.bars] == [
        ("Main deck", 8, "under"),
        ("Sideboard", 0, "ok"),
        ("Character", 3, "ok"),
        ("Most copies", 5, "over"),
    ]


def test_types_and_declared_facts_are_counted_and_unknown_ones_said() -> None:
    main = (
        Entry(card("Ken", type="character", difficulty=6), 2),
        Entry(card("Gi", type="foundation", difficulty=2), 4),
        Entry(card("Odd"), 1),
    )
    deck_figures = figures(Deck("ufs", main), "constructed")

    assert [(bar.label, bar.count) for bar in deck_figures["types"].bars] == [
        ("Character", 2), ("Foundation", 4), ("Unknown", 1),
    ]  # fmt: skip
    assert [(bar.label, bar.count) for bar in deck_figures["difficulty"].bars] == [
        ("2", 4),
        ("6", 2),
        ("Unknown", 1),
    ]


def test_a_fact_that_no_card_has_is_left_out() -> None:
    assert "difficulty" not in figures(Deck("ufs", (Entry(card("Ken", type="character"), 2),)), "constructed")


def test_gems_are_measured_against_those_of_the_persona() -> None:
    gems = figures(make_deck("35 plain1, 2 agile"), "standard")["gems"]

    assert (gems.bars[0].label, gems.bars[0].count, gems.bars[0].state) == ("Agility", 8, "over")
    assert gems.bars[0].limit_words == "maximum 6"
