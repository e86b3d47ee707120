"""Lint finds what is wrong with a game's data, and says where."""

from __future__ import annotations

from pathlib import Path

import pytest

from rules.library import BadData, Library, get_shipped_library
from rules.lint import lint
from rules.lint_lists import lint_list
from rules.lists import Edition
from rules.rendering import say

GAME = """
key = "toy"
name = "Toy"
formats = ["open"]
zones = ["main"]
[[versions]]
number = "1"
document = "Leaflet"
"""
FORMAT = """
name = "Open"
[rules.size]
check = "zone_size"
zone = "main"
min = 3
rule = "TOY-1"
clause = "p. 1"
"""
LIST = """
kind = "bans"
number = 1
document = "Leaflet"
clause = "p. 2"
[[entries]]
card = { name = "Stone" }
"""


@pytest.fixture
def toy(tmp_path: Path):
    """Return a function that lints a correct game with one of its files replaced.

    It returns the problems that lint finds.
    """

    def write(name: str, text: str) -> list[str]:
        files = {"game.toml": GAME, "formats/open-1.toml": FORMAT, "lists/bans-1.toml": LIST}
        if name:
            files[name] = text
        for place, content in files.items():
            file = tmp_path / "toy" / place
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        return lint(Library(tmp_path))

    return write


def test_what_is_shipped_is_well_formed():
    assert lint(get_shipped_library()) == []


def test_a_sound_game_has_no_problem(toy):
    assert toy("", "") == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("zone_size", "zone_sise"), "[rules.size] There is no check zone_sise."),
        (('clause = "p. 1"', ""), "[rules.size] has no clause."),
        (
            ("min = 3", "least = 3"),
            "[rules.size] the rule has no parameter least. Its parameters are: zone, min, max and or_none.",
        ),
        (('zone = "main"', ""), "[rules.size] the rule needs the parameter zone."),
        (
            ("min = 3", 'basis = "hearsay"'),
            "[rules.size] the basis hearsay is not one of derived, ours, reading and stated.",
        ),
        (
            ("min = 3", 'severity = "grave"'),
            "[rules.size] the severity grave is not one of error, note and warning.",
        ),
        (
            ("min = 3", 'at = ["dawn"]'),
            "[rules.size] the stage dawn is not one of exchange and registration.",
        ),
        (("min = 3", 'follows = ["moon"]'), "[rules.size] follows moon, which is not a rule."),
        (("min = 3", 'words = "{most} cards"'), "[rules.size] the text needs 'most', which is not given."),
        (
            ('name = "Open"', 'title = "Open"'),
            "a format has the unknown part title (nearest: limited).",
        ),
        (('name = "Open"', 'name = "Open"\nsummary = 3'), say("lint", "summary-no-sentence")),
        (
            ("min = 3", 'readings.loose = { zone = "main", least = 2 }'),
            "[rules.size] the reading loose has no parameter least. "
            "Its parameters are: zone, min, max and or_none.",
        ),
    ],
)
def test_a_format_with_a_fault_is_found(toy, change, problem):
    toy_library = toy("formats/open-1.toml", FORMAT.replace(*change))

    assert f"toy/formats/open-1.toml: {problem}" in [
        line.split(" The checks are:")[0] for line in toy_library
    ]


def test_a_rule_that_changes_what_it_inherits_restates_its_clause(toy):
    heir = 'name = "Heir"\nextends = "open-1"\n[rules.size]\nmin = 4\n'

    assert toy("formats/heir-1.toml", heir) == [
        "toy/formats/heir-1.toml: [rules.size] changes min and must restate its clause."
    ]
    assert toy("formats/heir-1.toml", heir + 'clause = "p. 3"\n') == []


def test_a_rule_that_inherits_all_needs_no_clause(toy):
    assert toy("formats/heir-1.toml", 'name = "Heir"\nextends = "open-1"\n') == []


def test_a_format_of_which_the_file_is_missing_is_found(toy):
    assert toy("game.toml", GAME.replace('"open"', '"open", "closed"')) == [
        "toy: the format file closed-1.toml is missing."
    ]


FIELD = 'key = "port"\nlabel = "Port"\n'


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("label =", "lable ="), "has the unknown part lable (nearest: label)."),
        (("label =", "lable ="), "port has no label."),
        (('"Port"', "7"), "cannot have label 7. It must be text."),
        (('"port"', '"Home port"'), "Home port needs a key of lowercase letters, digits and underscores."),
        (('key = "port"', ""), "1 needs a key of lowercase letters, digits and underscores."),
        (
            ('key = "port"', 'key = "port"\nkind = "txt"'),
            "port cannot have the kind txt. The nearest is text.",
        ),
        (
            ('key = "port"', 'key = "port"\nasked = "players"'),
            "port cannot have the asked players. The nearest is player.",
        ),
        (
            ('key = "port"', 'key = "port"\nmay_read = "publik"'),
            "port cannot have the may_read publik. The nearest is public.",
        ),
        (('key = "port"', 'key = "port"\nkind = "choice"'), "port needs choices."),
        (
            ('key = "port"', 'key = "port"\nchoices = ["N"]'),
            "port has choices, which only the kind choice has.",
        ),
        (('key = "port"', 'key = "port"\nmax_length = 0'), "port needs a max_length from 1 to 2000."),
        (
            ('label = "Port"', f'label = "Port"\n[[registration_fields]]\n{FIELD}'),
            "port is declared twice.",
        ),
    ],
)
def test_a_registration_field_with_a_fault_is_found(toy, change, problem):
    own = f"{GAME}[[registration_fields]]\n{FIELD}"
    assert toy("game.toml", own) == []

    assert f"toy/game.toml: [[registration_fields]] {problem}" in toy("game.toml", own.replace(*change))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("number = 1", 'number = "one"'), say("problem", "edition-nameless")),
        (("card =", "cart ="), "Entry 1 has no card. Enter the card."),
        (
            ('document = "Leaflet"', ""),
            "The list has no source document. Enter the document or announcement.",
        ),
        (('clause = "p. 2"', 'versions = ["2"]'), "there is no version 2 of the rules."),
        (
            ('clause = "p. 2"', ""),
            "Entry 1 (Stone) has no clause. Enter its place in the document.",
        ),
    ],
)
def test_a_list_with_a_fault_is_found(toy, change, problem):
    assert f"toy/lists/bans-1.toml: {problem}" in toy("lists/bans-1.toml", LIST.replace(*change))


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("{ name =", "{ nam ="), "Entry 1 has the unknown part nam (nearest: name)."),
        (
            ('Stone"', 'Stone", setsize = 3'),
            "Entry 1 (Stone) has the unknown part setsize (nearest: set_size).",
        ),
        (
            ("[[entries]]", "[[entries]]\nformat = true"),
            "Entry 1 (Stone) has the unknown part format (nearest: formats).",
        ),
        (
            ("[[entries]]", '[[entries]]\nformats = "open"'),
            "Entry 1 (Stone) cannot have formats 'open'. It must be a list of words.",
        ),
        (
            ("number = 1", "number = 1\nversion = []"),
            "the list has the unknown part version (nearest: versions).",
        ),
        (('clause = "p. 2"', "clause = 2"), "the list cannot have clause 2. It must be text."),
    ],
)
def test_a_part_of_a_list_that_no_one_knows_is_refused_with_the_nearest(toy, change, problem):
    assert f"toy/lists/bans-1.toml: {problem}" in [
        line.strip() for line in toy("lists/bans-1.toml", LIST.replace(*change))
    ]


def test_what_a_game_declares_is_known_and_has_to_be_used(toy):
    kinds = LIST.replace('"bans"', '"crews"').replace("card = { name", "crew = { name")
    assert "toy/lists/crews-1.toml: Entry 1 has the unknown part crew (nearest: rule)." in [
        line.strip() for line in toy("lists/crews-1.toml", kinds)
    ]
    crew = '[[entries]]\nlist = "crews"\nfields = [{ key = "crew", kind = "table" }]\n'
    assert toy("cards.toml", crew) == []
    assert toy("cards.toml", crew.replace("}]", '}, { key = "captain" }]')) == [
        "toy/cards.toml: [[entries]] crews declares captain, which does not exist."
    ]
    (problem,) = toy("cards.toml", crew.replace('"table"', '"tabel"'))
    assert problem.startswith(
        "toy/cards.toml: [[fields]] crew cannot have the kind tabel. The kinds are text, "
    )


@pytest.mark.parametrize(
    ("cards", "problem"),
    [
        ("fact = []", "the file has the unknown part fact (nearest: facts)."),
        (
            'facts = [{ key = "boats", kinds = "whole" }]',
            "[[facts]] boats has the unknown part kinds (nearest: kind).",
        ),
        (
            'facts = [{ key = "boats", kind = "number" }]',
            "[[facts]] boats cannot have the kind number. "
            "The kinds are text, whole, yes_no, words, table and term.",
        ),
        ('facts = [{ key = "boats" }, { key = "boats" }]', "[[facts]] names boats twice."),
        (
            'identity = [{ fact = "port", is_alone = true }]',
            "[[identity]] port has the unknown part is_alone (nearest: is_alone_without).",
        ),
        (
            "[lists]\nwaiting_week = 2",
            "[lists] has the unknown part waiting_week (nearest: waiting_weeks).",
        ),
        (
            "[headings]\nside = []",
            "[headings] has the unknown part side (nearest: sideboard).",
        ),
        (
            '[[entries]]\nlist = "bans"\nfields = [{ key = "coast", lable = "Coast", label = "Coast" }]',
            "[[fields]] coast has the unknown part lable (nearest: label).",
        ),
        (
            '[[declarations]]\nkey = "flag"\nlabel = "F"\nkind = "records"\nchecks = ["a"]\nsays = "{flag}"',
            "[[declarations]] flag says flag, which is not one of its parts.",
        ),
    ],
)
def test_what_a_game_says_wrongly_of_its_cards_is_refused(toy, cards, problem):
    assert toy("cards.toml", cards) == [f"toy/cards.toml: {problem}"]


def test_a_fact_without_its_key_is_refused(toy):
    assert toy("cards.toml", 'facts = [{ kind = "text" }]') == ["toy/cards.toml lacks key."]


@pytest.mark.parametrize(
    ("kind", "entry", "problem"),
    [
        ("bans", {"card": {"name": "Hugo", "dotz": 3}}, "has the unknown part dotz (nearest: dots)."),
        (
            "errata",
            {"id": "E1", "says": "More.", "card": {"name": "Hugo"}, "plays_diferently": True},
            "has the unknown part plays_diferently (nearest: plays_differently).",
        ),
    ],
)
def test_facts_of_a_real_game_are_known_by_its_own_names(kind, entry, problem):
    game = get_shipped_library().game("ufs")
    edition = Edition("ufs", kind, 9, (entry,), document="Leaflet", clause="p. 1")
    assert [each.message.strip() for each in lint_list(edition, game)] == [f"Entry 1 (Hugo) {problem}"]


def test_two_lists_of_one_number_are_found(toy):
    assert toy("lists/bans-2.toml", LIST) == ["toy/lists/bans-2.toml: number 1 is taken by bans-1.toml."]


def test_a_file_that_is_no_toml_is_found(toy):
    assert toy("formats/open-1.toml", "name = ")[0].startswith(
        "toy/formats/open-1.toml: formats/open-1.toml: "
    )


def test_a_game_without_its_parts_is_found(toy):
    assert toy("game.toml", 'key = "toy"') == ["toy/game.toml lacks name, formats, versions, zones."]


def test_data_that_cannot_be_read_names_its_file(tmp_path):
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy" / "game.toml").write_text("= 3")

    with pytest.raises(BadData, match=r"^toy/game\.toml: "):
        _ = Library(tmp_path).games


def test_a_rank_that_no_deck_list_can_show_is_refused(toy):
    assert toy("game.toml", GAME + '\n[identity]\nrank = "stars"\n') == [
        "toy/game.toml: [identity] cannot have the rank stars: the marks after a name are dots."
    ]
