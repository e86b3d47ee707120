"""`python -m tournament.engine` as other programs call it."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from tests.everyday import each_case
from tournament.engine.__main__ import main
from tournament.engine.commands.numbers import to_decimal, to_json_number
from tournament.engine.standings.systems import system_names

ROOT = Path(__file__).parents[3]
EVENT = {
    "players": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": 5}],
    "rounds": [
        [
            {"p1": 1, "p2": 2, "result": "p1", "p1_games": 2, "p2_games": 1, "draws": 0},
            {"p1": 3, "p2": 4, "result": "draw", "p1_games": 1, "p2_games": 1, "draws": 1},
            {"p1": 5, "p2": None, "result": "bye", "p1_games": 2, "p2_games": 0, "draws": 0},
        ]
    ],
    "drops": {"4": 1},
}


def run(*arguments: str, text: str | None = None) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = main(arguments, io.StringIO(json.dumps(EVENT) if text is None else text), out, err)
    return code, out.getvalue(), err.getvalue()


def answer(*arguments: str, text: str | None = None) -> dict:
    code, out, err = run(*arguments, text=text)
    assert (code, err) == (0, "")
    return json.loads(out)


def test_a_standing_has_one_key_a_tiebreaker_exact_and_as_decimal() -> None:
    first, second = answer("standings", "--system", "magic")["standings"][:2]
    assert [first[key] for key in ("rank", "player", "points")] == [1, 1, 3]
    assert [first[key] for key in ("omw", "gw", "ogw")] == ["33/100", "2/3", "1/3"]
    assert first["decimals"] == {
        "points": "3",
        "omw": "0.33",
        "gw": "0.666666666667",
        "ogw": "0.333333333333",
    }
    assert [first[key] for key in ("wins", "losses", "byes", "games_won", "shared")] == [1, 0, 0, 2, False]
    assert [second[key] for key in ("rank", "player", "omw", "byes")] == [2, 5, 0, 1]


TIED_BY_NAME = {
    "players": [{"id": name} for name in ("ann", "bob", "cyd", "dan")],
    "rounds": [[{"p1": "ann", "p2": "bob", "result": "p1"}, {"p1": "cyd", "p2": "dan", "result": "p1"}]],
}


@each_case(
    ("arguments", "expected_text"),
    [
        (["--system", "magic"], 'Player "ann" and player "cyd" share rank 1 at the cut line.'),
        (["--diversity", "--seed", "3"], 'Player "ann" has not declared a character.'),
    ],
)
def test_a_refused_cut_calls_players_by_the_ids_of_the_file(arguments: list[str], expected_text: str) -> None:
    _, out, err = run("cut", "--size", "1", *arguments, text=json.dumps(TIED_BY_NAME))
    assert (out, err.startswith(expected_text)) == ("", True)


def test_notes_of_a_cut_call_players_by_the_ids_of_the_file() -> None:
    cut = answer("cut", "--size", "1", "--system", "magic", "--seed", "3", text=json.dumps(TIED_BY_NAME))
    assert cut["notes"] == [
        'Player "ann" and player "cyd" share rank 1. A random number decided who qualifies.'
    ]


@pytest.mark.parametrize("command", [["standings"], ["pair", "--seed", "7"]])
def test_a_wrong_system_does_not_hide_what_is_wrong_with_the_event(command: list[str]) -> None:
    *others, last = system_names()
    code, out, err = run(*command, "--system", "chess", text='{"rounds": 5}')
    assert (code, out) == (3, "")
    assert err.splitlines() == [
        f'There is no system "chess". The systems are {", ".join(others)} and {last}.',
        'The event has no list "players".',
        '"rounds" must be a list of rounds.',
    ]


@each_case(
    ("options", "key", "value"),
    [
        (["--system", "magic", "--floor", "1/3"], "omw", "1/3"),
        (["--system", "magic", "--floor", "0"], "omw", 0),
        (["--system", "magic", "--floor", "0.33", "--own-floor"], "gw", "2/3"),
        (["--system", "go"], "buchholz", 0),
        (["--system", "carrom"], "net", 1),
        (["--system", "fide", "--year", "2024"], "buchholz", 0),
        (["--system", "netrunner"], "sos", 3),
        ([], "omw", "1/3"),
    ],
)
def test_options_reach_the_system(options: list[str], key: str, value: object) -> None:
    rows = answer("standings", *options)["standings"]
    assert next(row for row in rows if row["player"] == 1)[key] == value


def test_drawn_games_can_be_worth_nothing() -> None:
    rows = [answer("standings", "--system", "magic", "--drawn-games", n)["standings"] for n in "10"]
    assert [next(row for row in row if row["player"] == 3)["gw"] for row in rows] == ["4/9", "1/3"]


def test_the_formulas_are_printed_with_the_standing() -> None:
    lines = answer("standings")["system"]["tiebreakers"]
    assert [line["key"] for line in lines] == ["points", "omw", "gw", "ogw", "lot"]


def test_lots_are_drawn_from_the_seed_and_past_rounds_can_be_asked_for() -> None:
    rows = answer("standings", "--seed", "3", "--after", "0")["standings"]
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5]
    assert {row["rank"] for row in answer("standings", "--after", "0")["standings"]} == {1}


def test_the_next_round_is_paired_without_those_who_dropped() -> None:
    fuzz_answer = answer("pair", "--seed", "7")
    assert fuzz_answer == answer("pair", "--seed", "7")
    assert (fuzz_answer["seed"], fuzz_answer["bye"]) == (7, None)
    assert [pairing["table"] for pairing in fuzz_answer["pairings"]] == [1, 2]
    assert sorted(p for pairing in fuzz_answer["pairings"] for p in (pairing["p1"], pairing["p2"])) == [
        1,
        2,
        3,
        5,
    ]
    assert (fuzz_answer["cost"]["rematches"], fuzz_answer["cost"]["proved"]) == (0, True)


def test_a_second_bye_is_not_given_while_a_player_had_none() -> None:
    rounds = [[{"p1": 1, "result": "bye"}, {"p1": 2, "p2": 3, "result": "p1"}]]
    text = json.dumps({"players": [{"id": 1}, {"id": 2}, {"id": 3}], "rounds": rounds})
    assert {answer("pair", "--seed", str(seed), text=text)["bye"] for seed in range(8)} == {3}


def test_one_seed_for_a_whole_event_favors_no_player_in_every_round() -> None:
    def bye_after(rounds: int, seed: int) -> int:
        absent = [{"p1": p, "result": "loss_no_opponent"} for p in (1, 2, 3)]
        text = json.dumps({"players": [{"id": 1}, {"id": 2}, {"id": 3}], "rounds": [absent] * rounds})
        return answer("pair", "--seed", str(seed), text=text)["bye"]

    byes = {(bye_after(0, seed), bye_after(1, seed)) for seed in range(90)}
    assert byes == {(first, second) for first in (1, 2, 3) for second in (1, 2, 3)}


def test_a_running_round_cannot_be_followed() -> None:
    text = json.dumps(EVENT | {"rounds": [[{"p1": 1, "p2": 2}, {"p1": 3, "p2": 4}]]})
    code, _, err = run("pair", "--seed", "1", text=text)
    assert (code, len(err.splitlines())) == (3, 2)


def test_a_bracket_for_a_number_or_for_the_file_on_standard_input() -> None:
    eight = answer("bracket", "--kind", "double", "--entrants", "8")
    assert [(m["id"], m["bracket"]) for m in eight["matches"]][:7:6] == [(1, "W"), (7, "L")]
    assert {(m["p1"], m["p2"]) for m in eight["matches"][:4]} == {(1, 8), (4, 5), (2, 7), (3, 6)}
    assert answer("bracket", "--kind", "double", text='{"entrants": [1, 2, 3, 4, 5, 6, 7, 8]}') == eight
    bracket_answer = answer("bracket", "--kind", "single")
    assert [(s["seed"], s["player"]) for s in bracket_answer["seeds"]] == [(1, 1), (2, 5), (3, 3), (4, 2)]
    assert len(bracket_answer["matches"]) == 3
    level = '{"players": [{"id": 1}, {"id": 2}, {"id": 3}]}'
    orders = {
        tuple(s["player"] for s in answer("bracket", "--kind", "single", "--seed", n, text=level)["seeds"])
        for n in "1234"
    }
    assert len(orders) > 1
    assert len(answer("bracket", "--kind", "single", "--entrants", "4", "--third-place")["matches"]) == 4


@each_case(
    "arguments",
    [
        ("standings", "--system", "chess"),
        ("standings", "--floor", "much"),
        ("standings", "--after", "-1"),
        ("pair", "--seed", "1", "--rounds", "0"),
        ("pair", "--seed", "1", "--rounds", "-4"),
        ("bracket", "--kind", "single", "--entrants", "0"),
        ("bracket", "--kind", "double", "--entrants", "99999999999"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence_and_code_three(arguments: tuple[str, ...]) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (3, "")
    assert err.endswith(".\n")


def test_every_problem_of_the_input_is_a_line() -> None:
    code, out, err = run("standings", text='{"players": [{"id": 1}, {"id": 1}], "rounds": [[{"p1": 2}]]}')
    assert (code, out) == (3, "")
    assert err.splitlines() == [
        "players: Player 1 is entered 2 times. Ids must differ.",
        "round 1, match 1: Player 2 is not entered.",
    ]


def test_the_module_runs_as_a_program_and_never_shows_a_traceback() -> None:
    def program(*arguments: str, text: bytes) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "tournament.engine", *arguments]
        return subprocess.run(command, input=text, capture_output=True, cwd=ROOT, check=False)

    good = program("standings", text=json.dumps(EVENT).encode())
    assert (good.returncode, good.stderr, json.loads(good.stdout)["standings"][0]["rank"]) == (0, b"", 1)
    output = program("standings", text=json.dumps({"players": [{"id": "\ud800"}, {"id": "Zoë"}]}).encode())
    assert {row["player"] for row in json.loads(output.stdout)["standings"]} == {"\ud800", "Zoë"}
    bad = program("pair", "--seed", "1", text=b"\xff\xfe{")
    assert (bad.returncode, bad.stdout, b"Traceback" in bad.stderr) == (3, b"", False)


def test_exact_values_and_decimals() -> None:
    assert [to_json_number(value) for value in (3, Fraction(1, 3))] == [3, "1/3"]
    values = (0, 7, -2, Fraction(1, 3), Fraction(-2, 3), Fraction(1, 2), Fraction(5, 10**13))
    assert [to_decimal(v) for v in values] == [
        "0",
        "7",
        "-2",
        "0.333333333333",
        "-0.666666666667",
        "0.5",
        "0.000000000001",
    ]


def test_players_who_go_by_text_keep_their_ids_in_every_answer() -> None:
    names = {1: "ann", 2: "None", 3: "7", 4: 9, 5: "eve"}
    event = {
        "players": [{"id": names[player["id"]]} for player in EVENT["players"]],
        "rounds": [
            [{**m, "p1": names[m["p1"]], "p2": names.get(m["p2"])} for m in matches]
            for matches in EVENT["rounds"]
        ],
        "drops": {"9": 1},
    }
    text = json.dumps(event)
    named_rows, numbered_rows = (
        answer("standings", "--system", "magic", text=t)["standings"] for t in (text, None)
    )
    assert named_rows == [{**row, "player": names[row["player"]]} for row in numbered_rows]
    pairing = answer("pair", "--seed", "3", text=text)
    plain = answer("pair", "--seed", "3")
    assert pairing["pairings"] == [
        {**table, "p1": names[table["p1"]], "p2": names[table["p2"]]} for table in plain["pairings"]
    ]
    seeds = answer("bracket", "--kind", "single", text=text)["seeds"]
    assert [seed["player"] for seed in seeds] == [row["player"] for row in named_rows if row["player"] != 9]


def test_match_with_an_unknown_player_is_refused_by_their_text() -> None:
    text = json.dumps({"players": [{"id": "ann"}], "rounds": [[{"p1": "ann", "p2": "bob", "result": "p1"}]]})
    assert run("standings", text=text) == (3, "", 'round 1, match 1: Player "bob" is not entered.\n')


def test_where_some_ids_are_texts_a_number_is_its_own_player_alone() -> None:
    """Check that a number is its own player alone where some ids are texts.

    Once the number of a match could equal the number given to a player with a text for an id.
    """
    event = {
        "players": [{"id": "ann"}, {"id": "bob"}, {"id": 7}],
        "rounds": [[{"p1": "ann", "p2": 2, "result": "p1"}, {"p1": "bob", "p2": True}]],
        "drops": {"1": 1, "7": 1},
    }
    assert run("standings", text=json.dumps(event)) == (
        3,
        "",
        "round 1, match 2: true is not the id of a player.\n"
        'drops: Player "1" dropped but is not entered.\n'
        "round 1, match 1: Player 2 is not entered.\n",
    )


def test_players_who_go_by_text_are_named_so_in_every_complaint() -> None:
    match = {"p1": "ann", "p2": "bob", "result": "p1"}
    event = {
        "players": [{"id": name} for name in ("ann", "bob", "ann", "eve")],
        "rounds": [[match, match, {"p1": "eve", "p2": "eve", "result": "draw"}]],
        "drops": {"eve": -2},
    }
    _, _, err = run("standings", text=json.dumps(event))
    assert err.splitlines() == [
        'players: Player "ann" is entered 2 times. Ids must differ.',
        'drops: Player "eve" dropped after round -2. The minimum is 0.',
        'round 1, match 3: Player "eve" is on both sides of the match.',
        'round 1: Player "ann" is in 2 matches.',
        'round 1: Player "bob" is in 2 matches.',
    ]


LONG = 10**299
BETWEEN_TWO = [{"p1": 1, "p2": 2, "result": "p1"}]


@each_case(
    ("event", "quoted_value"),
    [
        (
            {"players": [{"id": 1}], "rounds": [[{"p1": 1, "p2": LONG, "result": "p1"}]]},
            "round 1, match 1: Player 10000000000000000000…0000000000000000000 is not entered.",
        ),
        (
            {"players": [{"id": LONG}, {"id": LONG}]},
            "players: Player 10000000000000000000…0000000000000000000 is entered 2 times. Ids must differ.",
        ),
        (
            {"players": [{"id": 1}, {"id": 2}], "rounds": [BETWEEN_TWO], "drops": {"1": -LONG}},
            "drops: Player 1 dropped after round -1000000000000000000…0000000000000000000. The minimum is 0.",
        ),
        (
            {"players": [{"id": 1}], "rounds": [[{"p1": "a" * 300, "p2": None}]]},
            'round 1, match 1: "aaaaaaaaaaaaaaaaaaa…aaaaaaaaaaaaaaaaaa" is not the id of a player.',
        ),
    ],
)
def test_a_long_value_is_quoted_without_its_middle(event: dict, quoted_value: str) -> None:
    assert run("standings", text=json.dumps(event)) == (3, "", f"{quoted_value}\n")


@each_case(
    "options",
    [
        ["standings", "--system", "x" * 300],
        ["standings", "--floor", "x" * 300],
        ["standings", "--drawn-games", "7" * 300],
        ["pair", "--seed", "1", "--rounds", f"-{'7' * 300}"],
        ["bracket", "--kind", "single", "--entrants", "7" * 300],
    ],
)
def test_a_long_option_is_quoted_without_its_middle(options: list[str]) -> None:
    code, out, err = run(*options)
    longest = max(err.split(), key=len)
    assert (code, out, "…" in longest, len(longest.strip('";.,:'))) == (3, "", True, 40)
