"""Published standings of real events.

They are reproduced to the last digit that they show.
"""

from __future__ import annotations

import json
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tournament.engine.brackets.layout import build_bracket
from tournament.engine.brackets.playing import correct_result, play_bracket
from tournament.engine.event_file import read_event
from tournament.engine.event_json import read_json
from tournament.engine.standings.standing import StandingRow, compute_standings
from tournament.engine.standings.systems.loading import load_system
from tournament.engine.standings.systems.system import System

SYSTEMS = {"manatraders": "magic", "netrunner-cobra": "netrunner", "go-h9": "go"}


def events(real_data: Path) -> list[dict[str, Any]]:
    files = sorted((real_data / "events").glob("*.json"))
    return [data for data in (read_json(file.read_text()) for file in files) if "standings" in data]


@pytest.fixture(params=["manatraders", "netrunner-cobra", "go-h9"])
def published_event(request: pytest.FixtureRequest, real_data: Path) -> dict[str, Any]:
    return next(data for data in events(real_data) if data["source"] == request.param)


def rows_of(data: dict[str, Any]) -> tuple[System, dict[int, StandingRow]]:
    system = load_system(SYSTEMS[data["source"]])
    return system, {row.player: row for row in compute_standings(read_event(data), system)}


def test_every_published_value_is_reproduced(published_event: dict[str, Any]) -> None:
    system, rows = rows_of(published_event)
    for line in published_event["standings"]:
        row = rows[line["player"]]
        assert row.points == Fraction(line["points"])
        for tiebreaker, value in zip(system.tiebreakers, row.values, strict=True):
            key = next(name for name in (tiebreaker.key, *tiebreaker.aliases) if name in line)
            assert agrees(value, line[key], published_event["source"]), (line["player"], key)


def agrees(value: Fraction | int, fraction: Any, source: str) -> bool:
    """Return whether a value agrees with a published one.

    Compares three digits rounded half up, whole numbers, or decimals cut off after the fourteenth digit.
    """
    fraction = Fraction(Decimal(fraction)) if isinstance(fraction, str) else Fraction(fraction)
    if source == "manatraders":
        return Fraction(int(Fraction(value) * 1000 + Fraction(1, 2)), 1000) == round(fraction, 9)
    return abs(value - fraction) < (
        Fraction(1, 10**14) if source == "netrunner-cobra" else Fraction(1, 10**9)
    )


def test_the_published_order_is_ours_by_points_and_first_tiebreaker(published_event: dict[str, Any]) -> None:
    # Behind that, the publishers compared rounded numbers; those who dropped may be listed after all others.
    _, rows = rows_of(published_event)
    player_order = [line["player"] for line in published_event["standings"]]
    if published_event["source"] == "manatraders":
        player_order = [player for player in player_order if str(player) not in published_event["drops"]]
    keys = [(rows[player].points, rows[player].values[0]) for player in player_order]
    assert keys == sorted(keys, reverse=True)


@pytest.mark.parametrize("published_event", ["netrunner-cobra", "go-h9"], indirect=True)
def test_published_ranks_are_ours_up_to_those_level_by_then(published_event: dict[str, Any]) -> None:
    _, rows = rows_of(published_event)
    keys = Counter((row.points, row.values[0]) for row in rows.values())
    for line in published_event["standings"]:
        row = rows[line["player"]]
        assert abs(row.rank - line["rank"]) < keys[row.points, row.values[0]]


def test_a_real_double_elimination_is_played_as_it_was(real_data: Path) -> None:
    data = json.loads((real_data / "events" / "double-elimination-8.json").read_text())
    seed = {entrant["id"]: entrant["seed"] for entrant in data["entrants"]}
    bracket = build_bracket("double", len(seed))
    winners = {match["id"]: seed[match["winner"]] for match in data["matches"]}
    state = play_bracket(bracket, winners)
    for match in data["matches"]:
        seated_match, ours = state.match(match["id"]), bracket.match(match["id"])
        assert set(seated_match.pair) == {seed[match["p1"]], seed[match["p2"]]}
        assert (ours.side, ours.winner_to, ours.loser_to) == (
            match["bracket"],
            match["winner_to"],
            match["loser_to"],
        )
    ranks = {seed[int(player)]: place for player, place in data["final_ranks"].items()}
    assert {final.seed: final.place for final in state.places} == ranks
    assert correct_result(bracket, winners, 1, 1).invalid_results == (5, 7, 9, 10, 11, 12, 13, 14, 15)
