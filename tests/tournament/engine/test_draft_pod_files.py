"""`pair` inside the pods of a booster draft.

An event file or the command line names the pods.
"""

from __future__ import annotations

import io
import json
from typing import Any

from tests.everyday import each_case
from tournament.engine.__main__ import main

PODS = [["ann", "bob", "cyd"], ["dan", "eve", "fay", "gus", "hal"]]
POD_OF = {player: number for number, pod in enumerate(PODS) for player in pod}


def run(command: str, data: dict[str, Any], *arguments: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    code = main([command, "--seed", "7", *arguments], io.StringIO(json.dumps(data)), out, err)
    return code, out.getvalue(), err.getvalue()


def event(
    past: list[Any] | None = None, drops: dict[str, int] | None = None, **options: Any
) -> dict[str, Any]:
    return {
        "players": [{"id": player, "group": "North"} for player in POD_OF],
        "rounds": past or [],
        "drops": drops or {},
        "options": {"draft_pods": PODS, **options},
    }


def pair(data: dict[str, Any], *arguments: str) -> dict[str, Any]:
    code, out, err = run("pair", data, *arguments)
    assert (code, err) == (0, "")
    answer: dict[str, Any] = json.loads(out)
    return answer


def play(answer: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        *({**table, "result": "p1"} for table in answer["pairings"]),
        *({"p1": player, "p2": None, "result": "bye"} for player in answer["byes"]),
    ]


def test_pair_inside_two_odd_pods_gives_a_bye_to_each_and_crosses_none() -> None:
    rounds: list[Any] = []
    for _ in range(3):
        answer = pair(event(rounds, rounds=3))
        assert [POD_OF[table["p1"]] for table in answer["pairings"]] == [0, 1, 1]
        assert [POD_OF[table["p2"]] for table in answer["pairings"]] == [0, 1, 1]
        assert [table["table"] for table in answer["pairings"]] == [1, 2, 3]
        assert [POD_OF[player] for player in answer["byes"]] == [0, 1]
        assert (answer["cost"]["rematches"], answer["cost"]["method"]) == (0, "pods")
        rounds.append(play(answer))
    byes = [match["p1"] for matches in rounds for match in matches if match["p2"] is None]
    assert len(set(byes)) == 6


def test_pair_with_pods_of_the_command_line_pairs_as_those_of_the_file_and_replaces_them() -> None:
    arguments = [part for pod in PODS for part in ("--draft-pods", *pod)]
    other = event(draft_pods=[["ann", "bob"], ["cyd", "dan"]])
    assert pair(other, *arguments) == pair(event())


@each_case(
    "options",
    [
        {"first_round": "fold"},
        {"accelerated": True, "rounds": 3},
        {"clubs_apart": "wish"},
        {"fresh_tables": True},
    ],
)
def test_pair_inside_pods_with_other_options_stays_inside(options: dict[str, object]) -> None:
    answer = pair(event(**options))
    assert [POD_OF[table["p1"]] - POD_OF[table["p2"]] for table in answer["pairings"]] == [0, 0, 0]


def test_pair_with_a_pod_that_all_have_left_pairs_the_other_alone() -> None:
    answer = pair(event([[]], {"ann": 0, "bob": 0, "cyd": 0}))
    assert [POD_OF[player] for player in answer["byes"]] == [1]
    assert len(answer["pairings"]) == 2


def test_pair_inside_pods_keeps_a_fixed_table_and_a_fixed_pair() -> None:
    data = event(fixed=[["gus", "dan"]])
    data["players"][0]["fixed_table"] = 3
    data["options"]["draft_pods"] = [["ann", "bob"], PODS[1], ["cyd"]]
    answer = pair(data)
    tables = {table["table"]: {table["p1"], table["p2"]} for table in answer["pairings"]}
    assert tables[3] == {"ann", "bob"}
    assert {"gus", "dan"} in tables.values()
    assert answer["byes"][1:] == ["cyd"]


@each_case(
    ("options", "sentences"),
    [
        ({"draft_pods": [*PODS, ["ivy"]]}, ['options: draft_pods: "ivy" is not the id of a player.']),
        (
            {"draft_pods": [["ann", "bob", "ann"], ["dan", "bob"]]},
            [
                'options: Player "ann" is in two draft pods. Remove one of the seats.',
                'options: Player "bob" is in two draft pods. Remove one of the seats.',
            ],
        ),
        ({"draft_pods": "ann"}, ['options: draft_pods is "ann". It must be a list.']),
        (
            {"draft_pods": ["ann"]},
            ['options: draft_pods is ["ann"]. It must be a list of lists of players, such as [[3, 4, 5]].'],
        ),
        (
            {"draft_pods": [["ann", "bob"], PODS[1]]},
            ['Player "cyd" plays but is not in a draft pod. Add the player to "draft_pods".'],
        ),
        (
            {"fixed": [["ann", "dan"]]},
            ['Player "ann" and player "dan" are a fixed pair from different draft pods. Remove the pair.'],
        ),
        (
            {"draft_pods": [["ann"]], "most_sides": 4},
            [
                'options: draft_pods is [["ann"]]. '
                "Tables of more than two sides have no such option. Remove it."
            ],
        ),
    ],
)
def test_pair_with_wrong_pods_refuses_with_each_problem(
    options: dict[str, Any], sentences: list[str]
) -> None:
    code, out, err = run("pair", event(**options))
    assert (code, out, err.splitlines()) == (3, "", sentences)


def test_pair_with_a_dropped_player_in_no_pod_pairs_the_others() -> None:
    answer = pair(event([[]], {"cyd": 0}, draft_pods=[["ann", "bob"], PODS[1]]))
    assert next({table["p1"], table["p2"]} for table in answer["pairings"]) == {"ann", "bob"}


def test_repair_inside_pods_refuses() -> None:
    code, _, err = run("repair", event([[{"p1": "ann", "p2": "bob"}]]))
    assert (code, err) == (
        3,
        "Repair works on one field, and each draft pod is a field of its own. "
        'Repair a file of one pod without "draft_pods".\n',
    )


def test_repair_of_a_file_with_one_pod_repairs_that_pod() -> None:
    data = event([[{"p1": "ann", "p2": "bob"}]])
    one_pod = {**data, "players": [each for each in data["players"] if each["id"] in PODS[0]]}
    one_pod["options"] = {"seed": 7}
    code, answer, _ = run("repair", one_pod)
    assert (code, "nearest" in answer) == (0, True)
