"""The tutorials on adding a game build games that work, file by file."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest

from rules import UnknownFormat
from rules.cases import answer_cases
from rules.checks import get_shared_checks
from rules.format_text import diff_formats, explain_format
from rules.library import Library
from rules.lint import lint
from tests.everyday import each_case
from tests.scenarios.fifth_game import EMBERHOLD, FILES, write_files, write_tidewater


def words(cell: str) -> set[str]:
    """Return what is between backticks."""
    return set(re.findall(r"`(\w+)`", cell))


@pytest.fixture(scope="module")
def library(tmp_path_factory) -> Library:
    return Library(write_tidewater(tmp_path_factory.mktemp("games")))


def test_the_page_shows_a_whole_game():
    assert sorted(FILES) == [
        "tidewater/cards.toml",
        "tidewater/cases.json",
        "tidewater/checks.py",
        "tidewater/formats/crew-1.toml",
        "tidewater/formats/crew-2.toml",
        "tidewater/game.toml",
        "tidewater/lists/bans-1.toml",
        "tidewater/messages/en.toml",
    ]


def test_its_data_is_well_formed(library):
    assert lint(library) == []


@each_case("place", range(5))
def test_its_cases_have_the_verdicts_that_the_page_says(library, place):
    data = json.loads(FILES["tidewater/cases.json"])
    case, answer = data["cases"][place], list(answer_cases(data, library))[place]
    broken_rules = [
        finding["rule"] for finding in answer.get("findings", ()) if finding["severity"] == "error"
    ]

    assert (answer.get("verdict"), broken_rules) == (case["expect"], case["violations"])


def test_the_second_printing_differs_in_one_rule(library):
    old, new = (library.format("tidewater", "crew", rules=number) for number in ("1", "2"))

    assert diff_formats(old, new).splitlines()[1:] == [
        "  changed: Main deck: exactly 30 cards. [TW-1, The crew] is now "
        "Main deck: exactly 40 cards. [TW-1, The crew, second printing]"
    ]


def test_the_ban_holds_from_its_day_on(library):
    before, after = (
        library.format("tidewater", "crew", rules="1", on=day)
        for day in (date(2011, 4, 30), date(2011, 5, 1))
    )

    assert (len(before.lists.entries("bans")), len(after.lists.entries("bans"))) == (0, 1)


def test_the_version_of_the_day_is_found(library):
    assert library.format("tidewater", "crew", on=date(2011, 12, 31)).version == "1"
    assert library.format("tidewater", "crew", on=date(2012, 12, 31)).version == "2"
    with pytest.raises(UnknownFormat):
        library.format("tidewater", "crew", on=date(2010, 12, 31))


def test_the_page_names_every_shared_check_with_its_parameters():
    page = (Path(__file__).parents[2] / "docs" / "reference" / "game-files.md").read_text(encoding="utf-8")
    table = page.partition("\n## Checks\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?`) \| ?(.*?) ?\| .* \|$", table, re.MULTILINE)
    words_by_name = {name: words(params) for names, params in rows for name in words(names)}

    assert words_by_name == {name: set(check.parameters()) for name, check in get_shared_checks().items()}


@pytest.fixture(scope="module")
def emberhold(tmp_path_factory) -> Library:
    return Library(write_files(tmp_path_factory.mktemp("emberhold"), EMBERHOLD))


def test_the_game_of_data_alone_has_no_code(emberhold):
    assert not [name for name in EMBERHOLD if name.endswith(".py") or "messages" in name]
    assert lint(emberhold) == []


@each_case("place", range(5))
def test_the_cases_of_data_alone_have_the_verdicts_that_the_page_says(emberhold, place):
    data = json.loads(EMBERHOLD["emberhold/cases.json"])
    case, answer = data["cases"][place], list(answer_cases(data, emberhold))[place]
    broken_rules = [finding["rule"] for finding in answer["findings"] if finding["severity"] == "error"]

    assert (answer["verdict"], broken_rules) == (case["expect"], case["violations"])


def test_the_format_of_data_alone_is_explained(emberhold):
    format_text = explain_format(emberhold.format("emberhold", "duel"))

    assert "Exactly 1 banner card (main deck). [EH-3, Deck]" in format_text
    assert "Cards have the house of a banner card or are free. 2 cards may have another." in format_text
    assert "The fame of all champion cards is at most 8 in total" in format_text
    assert "Limits of May (Emberhold balance list, in force from Wed 1 May 2024): 3 entries" in format_text


DATA_FAULTS = [
    ("min = 4", "min = 4\nmax = 3", "cannot have min 4 and max 3"),
    ("min = 4", "", "needs a min above 0 or a max"),
    ('types = ["holding"]', "types = []", "needs at least one word in types"),
    ('fact = "house"', 'fact = "hose"', "names the fact hose, which cards.toml does not have"),
    ("others = 2", "others = -1", "cannot have others below 0"),
    ("copies = 0", "copies = -1", "Entry 1 (Comet) needs the number of copies, 0 or more"),
    ("points = 3", "point = 3", "Entry 1 (Ember Crown) needs points, 1 or more"),
    ('"Old Road" }', '"Mirror gate" }', "Entry 3 (Mirror gate) and entry 2 name the same card"),
    ("copies = 1", 'copies = "one"', "cannot have copies 'one'"),
]


@pytest.mark.parametrize(("old", "new", "problem"), DATA_FAULTS)
def test_lint_names_what_does_not_fit(tmp_path, old, new, problem):
    changed_files = {name: text.replace(old, new) for name, text in EMBERHOLD.items()}
    problems = lint(Library(write_files(tmp_path, changed_files)))

    assert [each for each in problems if problem in each], problems


MESSAGE_FAULTS = [
    ("boats-unknown =", "boats-open =", "tidewater/checks.py:", "the code boats-unknown has no message"),
    ("boats-unknown =", "boats-open =", "tidewater/messages/en.toml:", "no code uses finding.boats-open"),
    ("{cards, list}", "{boats, list}", "tidewater/checks.py:", "the message boats-unknown needs boats"),
    (
        "{captains, plural, one",
        "{captains, plurals, one",
        "tidewater/messages/en.toml:",
        "is no kind of choice",
    ),
    ("[explain]", "[explains]", "tidewater/formats/crew-1.toml:", "cannot be shown"),
    ("boats-unknown =", "banned-card =", "tidewater/messages/en.toml:", "is a code of the shared checks"),
]


@pytest.mark.parametrize(("old", "new", "place", "problem"), MESSAGE_FAULTS)
def test_lint_holds_the_messages_of_a_game_against_its_code(tmp_path, old, new, place, problem):
    key = f"tide{MESSAGE_FAULTS.index((old, new, place, problem))}"
    for name, text in FILES.items():
        file = tmp_path / name.replace("tidewater/", f"{key}/")
        file.parent.mkdir(parents=True, exist_ok=True)
        changed_text = text.replace(old, new) if name.endswith("en.toml") else text
        file.write_text(changed_text.replace("tidewater", key), encoding="utf-8")
    problems = lint(Library(tmp_path))
    place = place.replace("tidewater", key)
    assert [each for each in problems if each.startswith(place) and problem in each], problems


def test_lint_refuses_a_code_that_two_games_have(tmp_path):
    for key in ("ebb", "flow"):
        for name, text in FILES.items():
            file = tmp_path / name.replace("tidewater/", f"{key}/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text.replace("tidewater", key), encoding="utf-8")

    assert lint(Library(tmp_path)) == ["flow/messages/en.toml: finding.too-many-boats stands twice."]
