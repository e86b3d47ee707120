"""The cut to elimination: qualified players, and the reasons for all others."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cuts import Finisher, UndeclaredCharacter, decide, pair_bracket_first_round, select_diversity_cut
from tests import machine
from tests.everyday import each_case


def field(*characters: str | None) -> list[Finisher[str]]:
    """Return finishers a, b, c … on ranks 1, 2, 3 … with these characters."""
    return [Finisher(place, chr(96 + place), name) for place, name in enumerate(characters, 1)]


def players(cut) -> str:
    return "".join(finisher.player for finisher in cut.qualifiers)


def codes(cut) -> list[str]:
    return [decision.code for decision in cut.decisions]


def test_the_best_of_each_character_goes_on():
    cut = select_diversity_cut(field("Ken", "Ken", "Ryu", "Guile", "Sagat", "Vega"), 4)

    assert players(cut) == "acde"
    assert codes(cut) == ["qualified", "same_character", "qualified", "qualified", "qualified", "no_place"]
    assert cut.decisions[1].reason == "Ken is represented by the player ranked 1."
    assert (cut.size, cut.asked_size, cut.remarks) == (4, 4, ())


def test_without_diversity_rank_alone_counts():
    cut = select_diversity_cut(field("Ken", None, "Ken"), 2, diversity=False)

    assert (players(cut), codes(cut)) == ("ab", ["qualified", "qualified", "no_place"])


def test_a_short_cut_shrinks_and_says_so():
    cut = select_diversity_cut(field("Ken", "Ken", "Ryu"), 4)

    assert (players(cut), cut.size, cut.bracket_size, cut.byes) == ("ac", 2, 2, 0)
    assert cut.remarks == (decide("places-empty", size=2, places=4, filled=0, diversity=True),)


def test_a_short_cut_is_filled_by_the_best_left_out():
    cut = select_diversity_cut(field("Ken", "Ken", "Ryu", "Ken", "Ken"), 4, short="fill")

    assert (players(cut), codes(cut)) == (
        "abcd",
        ["qualified", "filled", "qualified", "filled", "same_character"],
    )
    assert cut.remarks == (decide("places-filled", places=4, filled=2),)


def test_too_few_players_even_when_filled():
    cut = select_diversity_cut(field("Ken", "Ken"), 4, short="fill")

    assert (players(cut), cut.remarks) == (
        "ab",
        (decide("places-empty", size=2, places=4, filled=1, diversity=True),),
    )


def test_who_has_left_or_declines_does_not_block_the_character():
    finishers = [
        Finisher(1, "a", "Ken", has_dropped=True),
        Finisher(2, "b", "Ken", has_declined=True),
        Finisher(3, "c", "Ken"),
        Finisher(4, "d", "Ryu"),
    ]
    cut = select_diversity_cut(finishers, 2)

    assert (players(cut), codes(cut)) == ("cd", ["dropped", "declined", "qualified", "qualified"])


def test_one_player_alone_has_no_opponent():
    assert not select_diversity_cut(field("Ken", "Ken"), 2).is_playable


def test_names_are_compared_without_marks_case_and_blanks():
    assert players(select_diversity_cut(field("●● Ken ●●", " ken", "KEN::", "Ryu"), 2)) == "ad"


def test_an_undeclared_character_within_reach_is_named():
    with pytest.raises(UndeclaredCharacter, match="b has not declared a character") as excinfo:
        select_diversity_cut(field("Ken", None, "Ryu"), 2)

    assert excinfo.value.player == "b"


def test_an_undeclared_character_behind_the_cut_changes_nothing():
    assert players(select_diversity_cut(field("Ken", "Ryu", None), 2)) == "ab"


def test_finishers_come_in_any_order():
    finishers = field("Ken", "Ken", "Ryu", "Guile")

    assert select_diversity_cut(finishers[::-1], 3) == select_diversity_cut(finishers, 3)


@each_case(
    ("finishers", "size", "short", "sentence"),
    [
        (field("Ken"), 0, "shrink", "at least one place"),
        (field("Ken"), 1, "guess", "shrink or fill"),
        ([Finisher(1, "a", "Ken"), Finisher(1, "b", "Ryu")], 1, "shrink", "share rank 1"),
    ],
)
def test_a_cut_that_cannot_be_made_says_why(finishers, size, short, sentence):
    with pytest.raises(ValueError, match=sentence):
        select_diversity_cut(finishers, size, short=short)


FIRST_ROUNDS = (
    ("", ()),
    ("a", ()),
    ("ab", (("a", "b"),)),
    ("abc", (("a", None), ("b", "c"))),
    ("abcd", (("a", "d"), ("b", "c"))),
    ("abcde", (("a", None), ("d", "e"), ("b", None), ("c", None))),
    ("abcdefgh", (("a", "h"), ("d", "e"), ("b", "g"), ("c", "f"))),
)


@each_case(("seeded_players", "expected_names"), FIRST_ROUNDS)
def test_best_meets_last_and_byes_go_to_the_best(seeded_players, expected_names):
    assert pair_bracket_first_round(seeded_players) == expected_names


finishers_drawn = st.lists(
    st.tuples(st.sampled_from(("Ken", "ken ●", "Ryu", "Guile", "Sagat")), st.booleans(), st.booleans()),
    max_size=12,
)


@settings(max_examples=machine.examples(5), deadline=None)
@given(finishers_drawn, st.integers(1, 10), st.booleans(), st.sampled_from(("shrink", "fill")))
def test_every_cut_keeps_its_promises(data, size, diversity, short):
    finishers = [Finisher(rank, rank, *facts) for rank, facts in enumerate(data, 1)]
    cut = select_diversity_cut(finishers, size, diversity=diversity, short=short)
    present = [finisher for finisher in finishers if not (finisher.has_dropped or finisher.has_declined)]
    ranks = [finisher.rank for finisher in cut.qualifiers]

    assert ranks == sorted(ranks)
    assert [d.rank for d in cut.decisions if d.is_in] == ranks
    assert all(decision.reason.endswith(".") for decision in cut.decisions)
    assert set(cut.qualifiers) <= set(present)
    if diversity and short == "shrink":
        characters = [finisher.character.strip(" ●").casefold() for finisher in cut.qualifiers]
        assert len(characters) == len(set(characters))
    else:
        assert cut.size == min(size, len(present))
    assert bool(cut.note) == (cut.size < size or any(d.code == "filled" for d in cut.decisions))
