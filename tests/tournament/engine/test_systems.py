"""Systems as data.

Shipped ones are sound, own ones are checked, and senseless options are refused.
"""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module

import pytest

from rules.reason import plain_reason
from rules.rendering import get_messages
from tests.everyday import each_case
from tests.tournament.engine.words import say
from tournament.engine.problems import EngineError
from tournament.engine.standings.systems.loading import exact_number, load_system, parse_system, system_names
from tournament.engine.standings.systems.system import System
from tournament.engine.standings.tiebreakers import KINDS, MODULES

NAMES = ("boards", "carrom", "fab", "fide", "go", "lorcana", "magic", "netrunner", "pokemon", "ufs", "yugioh")


def codes(fault: EngineError) -> list[str]:
    return [problem.code for problem in fault.problems]


def test_every_module_of_tiebreakers_has_the_kinds_that_are_listed_for_it() -> None:
    package = "tournament.engine.standings.tiebreakers"
    kinds_by_module = {module: tuple(import_module(f"{package}.{module}").KINDS) for module in MODULES}
    assert kinds_by_module == {module: tuple(kinds) for module, kinds in MODULES.items()}
    assert len(KINDS) == len(set(KINDS)) == 32


def test_ten_systems_are_shipped() -> None:
    assert system_names() == NAMES


@each_case("name", NAMES)
def test_a_shipped_system_says_every_formula_in_words(name: str) -> None:
    system = load_system(name)
    description = system.describe()
    assert [line.key for line in description] == ["points", *(t.key for t in system.tiebreakers)]
    names = [line.name for line in description] + [system.title, system.source]
    messages = get_messages()
    assert [name.code for name in names if not messages.find("reason", name.code)] == []


@each_case("name", NAMES)
def test_no_two_tiebreakers_of_a_system_share_a_name(name: str) -> None:
    system = load_system(name)
    names = [n for t in (*system.tiebreakers, *system.extra_tiebreakers) for n in (t.key, *t.aliases)]
    assert len(names) == len(set(names))


def test_intentional_draw_is_three_drawn_games_in_magic_alone() -> None:
    draw_games_by_system = {name: load_system(name).agreed_draw_games for name in NAMES}
    assert {name for name, games in draw_games_by_system.items() if games} == {"magic"}
    with pytest.raises(EngineError) as fault:
        parse_system({"tiebreakers": [{"kind": "wins"}], "agreed_draw_games": "many"})
    assert "system-agreed-draw" in codes(fault.value)


def test_the_default_is_ours_and_says_so() -> None:
    system = load_system("ufs")
    assert (system.points.win, system.points.draw, system.points.loss, system.points.bye) == (3, 1, 0, 3)
    assert [t.key for t in system.tiebreakers] == ["omw", "gw", "ogw", "lot"]
    assert say(system.title) == "Ringside default"
    assert say(system.describe()[1].formula) == (
        "mean of the opponents' match points divided by the most possible in these rounds "
        "(byes left out), each never below 1/3"
    )


def test_a_tiebreaker_is_found_by_its_key_and_its_other_names() -> None:
    go = load_system("go")
    assert go.tiebreaker("buchholz") is go.tiebreaker("sos") is go.tiebreakers[0]
    assert go.tiebreaker("sb") is go.extra_tiebreakers[0]
    assert go.tiebreaker("omw") is None


@each_case(
    ("name", "options", "code"),
    [
        ("chess", {}, "system-unknown"),
        ("go", {"floor": "0"}, "option-unknown"),
        ("magic", {"year": 2024}, "option-unknown"),
        ("magic", {"ceiling": 1}, "option-unknown"),
        ("magic", {"cut_low": 1}, "option-unknown"),
        ("magic", {"floor": "a third"}, "option-value"),
        ("magic", {"floor": "3/2"}, "option-value"),
        ("magic", {"floor": "-1"}, "option-value"),
        ("magic", {"floor": 0.33}, "option-value"),
        ("magic", {"drawn_games": 2}, "option-value"),
        ("fide", {"year": 2025}, "option-value"),
    ],
)
def test_an_option_that_means_nothing_is_refused(name: str, options: dict[str, object], code: str) -> None:
    with pytest.raises(EngineError) as excinfo:
        load_system(name, **options)
    assert codes(excinfo.value) == [code]


def test_two_wrong_options_are_told_at_once() -> None:
    with pytest.raises(EngineError) as excinfo:
        load_system("magic", floor="x", drawn_games=7, year=2024)
    assert codes(excinfo.value) == ["option-value", "option-value", "option-unknown"]


def test_options_leave_the_shipped_system_as_it_is() -> None:
    assert load_system("magic", floor="0") != load_system("magic")
    assert load_system("magic") == load_system("magic", floor=None)
    assert load_system("magic").tiebreakers[0].params["floor"] == Fraction(33, 100)


WRONG: list[tuple[dict[str, object], list[str]]] = [
    ({}, ["system-tiebreakers"]),
    ({"tiebreakers": "omw"}, ["system-tiebreakers"]),
    ({"tiebreakers": [], "colour": "red"}, ["system-key"]),
    ({"tiebreakers": [], "convention": "none"}, ["system-convention"]),
    ({"tiebreakers": [], "points": [3, 1, 0]}, ["system-points"]),
    ({"tiebreakers": [], "points": {"win": 0}}, ["system-points"]),
    ({"tiebreakers": [], "points": {"win": "3 points", "forfeit": 1}}, ["system-points"] * 2),
    ({"tiebreakers": [{"kind": "luck"}]}, ["tiebreaker-kind"]),
    ({"tiebreakers": [{"kind": "wins", "floor": "1/3"}]}, ["tiebreaker-parameter"]),
    ({"tiebreakers": [{"kind": "buchholz", "cut_low": "1/2"}]}, ["tiebreaker-value"]),
    ({"tiebreakers": [{"kind": "buchholz", "cut_low": -1}]}, ["tiebreaker-value"]),
    ({"tiebreakers": [{"kind": "game_win", "byes": "some"}]}, ["tiebreaker-value"]),
    ({"tiebreakers": [{"kind": "game_win", "floor": 0.33}]}, ["tiebreaker-value"]),
    ({"tiebreakers": [{"kind": "wins"}, {"kind": "wins"}]}, ["system-key-twice"]),
    (
        {"tiebreakers": [{"kind": "x"}, {"kind": "koya", "share": 2}], "points": {"draw": None}},
        ["system-points", "tiebreaker-kind", "tiebreaker-value"],
    ),
]


@each_case(("data", "expected_problems"), WRONG)
def test_an_own_system_is_told_everything_that_is_wrong(
    data: dict[str, object], expected_problems: list[str]
) -> None:
    with pytest.raises(EngineError) as excinfo:
        parse_system(data)
    assert codes(excinfo.value) == expected_problems
    assert all(str(problem).endswith(".") for problem in excinfo.value.problems)


def test_an_own_system_may_have_no_tiebreakers_at_all() -> None:
    system = parse_system({"tiebreakers": []})
    assert isinstance(system, System)
    assert [line.key for line in system.describe()] == ["points"]


@each_case("kind", sorted(KINDS))
def test_every_kind_can_be_chosen_by_its_name_alone_and_says_its_formula(kind: str) -> None:
    tiebreaker = parse_system({"tiebreakers": [{"kind": kind}]}).tiebreakers[0]
    assert (tiebreaker.key, tiebreaker.name) == (kind, plain_reason(kind))
    assert len(say(tiebreaker.formula)) > 10


@each_case(
    ("text", "number"),
    [
        ("1/3", Fraction(1, 3)),
        (" 0.33 ", Fraction(33, 100)),
        ("2", 2),
        ("4/2", 2),
        (5, 5),
        (Fraction(1, 2), Fraction(1, 2)),
        (0.5, None),
        (True, None),
        (None, None),
        ("1/0", None),
        ("1e9", None),
        ("one", None),
        ("9" * 41, None),
    ],
)
def test_numbers_are_read_exactly_or_not_at_all(text: object, number: object) -> None:
    assert exact_number(text) == number
    assert type(exact_number(text)) is type(number)
