"""Options of the engine's commands, on the command line and in the event file."""

from __future__ import annotations

import json
import re

import pytest

from tests.everyday import each_case
from tests.tournament.engine.test_engine_commands import EVENT, ROOT, answer, run
from tournament.engine.problems import problem
from tournament.engine.standings.systems import system_names

CLUBS = {
    "players": [
        {"id": "ann", "character": "Ken", "group": "North"},
        {"id": "bob", "character": "Ryu", "group": "North"},
        {"id": "cyd", "character": "ken", "group": "South"},
        {"id": "dan", "character": "Sagat", "group": "South"},
    ],
    "rounds": [],
}


def pairs(*arguments: str, options: dict[str, object] | None = None, **parts: object) -> set[frozenset[str]]:
    text = json.dumps({**CLUBS, **parts, "options": options or {}})
    tables = answer("pair", *arguments, text=text)["pairings"]
    return {frozenset((table["p1"], table["p2"])) for table in tables}


def both(first: str, second: str) -> set[frozenset[str]]:
    return {frozenset(first.split("-")), frozenset(second.split("-"))}


@each_case("seed", range(4))
@each_case(
    ("arguments", "options", "expected_pairs"),
    [
        (["--fixed", "ann", "dan"], {"fixed": [["ann", "dan"]]}, both("ann-dan", "bob-cyd")),
        (
            ["--forbidden", "ann", "cyd", "--forbidden", "ann", "dan"],
            {"forbidden": [["ann", "cyd"], ["ann", "dan"]]},
            both("ann-bob", "cyd-dan"),
        ),
        (["--first-round", "fold"], {"first_round": "fold"}, both("ann-dan", "bob-cyd")),
        (["--first-round", "slide"], {"first_round": "slide"}, both("ann-cyd", "bob-dan")),
    ],
)
def test_an_option_works_on_the_command_line_and_in_the_file(
    arguments: list[str], options: dict[str, object], expected_pairs: set[frozenset[str]], seed: int
) -> None:
    assert (
        pairs(*arguments, "--seed", str(seed)) == pairs(options={**options, "seed": seed}) == expected_pairs
    )


@pytest.mark.parametrize("apart", ["wish", "never"])
def test_clubs_are_kept_apart_in_the_rounds_that_are_named(apart: str) -> None:
    rounds = [{"seed": seed, "clubs_apart": apart, "apart_rounds": [1]} for seed in range(12)]
    assert all(frozenset(("ann", "bob")) not in pairs(options=options) for options in rounds)
    later = [{**options, "apart_rounds": [2]} for options in rounds]
    assert any(frozenset(("ann", "bob")) in pairs(options=options) for options in later)


def test_the_command_line_goes_before_the_file() -> None:
    options = {"seed": 1, "first_round": "fold", "seeding": ["dan", "ann"]}
    assert pairs(options=options) == both("dan-cyd", "ann-bob")
    assert pairs("--first-round", "adjacent", options=options) == both("dan-ann", "bob-cyd")


def test_accelerated_rounds_add_points_to_the_upper_half() -> None:
    event = {"players": [{"id": at} for at in range(1, 9)], "options": {"seed": 1, "accelerated": True}}
    tables = answer("pair", "--rounds", "6", text=json.dumps(event))["pairings"]
    assert all((table["p1"] <= 4) == (table["p2"] <= 4) for table in tables)
    code, _, err = run("pair", text=json.dumps(event))
    assert (code, err.startswith("Accelerated rounds need the number")) == (3, True)


def test_an_own_list_of_tiebreakers_and_points_makes_the_standings() -> None:
    tiebreakers = answer("standings", "--tiebreakers", "bh,omw")["system"]["tiebreakers"]
    assert [tiebreaker["key"] for tiebreaker in tiebreakers] == ["points", "bh", "omw"]
    options = {"points": {"win": 2}, "tiebreakers": ["lot", {"kind": "buchholz", "key": "sum"}]}
    rows = answer("standings", text=json.dumps(EVENT | {"options": options}))
    assert [tiebreaker["key"] for tiebreaker in rows["system"]["tiebreakers"]] == ["points", "lot", "sum"]
    assert rows["standings"][0]["points"] == 3


def event_text(**options: object) -> str:
    matches = [{"p1": "ann", "p2": "bob", "result": "p1"}, {"p1": "cyd", "p2": "dan", "result": "p1"}]
    return json.dumps({**CLUBS, "rounds": [matches], "options": {"seed": 3, **options}})


def test_a_diversity_cut_has_seeds_alternates_and_a_reason_for_each_player() -> None:
    cut = answer("cut", "--size", "2", "--diversity", "--reserves", "1", text=event_text())
    places = [decision["code"] for decision in cut["decisions"]]
    assert sorted(places) == ["no_place", "qualified", "qualified", "same_character"]
    assert [seed["seed"] for seed in cut["seeds"]] == [1, 2]
    assert len(cut["alternates"]) == 1
    cut_answer = answer("cut", "--size", "2", text=event_text(declined=["ann"], disqualified=["bob"]))
    assert {seed["player"] for seed in cut_answer["seeds"]} == {"cyd", "dan"}


def test_a_bracket_is_drawn_for_those_who_make_the_cut() -> None:
    bracket = answer("bracket", "--kind", "single", "--cut", "2", text=event_text())
    assert {seed["player"] for seed in bracket["seeds"]} == {"ann", "cyd"}
    assert (bracket["entrants"], len(bracket["matches"])) == (2, 1)


def test_the_outlook_says_who_is_certain() -> None:
    open_round = [{"p1": "ann", "p2": "cyd"}, {"p1": "bob", "p2": "dan"}]
    event = json.loads(event_text())
    event["rounds"].append(open_round)
    rows = answer("outlook", "--size", "3", text=json.dumps(event))["outlook"]
    assert {row["player"]: row["outlook"] for row in rows} == {
        "ann": "in",
        "bob": "can",
        "cyd": "in",
        "dan": "can",
    }
    outlook = answer("outlook", "--size", "1", "--rounds", "3", text=event_text())["outlook"]
    assert {row["method"] for row in outlook} == {"bounds"}


def test_a_repair_keeps_finished_tables_and_seats_those_who_are_left() -> None:
    event = json.loads(event_text())
    event["rounds"].append([{"p1": "ann", "p2": "cyd", "result": "p1"}, {"p1": "bob", "p2": "dan"}])
    event["drops"] = {"dan": 1}
    repair_answer = answer("repair", text=json.dumps(event))
    assert repair_answer["nearest"]["pairings"] == [{"table": 1, "p1": "ann", "p2": "cyd"}]
    assert (repair_answer["nearest"]["bye"], repair_answer["nearest"]["touched"]) == ("bob", [2])


def test_a_planned_drop_leaves_a_player_in_until_then() -> None:
    event = EVENT | {"drops": {"4": 1, "1": 2}}
    seeds = answer("bracket", "--kind", "single", text=json.dumps(event))["seeds"]
    assert [seed["player"] for seed in seeds] == [1, 5, 3, 2]
    rows = answer("standings", text=json.dumps(event))["standings"]
    assert {row["player"]: row["dropped_after"] for row in rows if row["dropped_after"]} == {4: 1}


@each_case(
    ("command", "event", "message"),
    [
        (["pair"], {}, str(problem("seed-missing"))),
        (["cut"], {}, str(problem("cut-size-missing"))),
        (["standings", "--after", "5"], {}, "There is no round 5. The event has 1 round."),
        (["standings", "--system", "go", "--floor", "0"], {}, 'The system "go" has no option "floor".'),
        (["repair", "--seed", "1"], {"rounds": []}, str(problem("repair-nothing"))),
        (["standings"], {"options": 5}, str(problem("options-shape"))),
        (
            ["standings"],
            {"options": {"first_round": "best"}},
            'options: first_round is "best". It must be one of random, fold, slide and adjacent.',
        ),
        (["standings"], {"options": {"seed": "x"}}, 'options: seed is "x". It must be a whole number.'),
        (["standings"], {"options": {"cut": 0}}, "options: cut is 0. The minimum is 1."),
        (["standings"], {"options": {"seeding": 1}}, "options: seeding is 1. It must be a list."),
        (["standings"], {"options": {"seeding": [9]}}, "options: seeding: 9 is not the id of a player."),
        (
            ["standings"],
            {"options": {"fixed": [1, 2]}},
            "options: fixed is [1, 2]. It must be a list of pairs, such as [[3, 4]].",
        ),
        (
            ["standings"],
            {"options": {"apart_rounds": ["one"]}},
            'options: apart_rounds is ["one"]. It must be a list of round numbers.',
        ),
        (
            ["standings"],
            {"options": {"diversity": "no"}},
            'options: diversity is "no". It must be true or false.',
        ),
        (
            ["standings"],
            {"options": {"system": "go", "tiebreakers": ["bh"]}},
            'options: system is "go". Your own list of points or tiebreakers has no such option. '
            "Remove one of them.",
        ),
        (
            ["pair", "--seed", "1", "--fixed", "1", "4"],
            {},
            "Player 4 is part of a fixed pair but does not play.",
        ),
        (
            ["pair", "--seed", "1", "--fixed", "1", "2", "--fixed", "2", "3"],
            {},
            "Player 2 is fixed at two tables. Remove one of them.",
        ),
        (
            ["pair", "--seed", "1", "--forbidden", "2", "2"],
            {},
            "options: forbidden: player 2 is named twice in one pair. Name another player.",
        ),
        (
            ["pair", "--seed", "1", "--fixed", "2", "3"],
            {"options": {"forbidden": [[3, 2]]}},
            "options: Player 2 and player 3 are to meet by one option and must not by another. "
            "Remove one of them.",
        ),
    ],
)
def test_a_wrong_option_is_refused(command: list[str], event: dict[str, object], message: str) -> None:
    code, out, err = run(*command, text=json.dumps({**EVENT, **event}))
    assert (code, out) == (3, "")
    assert err.splitlines() == [message]


def test_the_reference_of_the_event_file_names_every_shipped_system() -> None:
    lines = (ROOT / "docs/reference/event-file.md").read_text().splitlines()
    (row,) = (line for line in lines if line.startswith("| `system` |"))
    assert set(re.findall(r"`(\w+)`", row)) == {"system", *system_names()}


@pytest.mark.parametrize("text", ["1e1", "1_0", "१.५", "", "+-1", "--1"])
def test_a_number_of_the_command_line_is_read_in_plain_digits_alone(
    text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run("pair", f"--seed={text}")
    last_line = capsys.readouterr().err.splitlines()[-1]
    assert last_line.endswith(f'argument --seed: "{text}" is not a whole number')


def test_an_unknown_option_is_refused_with_those_that_there_are() -> None:
    code, _, err = run("standings", text=json.dumps(EVENT | {"options": {"sead": 1}}))
    assert code == 3
    assert err.startswith('options: There is no option "sead". The options are accelerated, apart_rounds, ')


def test_keys_that_are_not_read_are_named_in_the_answer() -> None:
    players = [{**player, "shoe_size": 44} for player in EVENT["players"][:1]]  # type: ignore[index]
    text = json.dumps(EVENT | {"players": players, "rounds": [], "drops": {}, "weather": "fine"})
    assert answer("standings", text=text)["notices"] == [
        'The key "weather" is not part of an event file. It was not read.',
        'player 1: The key "shoe_size" is not part of an event file. It was not read.',
    ]
