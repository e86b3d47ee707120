"""Swiss rounds with exits: three wins in, three losses out."""

from __future__ import annotations

import json
import random
from typing import Any

from tests import machine
from tests.everyday import each_case, each_nth
from tests.tournament.engine.test_engine_commands import answer, run

OPTIONS = {"wins_in": 3, "losses_out": 3, "seed": 7}


def play(count: int, seed: int, *, draw_share: float = 0.0, **options: int) -> dict[str, Any]:
    """Play an event to its end by the command line alone."""
    event: dict[str, Any] = {
        "players": [{"id": at} for at in range(1, count + 1)],
        "rounds": [],
        "options": OPTIONS | options,
    }
    dice = random.Random(seed)
    for _ in range(12):
        code, out, err = run("pair", "--seed", str(seed), text=json.dumps(event))
        if code:
            assert err == "Every player has qualified or is out. There is no round to pair.\n"
            return event
        answer = json.loads(out)
        matches = [
            {
                "p1": t["p1"],
                "p2": t["p2"],
                "result": "draw" if dice.random() < draw_share else dice.choice(("p1", "p2")),
            }
            for t in answer["pairings"]
        ]
        if answer["bye"]:
            matches.append({"p1": answer["bye"], "p2": None, "result": "bye"})
        players_left = {player for match in matches for player in (match["p1"], match["p2"]) if player}
        assert players_left.isdisjoint([*answer["qualified"], *answer["eliminated"]])
        assert len(players_left) + len(answer["qualified"]) + len(answer["eliminated"]) == count
        event["rounds"].append(matches)
    raise AssertionError("nobody ends it")


@each_case("seed", range(machine.examples(1)))
@each_case("count", [8, 16, 32])
def test_half_of_a_full_field_qualifies_within_five_rounds(count: int, seed: int) -> None:
    rows = answer("standings", text=json.dumps(event := play(count, seed)))["standings"]
    assert len(event["rounds"]) == 5
    assert sorted(row["exit"] for row in rows) == ["eliminated"] * (count // 2) + ["qualified"] * (count // 2)
    assert all((row["wins"] == 3) == (row["exit"] == "qualified") for row in rows)
    assert all((row["losses"] == 3) == (row["exit"] == "eliminated") for row in rows)


@each_case("count", each_nth(2, [5, 7, 11, 13]))
def test_odd_fields_end_too_and_no_player_plays_after_an_exit(count: int) -> None:
    for seed in range(machine.examples(1)):
        event = play(count, seed, draw_share=0.1)
        rows = answer("standings", text=json.dumps(event))["standings"]
        assert all(row["exit"] and max(row["wins"], row["losses"]) == 3 for row in rows)


def test_bracket_after_exits_seeds_those_who_qualified() -> None:
    event = play(8, 1)
    seeds = answer("bracket", "--kind", "single", text=json.dumps(event))["seeds"]
    rows = answer("standings", text=json.dumps(event))["standings"]
    assert [seed["player"] for seed in seeds] == [row["player"] for row in rows if row["exit"] == "qualified"]


def test_one_number_alone_will_do_and_the_command_line_goes_before_the_file() -> None:
    event = play(8, 2, wins_in=2, losses_out=9)
    text = json.dumps({**event, "options": {"wins_in": 2, "seed": 1}})
    qualified_rows = [row for row in answer("standings", text=text)["standings"] if row["exit"]]
    assert {row["exit"] for row in qualified_rows} == {"qualified"}
    rows = answer("standings", "--wins-in", "9", text=text)["standings"]
    assert {row["exit"] for row in rows} == {None}


def test_outlook_is_refused_with_exits() -> None:
    code, out, err = run("outlook", "--size", "2", "--wins-in", "3")
    assert (code, out, len(err.splitlines())) == (3, "", 1)


def test_without_numbers_nothing_is_said_of_exits() -> None:
    text = json.dumps({"players": [{"id": 1}, {"id": 2}]})
    assert "exit" not in answer("standings", text=text)["standings"][0]
    assert "qualified" not in answer("pair", "--seed", "1", text=text)


@each_case("value", [0, -1, "three", True])
def test_number_that_is_none_is_refused(value: object) -> None:
    text = json.dumps({"players": [{"id": 1}], "options": {"wins_in": value}})
    assert run("standings", text=text)[0] == 3
