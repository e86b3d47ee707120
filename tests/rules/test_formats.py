"""Loading of a format.

This covers versions by number and by day, names that do not exist, and the format in words.
"""

from __future__ import annotations

import importlib
from datetime import date

import pytest

import rules
from rules import Edition, UnknownFormat, load_format
from rules.format_text import diff_formats, explain_format
from rules.game import Version
from tests.everyday import each_case


def test_ufs_is_listed_first_and_the_other_games_by_key():
    first, *others = [game.key for game in rules.games()]
    assert (first, others) == ("ufs", sorted(others))
    assert "cfc" in others


def test_the_games_are_still_listed_after_a_game_was_imported():
    importlib.import_module("rules.games.ufs.checks")

    assert "ufs" in {game.key for game in rules.games()}


def test_the_formats_of_a_game():
    assert rules.format_names("ufs") == ("constructed", "sealed", "draft")
    assert rules.format_names("cfc") == ("standard",)


def test_the_highest_version_is_the_default():
    assert load_format("ufs", "constructed").version == "1.9"


def test_versions_are_ordered_by_number_not_by_text():
    assert Version("1.10", "").order > Version("1.9", "").order


def test_two_versions_of_one_day_are_ordered_by_number():
    assert load_format("ufs", "constructed", on=date(2008, 2, 27)).version == "1.9"


def test_a_version_may_be_asked_for_whatever_the_day():
    form = load_format("ufs", "constructed", rules="1.8", on=date(2020, 1, 1))

    assert (form.version, form.document) == ("1.8", "UFS Tournament Rules v1.8")


def test_a_version_that_is_asked_for_before_its_first_day_has_its_lists():
    form = load_format("ufs", "constructed", rules="1.9", on=date(2008, 2, 26))

    assert form.editions == load_format("ufs", "constructed", on=date(2008, 2, 27)).editions


def test_a_version_has_other_names():
    assert load_format("cfc", "standard", rules="seed-003").version == "1"


@each_case(
    ("selection", "message"),
    [
        ({"game": "chess", "format": "blitz"}, "There is no game chess. The games are: "),
        ({"game": "../ufs", "format": "blitz"}, "There is no game ../ufs. The games are: "),
        (
            {"game": "ufs", "format": "modern"},
            "Universal Fighting System has no format modern. The formats are: constructed, sealed and draft.",
        ),
        (
            {"game": "ufs", "format": "sealed", "rules": "2.0"},
            "Universal Fighting System has no version 2.0. "
            "The versions are: 1.8 since Wed 27 Feb 2008 and 1.9 since Wed 27 Feb 2008.",
        ),
        (
            {"game": "ufs", "format": "sealed", "on": date(2008, 2, 26)},
            "Universal Fighting System has no version in force on Tue 26 Feb 2008. "
            "The versions are: 1.8 since Wed 27 Feb 2008 and 1.9 since Wed 27 Feb 2008.",
        ),
    ],
)
def test_what_does_not_exist_is_answered_with_what_does(selection, message):
    with pytest.raises(UnknownFormat) as problem:
        load_format(**selection)

    assert str(problem.value).startswith(message)


def test_every_format_of_every_version_can_be_loaded_and_said():
    for game in rules.games():
        for key in game.formats:
            for version in game.versions:
                form = load_format(game.key, key, rules=version.number)
                assert explain_format(form)
                assert all(rule.in_words() for rule in form.rules), form.key


def test_a_rule_says_its_own_numbers_with_its_clause():
    lines = explain_format(load_format("ufs", "constructed")).splitlines()

    assert "  Main deck: at least 60 cards. [UFS-L01, 100.3.1]" in lines
    assert "  At most 4 copies of one card (main deck and sideboard together). [UFS-L03, 100.3.1]" in lines
    assert "  Sideboard: no cards or exactly 8 cards. [UFS-L04, 100.3.1]" in lines


@each_case(
    ("key", "removed_copies"),
    [("constructed", 10), ("sealed", 5), ("draft", 10)],
)
def test_players_learn_beforehand_what_cycling_costs(key, removed_copies):
    cycling = next(c for c in load_format("ufs", key).conditions() if c.key == "cycling")

    assert cycling.params == {"removed": removed_copies}
    assert (
        cycling.in_words()
        == f"A player who cycles the deck removes its top {removed_copies} cards from the game."
    )


def test_invented_points_are_called_ours():
    points = next(c for c in load_format("ufs", "constructed").conditions() if c.key == "points")

    assert (points.basis, points.params) == ("ours", {"win": 3, "draw": 1, "loss": 0})
    assert "Ringside default" in explain_format(load_format("ufs", "constructed"))


def test_the_match_forms_of_ufs_have_their_clause():
    game = next(game for game in rules.games() if game.key == "ufs")

    assert [
        (m.key, m.games_to_win, m.minutes, m.warning_minutes_left, m.clause, m.is_ours)
        for m in game.match_forms
    ] == [
        ("best_of_3_50min", 2, 50, 10, "100.4", False),
        ("one_game_30min", 1, 30, 10, "100.4", False),
    ]
    assert [field.key for field in game.registration_fields] == ["character"]


def test_the_match_forms_of_cfc_are_ours():
    game = next(game for game in rules.games() if game.key == "cfc")

    assert {form.is_ours for form in game.match_forms} == {True}
    assert game.registration_fields == ()


def test_1_9_differs_from_1_8_by_first_blood_and_its_lists():
    old, new = (load_format("ufs", "constructed", rules=number) for number in ("1.8", "1.9"))
    lines = diff_formats(old, new).splitlines()

    assert lines[0] == (
        "Universal Fighting System, Constructed: from UFS Tournament Rules v1.8 to UFS Tournament Rules v1.9"
    )
    assert lines[1] == (
        "  End of time, if no draw is possible, added: "
        "If that is tied too, play First Blood: the first player to deal damage wins. [102.3.1]"
    )
    assert sum(line.startswith("  Banned list: now") for line in lines) == 16
    assert {line.split(":")[0].strip() for line in lines[3:]} == {"Banned list", "Errata", "Card identities"}


def test_a_version_does_not_differ_from_itself():
    form = load_format("ufs", "draft")

    assert diff_formats(form, form).splitlines()[1:] == ["  No differences."]


def test_diff_says_what_a_format_changes_in_a_rule():
    constructed, sealed = (load_format("ufs", key) for key in ("constructed", "sealed"))
    lines = diff_formats(constructed, sealed).splitlines()

    assert (
        "  changed: Main deck: at least 60 cards. [UFS-L01, 100.3.1] is now "
        "Main deck: at least 40 cards. [UFS-L08, 100.3.2]" in lines
    )
    assert any(line.startswith("  removed: At most 4 copies of one card") for line in lines)


def test_the_shipped_editions_of_a_game():
    assert [(e.kind, e.number, e.versions) for e in rules.shipped_editions("ufs")] == [
        ("bans", 1, ("1.9",)),
        ("errata", 1, ("1.9",)),
        ("identities", 1, ("1.8",)),
        ("identities", 2, ("1.9",)),
    ]
    assert all(isinstance(edition, Edition) for edition in rules.shipped_editions("ufs"))


def test_a_format_is_read_once():
    assert load_format("ufs", "constructed") is load_format("ufs", "constructed")


@each_case("game", rules.games())
def test_every_format_says_in_one_sentence_what_it_is(game):
    summaries_by_key = {key: load_format(game.key, key).summary for key in game.formats}

    assert [key for key, summary in summaries_by_key.items() if not summary.endswith(".")] == []
    assert len(set(summaries_by_key.values())) == len(summaries_by_key)


@each_case(
    ("game", "clause", "tag"),
    [
        ("ufs", "100.3.1", "UFS 100.3.1"),
        ("highlander", "Official Tournament Rules (l.2050); Winning The Game (l.201)", "HL l.2050, l.201"),
        ("highlander", "Card text and FAQ (l.233, 263)", "HL l.233, 263"),
        ("sf_miniatures", "Time Out p.9 (l.632)", "SFM p.9"),
        ("cfc", "not in the document", ""),
        ("ufs", "UFS 100.2", "UFS 100.2"),
        ("highlander", "HL l.2107", "HL l.2107"),
    ],
)
def test_a_clause_is_shortened_to_document_and_place(game, clause, tag):
    assert rules.get_game(game).shorten_clause(clause).replace("\N{NO-BREAK SPACE}", " ") == tag
