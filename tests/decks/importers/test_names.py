"""Names as people type them.

The tests cover cleaning, comparing, and the rank dots of characters.
"""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from decks.importers.names import clean, exact_key, fold, split_dots
from tests.everyday import each_case

SPELLINGS = [
    ("Ken ●", 1),
    ("Ken●●", 2),
    ("●●Ken", 2),
    ("· Ken ·", 1),
    ("··· Ken ···", 3),
    ("···Ken ···", 3),
    ("Ken • •", 2),
    ("Ken**", 2),
    ("*Ken*", 1),
    ("Ken::", 4),
    (":: Ken ::", 4),
    ("Ken::.", 5),
    (":·: Ken :·:", 5),
    ("Ken:.", 3),
    ("Ken (●●)", 2),
    ("Ken [●●]", 2),
    ("Ken 2 dots", 2),
    ("Ken (2-dot)", 2),
    ("1 dot Ken", 1),
    ("3-dot Ken", 3),
]


@each_case(("written_name", "dots"), SPELLINGS)
def test_rank_dots_are_read_in_every_spelling(written_name: str, dots: int) -> None:
    split_name = split_dots(written_name)
    assert (split_name.name, split_name.dots, split_name.is_soft) == ("Ken", dots, False)


@each_case(("written_name", "name", "dots"), [("Ken..", "Ken", 2), ("Ken…", "Ken", 3), ("..Ken", "Ken", 2)])
def test_full_stops_are_dots_that_may_be_punctuation(written_name: str, name: str, dots: int) -> None:
    split_name = split_dots(written_name)
    assert (split_name.name, split_name.dots, split_name.is_soft) == (name, dots, True)


@each_case(
    "name", ["Ken", "Ken:", "K'", "Fruit F#@!er", "00101.01101.01111", "Ken ........", "●●●●●●●", "***", ""]
)
def test_what_is_no_rank_is_left_alone(name: str) -> None:
    assert split_dots(name).name == name
    assert split_dots(name).dots is None


def test_different_dots_before_and_after_are_not_read_and_said_to_be_unclear() -> None:
    split_name = split_dots("● Ken ●●")
    assert (split_name.name, split_name.dots, split_name.is_clear) == ("● Ken ●●", None, False)


@each_case(
    ("one", "other"),
    [
        ("Chun-Li", "chun li"),
        ("Protégé", "Protege"),
        ("K'", "K’"),
        ("Salt & Iron", "Salt and Iron"),
        ("Straße", "STRASSE"),
        ("Ærø", "Aero"),
        ("M.I.A.", "MIA"),
        ("Flying Golem/ Wings", "flying golem / wings"),
    ],
)
def test_spellings_of_one_name_fold_to_the_same(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@each_case(
    ("one", "other"), [("K’", "k'"), ("Wait…", "wait..."), ("Rock–Golem", "rock-golem"), ("A\u00a0 B", "a b")]
)
def test_typography_and_case_make_no_difference_to_the_exact_key(one: str, other: str) -> None:
    assert exact_key(one) == exact_key(other)


def test_accents_make_a_difference_to_the_exact_key() -> None:
    assert exact_key("Protégé") != exact_key("Protege")


def test_names_of_signs_alone_fold_to_themselves() -> None:
    assert fold("???") == "???"
    assert fold("!!!") == "!!!"


@given(st.text())
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@given(st.text(min_size=1))
def test_equal_exact_keys_mean_equal_folds(text: str) -> None:
    assert fold(exact_key(text)) == fold(text)


@given(st.text(alphabet="abK '●•.*:(2)-dots", max_size=20))
def test_dots_and_name_never_hold_more_letters_than_were_written(text: str) -> None:
    split_name = split_dots(text)
    assert split_name.name in text
    assert split_name.dots is None or 1 <= split_name.dots <= 6
