"""Event files are read exactly, and all problems of a file are reported at once."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import machine
from tests.everyday import each_case
from tests.tournament.engine.events import match
from tournament.engine.event_file import read_event
from tournament.engine.event_json import read_json
from tournament.engine.problems import EngineError
from tournament.engine.records import Event, Match, Result

PLAYERS = '"players": [{"id": 1, "name": "Ann"}, {"id": 2}, {"id": 3, "order": 4, "group": "Club"}]'


def read(text: str) -> Event:
    return read_event(read_json(text))


def one(match: str) -> Match:
    return read(f'{{{PLAYERS}, "rounds": [[{match}]]}}').rounds[0][0]


def codes(text: str) -> list[str]:
    with pytest.raises(EngineError) as excinfo:
        read(text)
    assert all(str(problem).endswith(".") for problem in excinfo.value.problems)
    return [problem.code for problem in excinfo.value.problems]


def test_an_event_is_read_as_it_is_written() -> None:
    event = read(
        f'{{{PLAYERS}, "rounds": [[{{"p1": 1, "p2": 2, "result": "p1"}}], []], "drops": {{"3": 1}}}}'
    )
    assert [(p.id, p.name, p.order, p.group) for p in event.players] == [
        (1, "Ann", None, ""),
        (2, "", None, ""),
        (3, "", 4, "Club"),
    ]
    assert (event.rounds, event.drops) == (((Match(1, 2, Result.P1),), ()), {3: 1})


@each_case(
    ("text", "expected_match"),
    [
        ('{"p1": 1, "p2": null, "result": "bye"}', Match(1, None, Result.BYE)),
        ('{"p1": 1}', Match(1, None, Result.BYE)),
        ('{"p1": 1, "p2": null, "result": "p1"}', Match(1, None, Result.BYE)),
        ('{"p1": 1, "result": "loss_no_opponent"}', Match(1, None, Result.LOSS_NO_OPPONENT)),
        ('{"p1": 1, "p2": 2}', Match(1, 2)),
        ('{"p1": 1, "p2": 2, "result": null}', Match(1, 2)),
        ('{"p1": 1, "p2": 2, "result": "double_loss"}', Match(1, 2, Result.DOUBLE_LOSS)),
        (
            '{"p1": 1, "p2": 2, "result": "p2", "p1_games": 1, "p2_games": 2, "draws": 3, "table": 9}',
            Match(1, 2, Result.P2, 1, 2, 3, table=9),
        ),
        (
            '{"p1": 1, "p2": 2, "result": "p1", "p1_score": 2.5, "p2_score": "1/2"}',
            Match(1, 2, Result.P1, p1_score=Q(5, 2), p2_score=Q(1, 2)),
        ),
        (
            '{"p1": 1, "result": "bye", "bye_type": "half", "bye_points": 0.5}',
            Match(1, None, Result.BYE, bye_type="half", bye_points=Q(1, 2)),
        ),
        (
            '{"p1": 1, "p2": 2, "result": "p1", "bye_type": "forfeit"}',
            Match(1, 2, Result.P1, bye_type="forfeit", forfeit=True),
        ),
        ('{"p1": 1, "p2": 2, "result": "p1", "forfeit": true}', Match(1, 2, Result.P1, forfeit=True)),
    ],
)
def test_matches_of_every_kind(text: str, expected_match: Match) -> None:
    assert one(text) == expected_match


@each_case(
    ("text", "expected_match"),
    [
        ('{"p1": 1, "p2": null, "result": "p2"}', Match(1, None, Result.LOSS_NO_OPPONENT)),
        ('{"p1": 1, "p2": null, "result": "double_loss"}', Match(1, None, Result.LOSS_NO_OPPONENT)),
        ('{"p1": 1, "p2": null, "result": "draw"}', Match(1, None, Result.BYE, bye_type="half")),
        (
            '{"p1": 1, "p2": null, "result": "draw", "bye_type": "H", "bye_points": 0.5}',
            Match(1, None, Result.BYE, bye_type="H", bye_points=Q(1, 2)),
        ),
        ('{"p1": 1, "p2": 2, "result": "draw", "p1_games": 0.5, "p2_games": 0.5}', match("1-2 0:0:1")),
        ('{"p1": 1, "p2": 2, "result": "p1", "p1_games": 1.5, "p2_games": 0.5}', match("1-2 1:0:1")),
        (
            '{"p1": 1, "p2": 2, "result": "draw", "p1_games": 0.5, "p2_games": 0.5, "draws": 1}',
            match("1-2 0:0:1"),
        ),
    ],
)
def test_readings_of_what_other_programs_write(text: str, expected_match: Match) -> None:
    assert one(text) == expected_match


@each_case(
    ("drops", "expected_match"),
    [("[1, 3]", {1: 2, 3: 0}), ('{"1": null, "2": "1"}', {1: 2, 2: 1}), ("null", {}), ("{}", {})],
)
def test_a_drop_without_a_round_is_after_the_last_match(drops: str, expected_match: dict[int, int]) -> None:
    rounds = '[[{"p1": 1, "p2": 2, "result": "p1"}], [{"p1": 1}], [{"p1": 2}]]'
    assert read(f'{{{PLAYERS}, "rounds": {rounds}, "drops": {drops}}}').drops == expected_match


def test_a_mark_of_byte_order_before_the_file_does_no_harm() -> None:
    assert read('\ufeff{"players": [{"id": 1, "name": null}]}').players[0].name == ""


def test_a_tenth_is_a_tenth() -> None:
    assert one('{"p1": 1, "result": "bye", "bye_points": 0.1}').bye_points == Q(1, 10)


def test_numbers_of_another_reader_of_json_are_read_as_they_were_written() -> None:
    matches = [
        {"p1": 1, "bye_points": 0.1},
        {"p1": 2, "p2": 3, "result": "p1", "p1_games": 2.0, "p2_games": 1.0},
    ]
    read_matches = read_event({"players": [{"id": n} for n in (1, 2, 3)], "rounds": [matches]}).rounds[0]
    assert read_matches == (Match(1, None, Result.BYE, bye_points=Q(1, 10)), Match(2, 3, Result.P1, 2, 1))


@each_case(
    ("text", "expected_match"),
    [
        ("", "input-empty"),
        (" \n", "input-empty"),
        ("[", "input-not-json"),
        ("[]", "input-not-object"),
        ("7", "input-not-object"),
        ("[" * 100_000, "input-deep"),
        ('{"id": ' + "9" * 5000 + "}", "input-number-long"),
    ],
)
def test_what_is_no_object_is_refused(text: str, expected_match: str) -> None:
    assert codes(text) == [expected_match]


@each_case(
    ("match", "expected_match"),
    [
        ("3", "match-shape"),
        ('{"p1": "1", "p2": 2}', "match-player"),
        ('{"p1": 1, "p2": true}', "match-player"),
        ('{"p2": 2}', "match-player"),
        ('{"p1": 1, "p2": 2, "result": "won"}', "result-unknown"),
        ('{"p1": 1, "p2": 2, "result": ["p1"]}', "result-unknown"),
        ('{"p1": 1, "p2": 2, "result": "bye"}', "result-misfit"),
        ('{"p1": 1, "p2": 1, "result": "p1"}', "player-on-both-sides"),
        ('{"p1": 1, "p2": 8, "result": "p1"}', "player-unknown"),
        ('{"p1": 1, "p2": 2, "result": "p1", "p1_games": 1.5}', "games-number"),
        ('{"p1": 1, "p2": 2, "result": "p1", "draws": -1}', "games-negative"),
        ('{"p1": 1, "p2": 2, "result": "p1", "p1_score": "six", "p2_score": 0}', "score-number"),
        ('{"p1": 1, "p2": 2, "result": "p1", "p1_score": NaN, "p2_score": 1e400}', "score-number"),
        ('{"p1": 1, "p2": 2, "result": "p1", "p1_score": 1}', "score-one-sided"),
        ('{"p1": 1, "result": "bye", "bye_points": -1}', "score-number"),
    ],
)
def test_a_wrong_match_is_named(match: str, expected_match: str) -> None:
    assert expected_match in codes(f'{{{PLAYERS}, "rounds": [[{match}]]}}')


def test_everything_is_said_at_once_with_its_place() -> None:
    text = json.dumps(
        {
            "players": [{"id": 1}, {"id": 1}, {"name": "x"}, 4, {"id": 2, "order": "a"}],
            "rounds": [[{"p1": 1, "p2": 2, "result": "p1"}, {"p1": 2, "result": "bye"}], 3, [{"p1": 5}]],
            "drops": {"1": "x", "7": 1, "2": -1},
        }
    )
    with pytest.raises(EngineError) as excinfo:
        read(text)
    assert [(problem.code, problem.place) for problem in excinfo.value.problems] == [
        ("player-id", "player 3"),
        ("player-shape", "player 4"),
        ("player-order", "player 5"),
        ("round-shape", "round 2"),
        ("drop-shape", "drops"),
        ("player-twice", "players"),
        ("drop-unknown", "drops"),
        ("drop-round", "drops"),
        ("seated-twice", "round 1"),
        ("player-unknown", "round 2, match 1"),
    ]


@each_case(
    ("text", "expected_match"),
    [
        ("{}", ["players-missing"]),
        ('{"players": {}}', ["players-missing"]),
        ('{"players": [], "rounds": {}}', ["rounds-shape"]),
        ('{"players": [], "drops": 3}', ["drops-shape"]),
        ('{"players": [], "drops": {"' + "9" * 5000 + '": 1}}', ["drop-shape"]),
    ],
)
def test_wrong_shapes_are_named(text: str, expected_match: list[str]) -> None:
    assert codes(text) == expected_match


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=10,
)
KEYS = st.sampled_from(
    ("p1", "p2", "result", "p1_games", "draws", "p1_score", "bye_points", "bye_type", "table")
)
MATCHES = st.dictionaries(KEYS, JSON | st.sampled_from((1, 2, 3, "p1", "draw", "bye")), max_size=6)
EVENTS = st.fixed_dictionaries(
    {
        "players": JSON | st.just([{"id": 1}, {"id": 2}]),
        "rounds": JSON | st.lists(st.lists(MATCHES, max_size=3)),
    },
    optional={"drops": JSON},
)


@settings(max_examples=machine.examples(5), deadline=None)
@given(EVENTS | JSON)
def test_no_input_at_all_breaks_the_reader(data: object) -> None:
    with suppress(EngineError):
        assert isinstance(read(json.dumps(data)), Event)


# -- no value is misread


@each_case(
    ("match", "text"),
    [
        ('{"p1": 1, "p2": 2, "result": "p1", "forfeit": "no"}', 'forfeit is "no". It must be true or false.'),
        ('{"p1": 1, "p2": 2, "p1_game": 2}', 'There is no key "p1_game". Write "p1_games".'),
        (
            '{"p1": 1, "p2": 2, "result": "p1", "p1_games": 0, "p2_games": 2}',
            'The result is "p1", but the games are 0-2. Correct one of them.',
        ),
        (
            '{"p1": 1, "p2": 2, "result": "draw", "p1_games": 2, "p2_games": 0}',
            'The result is "draw", but the games are 2-0. Correct one of them.',
        ),
        (
            '{"p1": 1, "p2": 2, "result": "p2", "p1_score": 2.5, "p2_score": 0}',
            'The result is "p2", but the points are 5/2-0. Correct one of them.',
        ),
        ('{"p1": 1, "p2": 1e1}', "10 is not the id of a player."),
        ('{"p1": 1, "p2": 2, "draws": 1e1}', "draws is 1e1. It must be a whole number."),
        ('{"p1": 1, "p2": 2, "table": "nine"}', 'table is "nine". It must be a whole number.'),
        ('{"p1": 1, "bye_type": 5}', "bye_type is 5. It must be text."),
    ],
)
def test_a_match_that_would_be_read_wrongly_is_refused_with_what_is_there(match: str, text: str) -> None:
    with pytest.raises(EngineError) as refusal:
        one(match)
    if text.startswith("10 is"):
        text = "1e1 is not the id of a player."
    assert [str(problem) for problem in refusal.value.problems] == [f"round 1, match 1: {text}"]


def test_a_key_given_twice_is_refused_wherever_it_is() -> None:
    for text in (
        f'{{{PLAYERS}, "rounds": [], "rounds": []}}',
        f'{{{PLAYERS}, "drops": {{"1": 1, "1": 2}}}}',
        '{"players": [{"id": 1, "id": 2}]}',
        f'{{{PLAYERS}, "rounds": [[{{"p1": 1, "p2": 2, "p2": 3}}]]}}',
        f'{{{PLAYERS}, "rounds" : [], "rounds": []}}',
    ):
        assert codes(text) == ["key-twice"]


def test_a_text_with_a_colon_in_it_is_no_key_given_twice() -> None:
    assert read('{"players": [{"id": 1, "name": "say \\":\\""}]}').players[0].name == 'say ":"'
    assert read('{"players" : [{"id" : 1}]}').players[0].id == 1


def test_json_with_an_error_names_its_place_without_python() -> None:
    with pytest.raises(EngineError) as refusal:
        read_json('{"players": [\n1,, 2]}')
    assert str(refusal.value) == "The input is not JSON: there is an error in line 2, column 3."


def test_a_problem_is_said_once() -> None:
    match = '{"p1": 1, "p2": 9, "result": "p1"}'
    assert codes(f'{{{PLAYERS}, "rounds": [[{match}]], "drops": {{"9": 1}}}}') == [
        "drop-unknown",
        "player-unknown",
    ]


@each_case(
    ("boards", "further", "expected_match"),
    [
        ([[2, 1, 0], [0, 2, 0], [2, 0, 0]], {}, (Result.P1, 2, 1, 0)),
        ([[2, 1, 0], [0, 2, 0], [1, 1, 1]], {"result": "draw"}, (Result.DRAW, 1, 1, 1)),
        ([[0, 1, 0], [0, 2, 0]], {"result": "p2", "p2_games": 2}, (Result.P2, 0, 2, 0)),
        ([[0, 0, 0]], {"result": "double_loss"}, (Result.DOUBLE_LOSS, 0, 0, 1)),
        ([], {}, (None, 0, 0, 0)),
    ],
)
def test_boards_give_the_games_and_the_result(
    boards: object, further: dict[str, object], expected_match: object
) -> None:
    match = read_event({**TEAMS, "rounds": [[{"p1": 1, "p2": 2, "boards": boards, **further}]]}).rounds[0][0]
    assert (match.result, match.p1_games, match.p2_games, match.draws) == expected_match


TEAMS = {"players": [{"id": 1}, {"id": 2}]}


@each_case(
    ("values", "expected_match"),
    [
        ({"boards": [[2, 1]]}, "boards-shape"),
        ({"boards": [[2, 1, -1]]}, "boards-shape"),
        ({"boards": [[2, 1, 0.5]]}, "boards-shape"),
        ({"boards": "2-1"}, "boards-shape"),
        ({"boards": [[1, 0, 0]] * 27}, "boards-shape"),
        ({"boards": [[2, 1, 0]], "p2": None}, "boards-alone"),
        ({"boards": [[2, 1, 0]], "result": "p2"}, "boards-against"),
        ({"boards": [[0, 0, 0]], "result": "p1"}, "boards-against"),
        ({"boards": [[2, 1, 0]], "p1_games": 2}, "boards-against"),
    ],
)
def test_boards_that_cannot_be_read_are_refused(values: dict[str, object], expected_match: str) -> None:
    document = {**TEAMS, "rounds": [[{"p1": 1, "p2": 2, **values}]]}
    assert expected_match in codes(json.dumps(document))
