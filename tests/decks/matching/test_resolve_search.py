"""Search as one types."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from decks.importers.parsing import parse
from decks.matching.index import CardIndex
from decks.matching.model import IndexedPrinting
from tests import machine
from tests.everyday import each_case
from tests.scenarios.printings import INDEX, PRINTINGS, printing


def search_labels(text: str, limit: int = 10) -> list[str]:
    return [suggestion.label for suggestion in INDEX.search(text, limit)]


@each_case("text", ["k", "ku", "kub", "kubi o", "ori kub", "kubbi ori", "KUBI-ORI", "neck", "kubi orri"])
def test_beginnings_words_in_any_order_and_misspellings_find_a_card(text: str) -> None:
    assert "Kubi Ori (SF05 46/90)" in search_labels(text)


@each_case("text", ["protege", "Protégé", "PROTÉ"])
def test_accents_do_not_matter(text: str) -> None:
    assert search_labels(text) == ["Protégé (HM3 007)"]


@each_case(
    "text", ["Ken ●●", "Ken..", "Ken**", "Ken2", "ken 2", "●●ken", "Ken 2 dots", "kèn ••", "KEN ..", "ken **"]
)
def test_version_with_the_dots_asked_for_comes_first(text: str) -> None:
    assert search_labels(text)[0] == "Ken ●● (SF01 38/143)"
    assert len(search_labels(text)) == 3


@each_case(
    ("text", "label"),
    [
        ("SF01 38", "Ken ●● (SF01 38/143)"),
        ("sf01-038", "Ken ●● (SF01 38/143)"),
        ("38/143", "Ken ●● (SF01 38/143)"),
        ("073/143", "Taki ● (SC01 073/143)"),
        ("73/143", "Taki ● (SC01 073/143)"),
        ("SC01 073/143", "Taki ● (SC01 073/143)"),
        ("#38", "Ken ●● (SF01 38/143)"),
    ],
)
def test_set_numbers_find_their_card(text: str, label: str) -> None:
    assert search_labels(text) == [label]


@each_case("text", ["SF05", "sf05", "SF05 k", "ken SF05", "SF05 kem"])
def test_set_code_among_the_words_keeps_to_its_set(text: str) -> None:
    assert "Ken ●●●● (SF05 55/90)" in search_labels(text)
    assert {label.split("(")[1][:4] for label in search_labels(text)} == {"SF05"}


def test_a_number_that_is_part_of_a_name_is_no_set_number() -> None:
    numbered_rows = printing("Half Time (2006 1/2)", "HL 3", card="b")
    index = CardIndex(
        [printing("Duncan", "2006 1/2", card="a"), numbered_rows, printing("Half Time", "HL 4")]
    )
    assert [each.card_key for each in index.search("Half Time (2006 1/2)")] == ["b", "a"]
    assert [each.card_key for each in index.search("half time 2006 1/2")] == ["b"]
    assert [each.card_key for each in index.search("Duncan (2006 1/2)")] == ["a"]
    assert {each.card_key for each in index.search("Half Time")} == {"Half Time", "b"}


def test_set_code_of_letters_must_be_in_capitals() -> None:
    assert search_labels("PA") == ['"7 Iron" (PA 11/45)', "Iron (PA 12/45)"]
    assert search_labels("pa") == []


def test_exact_name_comes_before_longer_ones() -> None:
    index = CardIndex([printing("Iron Golem", "A 1"), printing("Iron", "A 2"), printing("Irony", "A 3")])
    assert [suggestion.name for suggestion in index.search("iron")] == ["Iron", "Irony", "Iron Golem"]


def test_each_card_comes_once_and_the_limit_holds() -> None:
    assert search_labels("copper golem").count("Copper Golem (RIM 12/60)") == 1
    assert len(search_labels("k")) == 6
    assert len(search_labels("k", 2)) == 2


def test_parts_that_are_no_deck_cards_are_not_found() -> None:
    assert search_labels("start game") == []


@each_case("text", ["", "   ", "●●", "...", "[", "(SF99 1)", "\u200b", "'"])
def test_what_says_nothing_finds_nothing_or_little(text: str) -> None:
    assert search_labels(text) == []


@settings(max_examples=machine.examples(5), deadline=None)
@given(st.text(max_size=30))
def test_any_text_is_answered(text: str) -> None:
    answer = INDEX.search(text, 5)
    assert len(answer) <= 5
    assert all(0 <= suggestion.score <= 100 for suggestion in answer)


@settings(max_examples=machine.examples(5), deadline=None)
@given(st.sampled_from([each for each in PRINTINGS if each.is_deck_card]), st.integers(min_value=3))
def test_every_card_is_found_by_the_beginning_of_its_name(each: IndexedPrinting, letters: int) -> None:
    name = each.name.lstrip(".")
    start = name[: max(3, letters % (len(name) + 1))]
    assert each.card_key in [suggestion.card_key for suggestion in INDEX.search(start, 20)]


@settings(max_examples=machine.examples(5), deadline=None)
@given(st.text(max_size=40))
def test_any_line_is_answered_without_a_guess(text: str) -> None:
    for line in parse(text).lines:
        match = INDEX.resolve(line)
        assert (match.card_key is not None) == (match.status in {"exact", "normalised"})
        assert (match.sure == "no") == (match.card_key is None)
