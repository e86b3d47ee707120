"""The meaning of a win, a draw and a loss.

It is compared with every result that the round can still have.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import pytest

from tests import machine
from tests.everyday import each_nth
from tests.tournament.engine.events import event
from tests.tournament.engine.test_projections import POINTS, UFS, before_the_last_round, cut_of
from tournament.engine.outlook import replay
from tournament.engine.outlook.meanings import OtherResult, ResultMeaning
from tournament.engine.outlook.projections import project_cut
from tournament.engine.records import Event, Match, PlayerId, Result
from tournament.engine.standings.systems.loading import load_system

# Marks a match of the round that was open; no game counts if both lose.
OPEN = 9
GAMES = {
    Result.P1: ((2, 0, 0), (2, 1, 0)),
    Result.P2: ((0, 2, 0), (1, 2, 0)),
    Result.DRAW: ((1, 1, 1), (0, 0, 3)),
    Result.DOUBLE_LOSS: ((0, 0, OPEN),),
}
OWN = {Result.P1: ("win", "loss"), Result.P2: ("loss", "win"), Result.DRAW: ("draw", "draw")}


def all_ends(played_event: Event) -> list[tuple[Match, ...]]:
    """Return the last round with every result of every open match, by games."""
    ways = [
        [match]
        if match.result is not None
        else [
            match._replace(result=result, p1_games=p1, p2_games=p2, draws=draws)
            for result, scores in GAMES.items()
            for p1, p2, draws in scores
        ]
        for match in played_event.rounds[-1]
    ]
    return [tuple(last) for last in product(*ways)]


def own_result(player: PlayerId, last: tuple[Match, ...]) -> str:
    """Return what the player takes from the last round; empty if both lose."""
    match = next(match for match in last if player in (match.p1, match.p2))
    return OWN.get(match.result, ("", ""))[player == match.p2]


def has(other: OtherResult | None, last: tuple[Match, ...]) -> bool:
    """Return whether the round ended with this result of this match."""
    if other is None:
        return False
    match = next(match for match in last if (match.p1, match.p2) == (other.p1, other.p2))
    winner = {Result.P1: match.p1, Result.P2: match.p2, Result.DRAW: None}
    return match.result in winner and winner[match.result] == other.winner


def is_double_loss(match: Match) -> bool:
    """Return whether both players lose by an end of `all_ends`.

    The end shows this by its number of draws.
    """
    return match.result is Result.DOUBLE_LOSS and match.draws == OPEN


def places(played_event: Event, system: Any, **options: Any) -> list[tuple[tuple[Match, ...], set[int]]]:
    """Return each end of the round with the players of its cut."""
    return [
        (last, cut_of(played_event._replace(rounds=(*played_event.rounds[:-1], last)), system, **options))
        for last in all_ends(played_event)
    ]


def check(meaning: ResultMeaning, player: PlayerId, ends: list[tuple[tuple[Match, ...], set[int]]]) -> None:
    """Require that every statement of certainty is true at every end."""
    same = [
        (last, player in cut)
        for last, cut in ends
        if own_result(player, last) == meaning.result and not has(meaning.unless, last)
    ]
    if meaning.outlook == "in":
        assert all(is_in for _, is_in in same), (player, meaning)
    # A player is called out but for a match that both lose.
    usual = [is_in for last, is_in in same if not any(is_double_loss(match) for match in last)]
    if meaning.outlook == "out":
        assert not any(usual), (player, meaning)
    if meaning.outlook == "open":
        assert {True, False} <= set(usual), (player, meaning)


@pytest.mark.parametrize(
    ("system", "diversity", "work"),
    each_nth(9, product(["points", "ufs", "magic", "go"], [False, True], [0, replay.MOST_WORK])),
)
def test_no_promise_fails_at_any_end_of_the_round(
    system: str, diversity: bool, work: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replay, "MOST_WORK", work)
    rules = POINTS if system == "points" else load_system(system)
    meaning_counts = Counter[str]()
    for seed in range(machine.examples(7)):
        dice = random.Random(seed)
        played_event = before_the_last_round(dice)
        if sum(match.result is None for match in played_event.rounds[-1]) not in (2, 3):
            continue
        names = {player.id: dice.choice("ABCDEF") for player in played_event.players}
        options: dict[str, Any] = {
            "cut_size": dice.randrange(1, 5),
            "diversity": diversity,
            "characters": names,
            "short": "fill" if seed % 2 else "shrink",
        }
        projections = project_cut(played_event, rules, rounds_total=len(played_event.rounds), **options)
        ends = places(played_event, rules, **options)
        for each in projections:
            for meaning in each.results:
                check(meaning, each.player, ends)
                meaning_counts[meaning.outlook + (" unless" if meaning.unless else "")] += 1
    assert {"in", "out"} <= meaning_counts.keys()
    assert "in unless" in meaning_counts or (diversity and not work)


def test_a_result_elsewhere_that_alone_can_stop_a_player_is_named() -> None:
    # 1, 2 and 3 have 3 points, 4 has none; two places; a draw gives 2 four points.
    played_event = event("1-4 2:0, 2-5 2:0, 3-6 2:0", "1-2 ?, 3-4 ?, 5-6 ?")
    projections_by_player = {
        each.player: each for each in project_cut(played_event, UFS, rounds_total=2, cut_size=2)
    }
    assert projections_by_player[2].results == (
        ResultMeaning("win", "in"),
        ResultMeaning("draw", "in", OtherResult(3, 4, 3)),
        ResultMeaning("loss", "unsure"),
    )


def test_players_without_an_open_match_have_no_result_to_weigh() -> None:
    played_event = event("1-2 2:0, 3-4 ?")
    results_by_player = {
        each.player: each.results for each in project_cut(played_event, UFS, rounds_total=1, cut_size=1)
    }
    assert (results_by_player[1], results_by_player[2]) == ((), ())
    assert [meaning.result for meaning in results_by_player[3]] == ["win", "draw", "loss"]


def test_with_rounds_to_come_a_win_that_is_enough_is_said() -> None:
    played_event = event("1-2 2:0, 3-4 1:1", "1-3 ?, 2-4 ?")
    projections_by_player = {
        each.player: each for each in project_cut(played_event, UFS, rounds_total=3, cut_size=3)
    }
    assert projections_by_player[1].results[0] == ResultMeaning("win", "in")
