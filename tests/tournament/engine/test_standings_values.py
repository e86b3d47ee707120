"""Values calculated by hand, one small event per system."""

from __future__ import annotations

from dataclasses import astuple
from fractions import Fraction as Q

import pytest

from tests.everyday import each_case
from tests.tournament.engine.events import event, match
from tests.tournament.engine.words import say
from tournament.engine.problems import EngineError
from tournament.engine.records import Event, Match, Player, Result
from tournament.engine.standings.standing import StandingRow, compute_standings
from tournament.engine.standings.systems.loading import load_system, parse_system

# 1 beats 2, 3 draws 4, 5 has the bye; 1 beats 3, 5 beats 4, 2 has the bye; 1 draws 5, 2 beats 3, 4 is gone.
FIVE = event("1-2 2:1, 3-4 1:1:1, 5 bye", "1-3 2:0, 4-5 1:2, 2 bye", "1-5 0:0:3, 2-3 2:0", drops={4: 2})


def by_player(rows: tuple[StandingRow, ...]) -> dict[int, StandingRow]:
    return {row.player: row for row in rows}


def values(event: Event, name: str, player: int, **options: object) -> tuple[object, ...]:
    row = by_player(compute_standings(event, load_system(name, **options)))[player]
    return (row.points, *row.values)


@each_case(
    ("player", "points", "omw", "gw", "ogw"),
    [
        # met 2 (one win, one loss: 3/6), 3 (one of nine, floored) and 5 (four of six, its bye left out)
        (1, 7, Q(1, 2), Q(2 * 3 + 2 * 3 + 3, 3 * 8), (Q(3, 5) + Q(4, 21) + Q(3, 6)) / 3),
        # met 1 (seven of nine) and 3 (floored to 1/3); its bye is no game
        (2, 6, (Q(7, 9) + Q(1, 3)) / 2, Q(3, 5), (Q(15, 24) + Q(4, 21)) / 2),
        # met 4 (one of six, floored), 1 and 2
        (3, 1, (Q(1, 3) + Q(7, 9) + Q(1, 2)) / 3, Q(4, 21), (Q(7, 18) + Q(15, 24) + Q(3, 5)) / 3),
    ],
)
def test_ufs_counts_no_bye_and_floors_opponents_match_wins(player, points, omw, gw, ogw) -> None:
    assert values(FIVE, "ufs", player)[:4] == (points, omw, gw, ogw)


def test_ufs_has_no_floor_under_game_wins() -> None:
    lone = event("1-2 2:0", "1-2 2:0")
    assert values(lone, "ufs", 1)[1:4] == (Q(1, 3), 1, 0)
    assert values(lone, "ufs", 2)[1:4] == (1, 0, 1)


def test_magic_counts_a_bye_as_a_round_won_two_nil() -> None:
    # 5 has 7 of 9 with its bye; 2 has 6 of 9 with its bye; 3 has 1 of 9, floored.
    assert values(FIVE, "magic", 1)[1] == (Q(6, 9) + Q(33, 100) + Q(7, 9)) / 3
    assert values(FIVE, "magic", 2)[2] == Q(2 * 3 + 1 * 3 + 2 * 3, 3 * 7)


@each_case(
    ("options", "expected_values"),
    [
        ({}, (Q(33, 100), 1, Q(33, 100))),
        ({"floor": "1/3"}, (Q(1, 3), 1, Q(1, 3))),
        ({"floor": "0"}, (0, 1, 0)),
        ({"floor": "0.33", "own_floor": True}, (Q(33, 100), 1, Q(33, 100))),
    ],
)
def test_magic_floors_opponents_as_asked(options, expected_values) -> None:
    assert values(event("1-2 2:0"), "magic", 1, **options)[1:] == expected_values


def test_own_game_wins_are_floored_only_when_asked() -> None:
    lost_event = event("1-2 0:2")
    assert values(lost_event, "magic", 1)[2] == 0
    assert values(lost_event, "magic", 1, own_floor=True)[2] == Q(33, 100)
    assert values(lost_event, "magic", 1, own_floor=True, floor="1/3")[2] == Q(1, 3)
    assert values(lost_event, "magic", 1, own_floor=True, floor=0)[2] == 0


def test_no_floor_lies_under_the_games_of_who_never_played() -> None:
    never = event("1-2 2:0", players=3)
    assert values(never, "magic", 3, own_floor=True) == (0, 0, 0, 0)
    assert values(event("1-2 double loss"), "magic", 1, own_floor=True)[2] == Q(33, 100)
    formula = say(load_system("magic", own_floor=True).describe()[2].formula)
    assert formula.endswith(", the value never below 33/100 for those who played")


def test_a_drawn_game_is_worth_one_game_point_or_none_but_always_a_game() -> None:
    played_event = event("1-2 2:0:1", "1-2 0:0:3")
    assert values(played_event, "magic", 1)[2] == Q(6 + 1 + 3, 18)
    assert values(played_event, "magic", 1, drawn_games=0)[2] == Q(6, 18)


def test_a_double_loss_is_a_played_match_without_points_for_both() -> None:
    rows = by_player(compute_standings(event("1-2 double loss"), load_system("magic", floor=0)))
    assert [(row.points, row.values[0], row.losses, row.draws) for row in rows.values()] == [(0, 0, 1, 0)] * 2


def test_a_loss_without_opponent_counts_as_a_round_without_an_opponent() -> None:
    rows = compute_standings(event("1-2 2:0, 3 lost", "1-3 2:0, 2 bye"), load_system("magic", floor=0))
    one, three = by_player(rows)[1], by_player(rows)[3]
    assert one.values[0] == (Q(3, 6) + Q(0, 6)) / 2
    assert (three.points, three.losses, three.values[0]) == (0, 2, 1)


def test_rounds_after_a_drop_are_not_counted() -> None:
    # 2 played one round of three and lost it: 0 of 3, not 0 of 9; 1 met them once.
    three = event("1-2 2:0, 3-4 2:0", "1-3 2:0", "1-4 2:0", drops={2: 1})
    assert values(three, "magic", 1, floor=0)[1] == (0 + Q(3, 6) + Q(0, 6)) / 3


def test_a_match_without_result_changes_nothing() -> None:
    before = event("1-2 2:0, 3-4 2:1")
    running_event = event("1-2 2:0, 3-4 2:1", "1-3 ?, 2-4 ?")
    for name in ("magic", "ufs", "go"):
        facts = [
            [row.facts() for row in compute_standings(e, load_system(name))] for e in (before, running_event)
        ]
        assert facts[0] == facts[1]


@each_case("name", ["magic", "carrom", "netrunner"])
def test_games_of_a_match_without_result_are_not_counted(name: str) -> None:
    running_event = Event((Player(1), Player(2)), ((Match(1, 2, None, 2, 1, 1, 2, 1),),))
    for row in compute_standings(running_event, load_system(name)):
        assert {row.points, *row.values, *astuple(row.record)} == {0}


def test_netrunner_takes_means_per_round_with_byes_in_points_and_rounds() -> None:
    def make_match(one: int, two: int | None, first: int, second: int) -> Match:
        result = Result.BYE if two is None else Result.P1 if first > second else Result.DRAW
        return Match(one, two, result, p1_score=first, p2_score=second)

    rounds = (
        (make_match(1, 2, 6, 0), make_match(3, None, 6, 0)),
        (make_match(1, 3, 3, 3), make_match(2, None, 0, 0)),
    )
    rows = by_player(
        compute_standings(Event(tuple(map(Player, (1, 2, 3))), rounds), load_system("netrunner"))
    )
    # 1 met 2 (0 in 2 rounds) and 3 (9 in 2 rounds)
    assert (rows[1].points, rows[1].values[0]) == (9, (Q(0, 2) + Q(9, 2)) / 2)
    assert (rows[2].points, rows[2].values[0]) == (0, Q(9, 2))
    assert rows[3].values == (Q(9, 2), Q(9, 4))


def test_netrunner_reads_points_from_games_where_none_are_written() -> None:
    rows = by_player(compute_standings(event("1-2 2:0, 3-4 1:1"), load_system("netrunner")))
    assert [rows[player].points for player in (1, 2, 3, 4)] == [6, 0, 3, 3]


def test_go_sums_opponents_points_and_treats_the_bye_as_one_player() -> None:
    rows = by_player(compute_standings(event("1-2 1:0, 3 bye", "1-3 1:0, 2 bye"), load_system("go")))
    assert rows[1].values == (1 + 1, 2 + 2)
    # 2 met 1 (on 2 points, with SOS 2) and the bye, whose sum is the points of 2 and 3
    assert rows[2].values == (2, 2 + (1 + 1))
    assert rows[1].shown_scores == (1 * 1 + 1 * 1,)


def test_go_half_points_stay_exact() -> None:
    rows = by_player(compute_standings(event("1-2 1:1", "1-3 1:0, 2-4 1:1"), load_system("go")))
    assert rows[1].points == Q(3, 2)
    assert rows[1].shown_scores == (Q(1, 2) * 1 + 1 * 0,)
    assert rows[2].shown_scores == (Q(1, 2) * Q(3, 2) + Q(1, 2) * Q(1, 2),)


CARROM = event("1-2 25:7, 3 bye", "1-3 10:10, 2 bye")


def test_carrom_ranks_by_buchholz_net_and_total_score() -> None:
    rows = by_player(compute_standings(CARROM, load_system("carrom")))
    assert (rows[1].points, *rows[1].values) == (3, 2 + 3, 18, 35)
    assert (rows[2].points, *rows[2].values) == (2, 3, 7 - 25 + 2, 9)


def test_carrom_reads_board_points_written_as_scores() -> None:
    moved_rounds = tuple(
        tuple(m._replace(p1_games=0, p2_games=0, p1_score=m.p1_games, p2_score=m.p2_games) for m in matches)
        for matches in CARROM.rounds
    )
    system = load_system("carrom")
    standings = compute_standings(CARROM._replace(rounds=moved_rounds), system)
    assert [row.facts() for row in standings] == [row.facts() for row in compute_standings(CARROM, system)]


def test_carrom_credits_a_bye_with_the_board_points_written_on_it() -> None:
    matches = (Match(1, 2, Result.P1, 25, 7), Match(3, None, Result.BYE, bye_type="phantom", bye_points=25))
    rows = by_player(
        compute_standings(Event(tuple(map(Player, (1, 2, 3))), (matches,)), load_system("carrom"))
    )
    assert (rows[3].points, *rows[3].values) == (2, 0, 25, 25)


def test_carrom_match_points_on_a_bye_are_no_board_points_beside_them() -> None:
    matches = (
        Match(1, 2, Result.P1, p1_score=25, p2_score=7),
        Match(3, None, Result.BYE, p1_games=25, bye_points=2),
        Match(4, None, Result.BYE, bye_type="half", bye_points=1),
    )
    rows = by_player(
        compute_standings(Event(tuple(map(Player, (1, 2, 3, 4))), (matches,)), load_system("carrom"))
    )
    assert [(rows[p].points, *rows[p].values) for p in (1, 3, 4)] == [
        (2, 0, 18, 25),
        (2, 0, 25, 25),
        (1, 0, 0, 0),
    ]


def test_carrom_match_points_written_as_scores_are_match_points() -> None:
    matches = (Match(1, 2, Result.P1, 25, 7, p1_score=2, p2_score=0),)
    rows = compute_standings(Event((Player(1), Player(2)), (matches,)), load_system("carrom"))
    assert [(row.points, *row.values) for row in rows] == [(2, 0, 18, 25), (0, 2, -18, 7)]


def test_carrom_match_points_stay_match_points_beside_an_unusual_bye() -> None:
    matches = (
        Match(1, 2, Result.P1, 25, 7, p1_score=2, p2_score=0),
        Match(3, None, Result.BYE, bye_type="half", p1_score=1),
        Match(4, None, Result.BYE, p1_score=1, bye_points=20),
    )
    rows = by_player(
        compute_standings(Event(tuple(map(Player, (1, 2, 3, 4))), (matches,)), load_system("carrom"))
    )
    assert [(rows[p].points, *rows[p].values) for p in (1, 2, 3, 4)] == [
        (2, 0, 18, 25),
        (0, 2, -18, 7),
        (1, 0, 0, 0),
        (1, 0, 20, 20),
    ]


OWN = {
    "points": {"win": 3, "draw": 1, "bye": 3},
    "tiebreakers": [
        {"kind": "buchholz", "key": "b1", "cut_low": 1},
        {"kind": "buchholz", "key": "median", "cut_low": 1, "cut_high": 1},
        {"kind": "koya"},
        {"kind": "progressive"},
        {"kind": "progressive", "key": "late", "cut_low": 1},
        {"kind": "sosos"},
        {"kind": "wins"},
        {"kind": "wins_played"},
        {"kind": "matches"},
        {"kind": "match_win", "byes": "ignored"},
        {"kind": "opponents_opponents_match_win", "byes": "ignored"},
        {"kind": "net_games"},
        {"kind": "games_won"},
        {"kind": "initial_order"},
    ],
}


def test_an_organizer_can_choose_from_every_kind() -> None:
    system = parse_system(OWN)
    rows = by_player(compute_standings(FIVE, system))
    # points: 1 has 7, 2 has 6, 3 has 1, 4 has 1, 5 has 7
    assert rows[1].values == (
        6 + 7,  # without the lowest of 6, 1 and 7
        6,  # and without the highest
        3 + 1,  # 2 and 5 have at least half of nine
        3 + 6 + 7,
        6 + 7,
        (7 + 1) + (1 + 7 + 6) + (1 + 7),
        2,
        2,
        3,
        Q(7, 9),
        ((Q(7, 9) + Q(1, 9)) / 2 + (Q(1, 6) + Q(7, 9) + Q(1, 2)) / 3 + (Q(1, 6) + Q(7, 9)) / 2) / 3,
        4 - 1,
        4,
        1,
    )


def test_points_may_stand_anywhere_in_an_own_system() -> None:
    system = parse_system({"tiebreakers": [{"kind": "games_won"}, {"kind": "points"}]})
    rows = compute_standings(event("1-2 1:0, 3-4 2:3"), system)
    assert [row.player for row in rows] == [4, 3, 1, 2]


def test_a_floor_is_only_for_those_below_it() -> None:
    system = parse_system({"tiebreakers": [{"kind": "match_win", "floor": "1/2"}]})
    assert [row.values[0] for row in compute_standings(event("1-2 2:0", "1-2 2:0", "1-2 0:2"), system)] == [
        Q(2, 3),
        Q(1, 2),
    ]


def test_a_negative_round_is_refused() -> None:
    with pytest.raises(EngineError) as excinfo:
        compute_standings(FIVE, load_system("ufs"), after_round=-1)
    assert [(each.code, each.reason.params) for each in excinfo.value.problems] == [
        ("round-negative", {"round": -1})
    ]


UNSOUND = [
    ((Match(1, 2, Result.P1), Match(2, None, Result.BYE)), "seated-twice"),
    ((Match(1, 1, Result.P1),), "player-on-both-sides"),
    ((Match(1, 9, Result.P1),), "player-unknown"),
    ((Match(1, None, Result.DRAW),), "result-misfit"),
    ((Match(1, 2, Result.BYE),), "result-misfit"),
]


@each_case(("matches", "code"), UNSOUND)
def test_an_unsound_event_has_no_standing(matches: tuple[Match, ...], code: str) -> None:
    with pytest.raises(EngineError) as excinfo:
        compute_standings(Event((Player(1), Player(2)), (matches,)), load_system("ufs"))
    assert code in [problem.code for problem in excinfo.value.problems]


def test_two_players_with_one_id_have_no_standing() -> None:
    with pytest.raises(EngineError, match="entered 2 times"):
        compute_standings(Event((Player(1), Player(1))), load_system("ufs"))


def test_matches_may_carry_their_own_points() -> None:
    match = Match(1, 2, Result.P1, p1_score=Q(5, 2), p2_score=Q(1, 2))
    rows = compute_standings(Event((Player(1), Player(2)), ((match,),)), load_system("magic"))
    assert [row.points for row in rows] == [Q(5, 2), Q(1, 2)]


def test_readable_matches() -> None:
    assert match("1-2 1:1:1") == Match(1, 2, Result.DRAW, 1, 1, 1)


@each_case(
    ("names", "points"),
    [
        (("U", "PAB", "pairing allocated bye", "bye", None), 1),
        (("F", "FPB", "full-point bye", "+", "full_point_bye"), 1),
        (("H", "HPB", "half-point bye", "half", "="), Q(1, 2)),
        (
            ("Z", "ZPB", "zero_point_bye", "0", "absent", "not paired", "late entry", "withdrawn", "excused"),
            0,
        ),
    ],
)
def test_byes_of_every_kind_go_by_many_names(names: tuple[str | None, ...], points: Q | int) -> None:
    for name in names:
        alone = Event((Player(1),), ((Match(1, None, Result.BYE, bye_type=name),),))
        assert [row.points for row in compute_standings(alone, load_system("fide"))] == [points], name
