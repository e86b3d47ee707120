"""Comparison of names.

It ignores case, spacing and the shape of an apostrophe. Dots are no part of a name.
"""

from __future__ import annotations

from rules.names import move_rank_marks, normalize_name, split_rank_marks
from tests.everyday import each_case


@each_case(
    "written_name",
    ["Beginner's Luck", "BEGINNER’S LUCK", " beginner´s  luck ", "Beginner's\tLuck", "Ｂeginner`s luck"],
)
def test_one_name_in_many_spellings(written_name):
    assert normalize_name(written_name) == "beginner's luck"


@each_case(
    "written_name",
    [
        "Double-Dealing",
        "Double\u2010Dealing",
        "Double\u2011Dealing",
        "Double–Dealing",
        "\ufeffDouble-\u200bDealing",
    ],
)
def test_hyphens_are_equal_and_invisible_signs_are_removed(written_name):
    assert normalize_name(written_name) == "double-dealing"


@each_case("other", ["Beginners Luck", "Beginner's Lucks", "Bëginner's Luck"])
def test_other_names_stay_other_names(other):
    assert normalize_name(other) != normalize_name("Beginner's Luck")


@each_case(
    ("written_name", "name", "dots"),
    [
        ("Ken", "Ken", None),
        ("Ken..", "Ken", 2),
        ("Ken ●●●", "Ken", 3),
        ("●●Ken●●", "Ken", 2),
        ("·· Cassandra ··", "Cassandra", 2),
        ("Ken::", "Ken", 4),
        ("Ken::.", "Ken", 5),
        ("Ken**", "Ken", 2),
        ("Gabe, Boy Wonder", "Gabe, Boy Wonder", None),
        ("E. Honda", "E. Honda", None),
        ("●●", "●●", None),
    ],
)
def test_dots_are_taken_off_a_name(written_name, name, dots):
    assert split_rank_marks(written_name) == (name, dots)


@each_case(
    ("name", "dots", "name_and_rank"),
    [
        ("Ken ●●", None, ("Ken", 2)),
        ("Ken ●●", 2, ("Ken", 2)),
        ("Ken ●●", "2", ("Ken", 2)),
        ("Ken ●●", 3, ("Ken", None)),
        ("A.K.I.", 2, ("A.K.I.", 2)),
        ("Ken", 2, ("Ken", 2)),
    ],
)
def test_marks_in_the_name_of_a_record_become_its_rank_unless_it_says_another(name, dots, name_and_rank):
    record = move_rank_marks({"name": name, "type": "Character", "dots": dots}, "dots", {"character"})

    assert (record["name"], record["dots"]) == name_and_rank


@each_case(
    ("name", "kind", "plain_name"),
    [("Ken ●●", None, "Ken"), ("Ken..", None, "Ken.."), ("Ken ●●", "asset", "Ken ●●")],
)
def test_only_round_marks_tell_a_rank_where_the_type_does_not(name, kind, plain_name):
    assert move_rank_marks({"name": name, "type": kind}, "dots", {"character"})["name"] == plain_name
