"""Clinched, open and eliminated players.

They are compared with every possible result, and with random ends of events.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from rules.reason import reason
from tests import machine
from tests.everyday import each_case, each_nth
from tests.tournament.engine.events import event, random_event
from tournament.engine.cut import Short, select_cut
from tournament.engine.outlook import replay
from tournament.engine.outlook.projections import Projection, project_cut
from tournament.engine.problems import EngineError
from tournament.engine.records import Event, Match, Player, Result
from tournament.engine.standings.standing import compute_standings
from tournament.engine.standings.systems.loading import load_system, parse_system
from tournament.engine.standings.systems.system import System

UFS = load_system("ufs")
POINTS = parse_system({"tiebreakers": []})
GAIN = {Result.P1: (3, 0), Result.DRAW: (1, 1), Result.P2: (0, 3)}


def outlooks(projections: tuple[Projection, ...]) -> dict[int, str]:
    return {projection.player: projection.outlook for projection in projections}


def points(event: Event) -> dict[int, int]:
    scores = dict.fromkeys((player.id for player in event.players), 0)
    for matches in event.rounds:
        for match in matches:
            if match.result is Result.BYE:
                scores[match.p1] += 3
            elif match.result in GAIN:
                for player, points_gained in zip((match.p1, match.p2), GAIN[match.result], strict=True):
                    scores[player] += points_gained
    return scores


def certain(event: Event, size: int, labels: dict[int, object]) -> dict[int, tuple[str, bool | None, str]]:
    """Return the outlook, whether a draw is safe, and how that is known.

    It tries all results on points alone. Tied players may fall either way. "can" is exact where they are in
    and out however they fall.
    """
    open_matches = [match for match in event.rounds[-1] if match.result is None]
    there = [player.id for player in event.players if player.id not in event.drops]
    sure, maybe, draw_suffices = (dict.fromkeys(there, True) for _ in range(3))
    maybe, clear_in, clear_out = (dict.fromkeys(there, False) for _ in range(3))
    for results in product(GAIN, repeat=len(open_matches)):
        ends = points(event)
        for match, result in zip(open_matches, results, strict=True):
            for player, points_gained in zip((match.p1, match.p2), GAIN[result], strict=True):
                ends[player] += points_gained
        for player in there:
            others = [other for other in there if other != player]
            worst = {labels[o] for o in others if ends[o] >= ends[player]}
            best = {labels[o] for o in others if ends[o] > ends[player]}
            is_sure = labels[player] not in worst and len(worst) < size
            sure[player] &= is_sure
            is_possible = labels[player] not in best and len(best) < size
            maybe[player] |= is_possible
            clear_in[player] |= is_sure
            clear_out[player] |= not is_possible
            if drew(player, open_matches, results):
                draw_suffices[player] &= is_sure
    seated_players = {p for match in open_matches for p in (match.p1, match.p2)}
    return {
        p: (
            "in" if sure[p] else "can" if maybe[p] else "out",
            draw_suffices[p] if p in seated_players else None,
            "exact" if sure[p] or not maybe[p] or (clear_in[p] and clear_out[p]) else "bounds",
        )
        for p in there
    }


def drew(player: int, open_matches: list[Match], results: tuple[Result, ...]) -> bool:
    pairs = zip(open_matches, results, strict=True)
    return any(player in (match.p1, match.p2) and result is Result.DRAW for match, result in pairs)


def before_the_last_round(dice: random.Random) -> Event:
    whole = random_event(dice, dice.randrange(4, 11), dice.randrange(2, 5))
    plain = [tuple(m for m in matches if m.bye_points is None and not m.forfeit) for matches in whole.rounds]
    last = tuple(
        m._replace(result=None, p1_games=0, p2_games=0, draws=0) if m.p2 and dice.random() < 0.8 else m
        for m in plain[-1]
    )
    return whole._replace(rounds=(*plain[:-1], last), drops=dict.fromkeys(whole.drops, 1))


@pytest.mark.parametrize(("diversity", "work"), each_nth(3, product([False, True], [0, replay.MOST_WORK])))
def test_the_last_round_is_weighed_exactly(
    diversity: bool, work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "MOST_WORK", work)
    round_count = 0
    for seed in range(machine.examples(12)):
        dice = random.Random(seed)
        played_event = before_the_last_round(dice)
        if all(match.result for match in played_event.rounds[-1]):
            continue
        names = {player.id: dice.choice("ABCDE") for player in played_event.players}
        size = dice.randrange(1, 5)
        projections = project_cut(
            played_event,
            POINTS,
            rounds_total=len(played_event.rounds),
            cut_size=size,
            diversity=diversity,
            characters=names,
        )
        labels = names if diversity else {p: p for p in names}
        expected_labels = certain(played_event, size, labels)
        outlooks_by_player = {p.player: (p.outlook, p.draw_is_safe, p.method) for p in projections}
        assert {player: outlooks_by_player[player] for player in expected_labels} == expected_labels
        assert all(p.outlook == "out" for p in projections if p.player not in expected_labels)
        round_count += 1
    assert round_count > machine.examples(8)


GAMES = {
    Result.P1: ((2, 0, 0), (2, 1, 0)),
    Result.P2: ((0, 2, 0), (1, 2, 0)),
    Result.DRAW: ((1, 1, 1), (0, 0, 3)),
}


@pytest.mark.parametrize("system", each_nth(3, ["ufs", "magic", "go", "carrom", "fide"]))
def test_what_is_said_of_the_last_round_holds_with_all_tiebreakers(system: str) -> None:
    """Check every end of the round with every game score.

    Players called in qualify, players called out do not, and swings are exact.
    """
    outlook_counts = Counter[str]()
    for seed in range(machine.examples(4)):
        dice = random.Random(seed)
        played_event = before_the_last_round(dice)
        if sum(match.result is None for match in played_event.rounds[-1]) not in (1, 2):
            continue
        short: Short = "fill" if seed % 2 else "shrink"
        names = {player.id: dice.choice("ABCDE") for player in played_event.players}
        options = {"cut_size": dice.randrange(1, 5), "diversity": True, "characters": names, "short": short}
        rules = load_system(system)
        projections = project_cut(played_event, rules, rounds_total=len(played_event.rounds), **options)
        ends = [cut_of(end, rules, **options) for end in all_ends(played_event)]
        for each in projections:
            often = {each.player in end for end in ends}
            if each.method == "exact":
                assert often == {"in": {True}, "out": {False}, "can": {True, False}}[each.outlook]
            outlook_counts[each.method + each.outlook] += 1
    assert (
        min(outlook_counts[kind_name] for kind_name in ("exactin", "exactout", "exactcan", "boundscan")) > 0
    )


def all_ends(played_event: Event) -> Iterator[Event]:
    ways = [
        [match]
        if match.result is not None
        else [
            match._replace(result=r, p1_games=a, p2_games=b, draws=c) for r in GAMES for a, b, c in GAMES[r]
        ]
        for match in played_event.rounds[-1]
    ]
    return (played_event._replace(rounds=(*played_event.rounds[:-1], last)) for last in product(*ways))


def cut_of(end: Event, rules: System, *, cut_size: int, **options: Any) -> set[int]:
    rows = compute_standings(end, rules, lots={player.id: player.id for player in end.players})
    return {place.player for place in select_cut(rows, cut_size, **options).places}


def test_tiebreakers_that_follow_from_results_count() -> None:
    # 4 can get to the 3 points of 3, who met stronger players.
    played_event = event("1-2 2:0, 3-4 2:0", "1-3 2:0, 2-4 ?")
    projections_by_player = {p.player: p for p in project_cut(played_event, UFS, rounds_total=2, cut_size=2)}
    assert (projections_by_player[4].outlook, projections_by_player[4].method) == ("out", "exact")
    assert projections_by_player[4].reason == reason("surely_out")
    assert (projections_by_player[3].outlook, projections_by_player[3].method) == ("can", "bounds")


def test_who_can_only_draw_level_is_not_called_exact() -> None:
    played_event = event("1-2 2:0, 3-4 2:0", "1-3 ?, 2-4 ?")
    projections_by_player = {
        p.player: p for p in project_cut(played_event, POINTS, rounds_total=2, cut_size=2)
    }
    assert {p.method for p in projections_by_player.values()} == {"bounds"}
    assert (projections_by_player[2].outlook, projections_by_player[2].reason) == (
        "can",
        reason("can_qualify.unsafe"),
    )


def test_a_large_field_gives_the_same_answers_as_its_small_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(machine.examples(6)):
        dice = random.Random(seed)
        played_event = before_the_last_round(dice)
        if all(match.result for match in played_event.rounds[-1]):
            continue
        names = {player.id: dice.choice("ABCDEF") for player in played_event.players}
        options = {
            "rounds_total": len(played_event.rounds),
            "cut_size": 3,
            "diversity": True,
            "characters": names,
        }
        exact = outlooks(project_cut(played_event, POINTS, **options))
        monkeypatch.setattr("tournament.engine.outlook.projections.LARGE_FIELD", 0)
        monkeypatch.setattr(replay, "MOST_WORK", 0)
        bounded_projections = project_cut(played_event, POINTS, **options)
        monkeypatch.undo()
        assert all(p.outlook in ("can", exact[p.player]) for p in bounded_projections)
        assert {p.method for p in bounded_projections} == {"bounds"}


@pytest.mark.parametrize("diversity", [False, True])
def test_bounds_are_never_wrong_about_in_and_out(diversity: bool) -> None:
    for seed in range(machine.examples(8)):
        dice = random.Random(seed)
        start = random_event(dice, 10, 3, late=False)
        names = {player.id: dice.choice("ABCDEFG") for player in start.players}
        options = {"cut_size": 3, "diversity": diversity, "characters": names, "rounds_total": 5}
        early = project_cut(start, UFS, **options)
        more = random_event(dice, 10, 2, late=False)
        ended_event = start._replace(rounds=start.rounds + more.rounds)
        final = outlooks(project_cut(ended_event, UFS, **options, lots={p: p for p in names}))
        assert all(p.outlook in ("can", final[p.player]) for p in early)
        assert {p.method for p in early} == {"bounds"}


def test_bounds_know_that_points_are_scarce() -> None:
    # After four rounds 1 has 12; only one of the others can still win twice against the rest's losses.
    rounds = ["1-2 2:0, 3-4 1:1", "1-3 2:0, 2-4 1:1", "1-4 2:0, 2-3 1:1", "1-2 2:0, 3-4 1:1"]
    projections = project_cut(event(*rounds), UFS, rounds_total=6, cut_size=2)
    assert outlooks(projections) == {1: "in", 2: "can", 3: "can", 4: "can"}


def test_when_all_is_played_the_cut_itself_answers() -> None:
    played_event = event("1-2 2:0, 3-4 2:1", "1-3 2:0, 2-4 2:0")
    projections = project_cut(played_event, UFS, rounds_total=2, cut_size=2, lots={1: 1, 2: 2, 3: 3, 4: 4})
    assert {p.method for p in projections} == {"final"}
    assert outlooks(projections) == {1: "in", 2: "in", 3: "out", 4: "out"}
    assert projections[0].reason == reason("qualified")


def test_who_is_in_may_draw_and_who_needs_a_win_is_told() -> None:
    # 1 has 6, 2 and 3 have 3, 4 has 0; the last round is 1-2 and 3-4 for two places.
    played_event = event("1-4 2:0, 2-3 2:0", "1-3 2:0, 2-4 0:2", "1-2 ?, 3-4 ?")
    projections_by_player = {p.player: p for p in project_cut(played_event, UFS, rounds_total=3, cut_size=2)}
    assert (projections_by_player[1].outlook, projections_by_player[1].draw_is_safe) == ("can", True)
    assert projections_by_player[1].reason == reason("can_draw_in")
    assert (projections_by_player[2].outlook, projections_by_player[2].draw_is_safe) == ("can", False)
    assert projections_by_player[2].reason == reason("can_qualify.unsafe")


def test_dropped_and_declined_players_are_out_and_block_no_other_player() -> None:
    played_event = event("1-2 2:0, 3-4 2:0", drops={1: 1})
    projections = project_cut(played_event, UFS, rounds_total=1, cut_size=1, decliners={4})
    assert outlooks(projections) == {1: "out", 2: "out", 3: "in", 4: "out"}


def test_with_places_to_be_filled_no_player_is_eliminated_early() -> None:
    played_event = event("1-2 2:0, 3-4 2:0", "1-3 2:0, 2-4 ?")
    same = dict.fromkeys((1, 2, 3, 4), "Ken")
    options = {"rounds_total": 2, "cut_size": 2, "diversity": True, "characters": same}
    assert outlooks(project_cut(played_event, UFS, **options)) == {1: "in", 2: "out", 3: "out", 4: "out"}
    projection = project_cut(played_event, POINTS, **options, short="fill")
    assert outlooks(projection) == {1: "in", 2: "can", 3: "can", 4: "can"}


@pytest.mark.parametrize(("rounds", "size"), [(0, 2), (3, 0)])
def test_senseless_questions_are_refused(rounds: int, size: int) -> None:
    with pytest.raises(EngineError) as excinfo:
        project_cut(event("1-2 2:0"), UFS, rounds_total=rounds, cut_size=size)
    assert [(each.code, each.reason.params) for each in excinfo.value.problems] == [
        ("projection-size", {"size": size, "rounds": rounds})
    ]


def test_an_open_match_of_an_earlier_round_is_refused() -> None:
    with pytest.raises(EngineError, match="Round 1 has a match without a result"):
        project_cut(event("1-2 ?", "1-2 ?"), UFS, rounds_total=2, cut_size=1)


def test_before_the_first_round_everything_is_open() -> None:
    projections = project_cut(Event(tuple(map(Player, range(1, 9)))), UFS, rounds_total=3, cut_size=4)
    assert set(outlooks(projections).values()) == {"can"}


@each_case(
    "data",
    [
        {"tiebreakers": [{"kind": "wins"}, {"kind": "points"}]},
        {"points": {"game_win": 3}, "tiebreakers": []},
        {"points": {"draw": 4}, "tiebreakers": []},
        {"points": {"bye": 4}, "tiebreakers": []},
    ],
)
def test_a_system_in_which_points_do_not_decide_has_no_projection(data: dict[str, object]) -> None:
    with pytest.raises(EngineError) as excinfo:
        project_cut(event("1-2 2:0"), parse_system(data), rounds_total=2, cut_size=1)
    assert [problem.code for problem in excinfo.value.problems] == ["projection-system"]
