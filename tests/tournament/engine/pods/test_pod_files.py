"""Events with pods on the command line.

Tests cover reading, seating, standings, and what is refused.
"""

from __future__ import annotations

import json
import random
from itertools import combinations
from typing import Any

import pytest

from tests.everyday import each_case
from tests.tournament.engine.test_engine_commands import answer, run
from tournament.engine.event_json import read_json
from tournament.engine.pods.event_file import read_pod_event
from tournament.engine.pods.results import PodMatch
from tournament.engine.problems import EngineError

SIDES = {"least_sides": 3, "most_sides": 6, "usual_sides": 4}
PLAYED = [
    {"table": 2, "players": ["ann", "bob", "cyd", "dan"], "places": [2, 1, 3, 3]},
    {"table": 1, "players": ["eve", "fay", "gil"], "last_standing": "fay"},
]


def event_of(
    *rounds: list[dict[str, Any]], names: str = "ann bob cyd dan eve fay gil", **more: Any
) -> dict[str, Any]:
    options = SIDES | {"place_points": [4, 2, 1]} | more.pop("options", {})
    return {
        "players": [{"id": name} for name in names.split()],
        "rounds": list(rounds),
        "options": options,
        **more,
    }


def say(event: dict[str, Any]) -> str:
    return json.dumps(event)


def test_standings_by_places_with_shared_points_and_the_last_one_standing() -> None:
    rows = answer("standings", text=say(event_of(PLAYED)))["standings"]
    points = {row["player"]: row["points"] for row in rows}
    # places 3 and 4 share 1 and 0; players not last standing share 2 and 1
    assert points == {"bob": 4, "fay": 4, "ann": 2, "eve": "3/2", "gil": "3/2", "cyd": "1/2", "dan": "1/2"}
    assert {row["player"]: row["wins"] for row in rows if row["wins"]} == {"bob": 1, "fay": 1}
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 4, 6, 6]
    assert answer("standings", "--after", "0", text=say(event_of(PLAYED)))["standings"][0]["points"] == 0


def test_next_round_seats_each_player_once_and_avoids_rematches() -> None:
    answer_body = answer("pair", "--seed", "7", text=say(event_of(PLAYED)))
    assert answer_body == answer("pair", "--seed", "7", text=say(event_of(PLAYED)))
    assert sorted(len(pod["players"]) for pod in answer_body["pods"]) == [3, 4]
    assert sorted(p for pod in answer_body["pods"] for p in pod["players"]) == [
        "ann",
        "bob",
        "cyd",
        "dan",
        "eve",
        "fay",
        "gil",
    ]
    assert (answer_body["byes"], answer_body["cost"]["rematches"], answer_body["cost"]["proved"]) == (
        [],
        3,
        True,
    )


def test_drops_and_byes_are_heeded() -> None:
    tables = [
        {"players": [1, 2, 3], "places": [1, 2, 3]},
        {"players": [4, 5, 6], "places": [1, 2, 3]},
        {"players": [7]},
    ]
    event = {
        "players": [{"id": at} for at in range(1, 8)],
        "rounds": [tables],
        "drops": {},
        "options": {"most_sides": 3, "seed": 1},
    }
    assert {answer("pair", "--seed", str(seed), text=say(event))["byes"][0] for seed in range(6)}.isdisjoint(
        {7}
    )
    answer_after_drop = answer("pair", text=say(event | {"drops": {"2": 1}}))
    assert (
        answer_after_drop["byes"],
        sorted(p for pod in answer_after_drop["pods"] for p in pod["players"]),
    ) == (
        [],
        [1, 3, 4, 5, 6, 7],
    )
    assert (
        next(r for r in answer("standings", text=say(event))["standings"] if r["player"] == 7)["points"] == 3
    )


def test_whole_event_is_played_by_the_command_line_alone() -> None:
    dice = random.Random(4)
    event = event_of(
        names="a b c d e f g h i", options={"seed": 3, "ends": "last_standing", "place_points": [3]}
    )
    for _ in range(4):
        answer_body = answer("pair", text=say(event))
        assert [len(pod["players"]) for pod in answer_body["pods"]] == [5, 4] or len(answer_body["pods"]) == 3
        event["rounds"].append(
            [{**pod, "last_standing": dice.choice(pod["players"])} for pod in answer_body["pods"]]
        )
    pairs = [
        frozenset(pair)
        for tables in event["rounds"]
        for pod in tables
        for pair in combinations(pod["players"], 2)
    ]
    assert max(map(pairs.count, pairs)) == 1
    rows = answer("standings", text=say(event))["standings"]
    assert sum(row["points"] for row in rows) == 3 * sum(map(len, event["rounds"]))
    assert len(answer("cut", "--size", "4", text=say(event))["seeds"]) == 4


def test_a_fixed_player_who_left_is_called_by_the_id_of_the_file() -> None:
    event = event_of(PLAYED, options={"fixed": [["ann", "bob", "eve"]], "seed": 1}, drops={"eve": 1})
    assert run("pair", text=say(event))[2] == 'Player "eve" is part of a fixed pair but does not play.\n'


def test_a_rank_shared_across_the_cut_line_is_refused_until_lots_are_drawn() -> None:
    event = event_of(PLAYED, options={"cut": 4})
    code, _, problem = run("cut", text=say(event))
    assert (code, problem) == (
        3,
        'Player "eve" and player "gil" share rank 4 at the cut line. Decide at random.\n',
    )
    assert len(answer("cut", "--seed", "4", text=say(event))["seeds"]) == 4


def test_fixed_tables_come_first_and_others_are_seated_around_them() -> None:
    event = event_of(PLAYED, options={"fixed": [["ann", "bob", "eve"]], "seed": 1})
    answer_body = answer("pair", text=say(event))
    assert answer_body["pods"][0] == {"table": 1, "players": ["ann", "bob", "eve"]}
    assert sorted(answer_body["pods"][1]["players"]) == ["cyd", "dan", "fay", "gil"]


def test_blocked_pairs_and_groups_sit_apart() -> None:
    event = event_of(names="a b c d e f")
    for player, club in zip(event["players"], "NNSSEE", strict=True):
        player["group"] = club
    for seed in range(8):
        text = say(event | {"options": SIDES | {"most_sides": 3, "usual_sides": 3, "clubs_apart": "never"}})
        pods = answer("pair", "--seed", str(seed), text=text)["pods"]
        assert all(
            {"ab", "cd", "ef"}.isdisjoint(map("".join, combinations(sorted(p["players"]), 2))) for p in pods
        )
    text = say(event | {"options": {"most_sides": 3, "forbidden": [["a", "b"]]}})
    assert not any(
        {"a", "b"} <= set(pod["players"]) for pod in answer("pair", "--seed", "2", text=text)["pods"]
    )


def test_repair_keeps_finished_tables_and_seats_the_others_again() -> None:
    open_round = [PLAYED[0], {"table": 1, "players": ["eve", "fay", "gil"]}, {"players": ["hal"]}]
    event = event_of(open_round, names="ann bob cyd dan eve fay gil hal", options={"seed": 5})
    answer_body = answer("repair", text=say(event))
    assert answer_body["kept"] == [2]
    assert {"table": 2, "players": ["ann", "bob", "cyd", "dan"]} in answer_body["pods"]
    assert sorted(answer_body["pods"][0]["players"]) == ["eve", "fay", "gil", "hal"]
    answer_with_drops = answer("repair", text=say(event | {"drops": {"hal": 0, "gil": 0}}))
    assert (answer_with_drops["byes"], len(answer_with_drops["pods"])) == (["eve", "fay"], 1)


def test_exits_by_tables_won() -> None:
    event = event_of(PLAYED, options={"wins_in": 1, "seed": 1})
    answer_body = answer("pair", text=say(event))
    assert sorted(answer_body["qualified"]) == ["bob", "fay"]
    assert sorted(p for pod in answer_body["pods"] for p in pod["players"]) == [
        "ann",
        "cyd",
        "dan",
        "eve",
        "gil",
    ]


def test_match_without_a_result_is_running() -> None:
    event = read_pod_event(
        {"players": [{"id": 1}, {"id": 2}, {"id": 3}], "rounds": [[{"players": [3, 1, 2]}]]}
    )
    assert event.pods.rounds == ((PodMatch((3, 1, 2)),),)
    text = say({"players": [{"id": at} for at in (1, 2, 3)], "rounds": [[{"players": [3, 1, 2]}]]})
    assert run("pair", "--seed", "1", text=text)[0] == 3


@each_case(
    ("match", "codes"),
    [
        ('{"players": 3}', ["pod-players"]),
        ('{"players": []}', ["pod-players"]),
        ('{"players": [1, "x", 2]}', ["pod-players"]),
        ('{"players": [1, 2, true]}', ["pod-players"]),
        ('{"players": [1, 2, 3], "places": [1, 2]}', ["pod-places"]),
        ('{"players": [1, 2, 3], "places": [2, 2, 3]}', ["pod-places"]),
        ('{"players": [1, 2, 3], "places": [1, 2, 2.5]}', ["pod-places"]),
        ('{"players": [1, 2, 3], "places": "1 2 3"}', ["pod-places"]),
        ('{"players": [1, 2, 3], "last_standing": 4}', ["pod-winner"]),
        ('{"players": [1, 2, 3], "last_standing": 1, "places": [1, 2, 2]}', ["pod-result-twice"]),
        ('{"players": [1, 2, 3], "p1": 1}', ["pod-mixed"]),
        ('{"p1": 1, "p2": 2}', ["pod-mixed"]),
        ('{"players": [1, 2, 2]}', ["seated-twice"]),
        ('{"players": [1, 2, 9]}', ["player-unknown"]),
        ('{"players": [1, 2, 3], "place": [1, 2, 3]}', ["key-unknown"]),
        ('{"players": [1, 2, 3], "table": "one"}', ["games-number"]),
        ("7", ["match-shape"]),
    ],
)
def test_table_that_cannot_be_is_refused(match: str, codes: list[str]) -> None:
    players = '"players": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}]'
    with pytest.raises(EngineError) as refusal:
        read_pod_event(read_json(f'{{{players}, "rounds": [[{match}]]}}'))
    assert [problem.code for problem in refusal.value.problems] == codes
    assert all(str(problem).endswith(".") for problem in refusal.value.problems)


@each_case(
    ("options", "sentence"),
    [
        ({"system": "magic"}, 'system is "magic".'),
        ({"accelerated": True}, "accelerated is true."),
        ({"place_points": [1, 2]}, "place_points is [1, 2]."),
        ({"place_points": [-1]}, "place_points is [-1]."),
        ({"least_sides": 4, "usual_sides": 3}, "Least 4, usual 3 and most 6 sides do not fit together."),
        ({"most_sides": 20}, "Least 3, usual 4 and most 20 sides do not fit together."),
        ({"most_sides": 3, "usual_sides": 3}, "round 1, match 1: There are 4 players at the table."),
        ({"ends": "last_standing"}, "round 1, match 1: Only the winner counts"),
        ({"ends": "time"}, 'ends is "time".'),
        ({"fixed": ["ann"]}, 'fixed is ["ann"].'),
    ],
)
def test_option_that_does_not_fit_is_refused(options: dict[str, Any], sentence: str) -> None:
    code, out, err = run("standings", text=say(event_of(PLAYED, options=options)))
    assert (code, out) == (3, "")
    assert sentence in err


def test_duels_refuse_options_of_pods_and_the_outlook_refuses_pods() -> None:
    duels = {"players": [{"id": 1}, {"id": 2}], "options": {"place_points": [3]}}
    assert "more than two sides only" in run("standings", text=say(duels))[2]
    assert run("outlook", "--size", "2", text=say(event_of(PLAYED)))[0] == 3


@each_case(
    ("fixed", "code"),
    [
        ([["ann", "bob"]], "pod-size"),
        ([["ann", "bob", "ann"]], "fixed-twice"),
        ([["ann", "bob", "hal"]], "fixed-absent"),
    ],
)
def test_fixed_table_that_cannot_be_seated_is_refused(fixed: list[list[str]], code: str) -> None:
    event = event_of(
        PLAYED, names="ann bob cyd dan eve fay gil hal", drops={"hal": 0}, options={"fixed": fixed}
    )
    assert run("pair", "--seed", "1", text=say(event))[0] == 3
