"""Standings measured against a plain calculation and another library.

The plain calculation must agree.

    python -m benchmarks.standings [--players 64 256 1024 10000 20000] [--rounds 15] [--repeat 5]

For each size and system, in milliseconds of the process: the cross table out of the records, all tiebreakers
out of it, the whole standing with its ranks, and that with the exact values of every row; then the peak
memory of the whole in MB. Each is measured in pure Python and, where it is installed, with numpy; both must
give the same rows. The last lines give growth exponents. `plain` adds one Fraction at a time, up to 4,096
players, and must give the same values. `straight` is a straightforward version with numpy: floats, the same
three tiebreakers and the order.
`cardarena` is cardarena-tournament-core (of the `bench` group) with its PokemonTCG scoring, up to 256
players: points, opponents' and opponents' opponents' percentages in floats, the nearest there is on PyPI.
"""

from __future__ import annotations

import argparse
import importlib
import math
import random
import time
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tournament.engine.records import Event, Match, Player, PlayerId, Result
from tournament.engine.standings import arrays
from tournament.engine.standings.crosstable import build_cross_table
from tournament.engine.standings.ranking import compute_ranking
from tournament.engine.standings.standing import compute_standings
from tournament.engine.standings.systems.loading import load_system
from tournament.engine.standings.tiebreakers.base import TiebreakerContext

GAMES = ((2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 2, 0), (1, 1, 1))
LARGEST_PLAIN = 4096
LARGEST_PEER = 256
WAYS = {"lists": 10**9, "numpy": 0}


def swiss(players: int, rounds: int, seed: int = 1) -> Event:
    """Return an event paired by score with a bye and a few drops each round."""
    dice = random.Random(seed)
    scores = dict.fromkeys(range(1, players + 1), 0)
    drops: dict[PlayerId, int] = {}
    matches_by_round = []
    for number in range(1, rounds + 1):
        there = sorted((p for p in scores if p not in drops), key=lambda p: (-scores[p], dice.random()))
        matches = [_match(dice, scores, one, two) for one, two in zip(there[::2], there[1::2], strict=False)]
        if len(there) % 2:
            matches.append(Match(there[-1], None, Result.BYE, 2, 0))
            scores[there[-1]] += 3
        matches_by_round.append(tuple(matches))
        drops |= dict.fromkeys(dice.sample(there, len(there) // 100), number)
    return Event(tuple(Player(p) for p in scores), tuple(matches_by_round), drops)


def _match(dice: random.Random, scores: dict[PlayerId, int], one: PlayerId, two: PlayerId) -> Match:
    games = dice.choice(GAMES)
    if games[0] == games[1]:
        scores[one] += 1
        scores[two] += 1
        return Match(one, two, Result.DRAW, *games)
    scores[one if games[0] > games[1] else two] += 3
    return Match(one, two, Result.P1 if games[0] > games[1] else Result.P2, *games)


def plain(event: Event) -> dict[PlayerId, tuple[Fraction, Fraction, Fraction]]:
    """Return OMW, GW and OGW of the default system, one Fraction at a time."""
    third = Fraction(1, 3)
    opponents: dict[PlayerId, list[PlayerId]] = {player.id: [] for player in event.players}
    totals = {player.id: [0, 0, 0, 0] for player in event.players}
    for matches in event.rounds:
        for m in matches:
            if m.p2 is None:
                continue
            for me, other, wins, losses, mine in (
                (m.p1, m.p2, m.p1_games, m.p2_games, "p1"),
                (m.p2, m.p1, m.p2_games, m.p1_games, "p2"),
            ):
                points = 1 if m.result is Result.DRAW else 3 if m.result == mine else 0
                opponents[me].append(other)
                for place, value in enumerate((points, 1, 3 * wins + m.draws, wins + losses + m.draws)):
                    totals[me][place] += value
    match_win_shares = {p: max(third, Fraction(t[0], 3 * t[1]) if t[1] else third) for p, t in totals.items()}
    game_win_shares = {p: Fraction(t[2], 3 * t[3]) if t[3] else Fraction(0) for p, t in totals.items()}
    return {
        p: (_mean(match_win_shares, opponents[p]), game_win_shares[p], _mean(game_win_shares, opponents[p]))
        for p in opponents
    }


def straightforward(event: Event) -> Callable[[], object] | None:
    """Return the same three values and the order in floats with numpy.

    Returns None if numpy is not installed.
    """
    if not arrays.is_installed:
        return None
    np: Any = importlib.import_module("numpy")
    row_of = {player.id: row for row, player in enumerate(event.players)}

    def compute() -> list[tuple[object, ...]]:
        size = len(row_of)
        points, rounds, wins, games = (np.zeros(size) for _ in range(4))
        pairs = [
            (m, row_of[m.p1], row_of[m.p2]) for matches in event.rounds for m in matches if m.p2 is not None
        ]
        one, two = (np.array([pair[place] for pair in pairs]) for place in (1, 2))
        facts = np.array([(m.p1_games, m.p2_games, m.draws) for m, _, _ in pairs], float)
        for me, mine, theirs in ((one, 0, 1), (two, 1, 0)):
            ahead = np.sign(facts[:, mine] - facts[:, theirs])
            np.add.at(points, me, np.where(ahead > 0, 3, np.where(ahead == 0, 1, 0)))
            np.add.at(rounds, me, 1)
            np.add.at(wins, me, 3 * facts[:, mine] + facts[:, 2])
            np.add.at(games, me, facts.sum(1))
        match_win_shares = np.maximum(1 / 3, points / np.maximum(3 * rounds, 1))
        game_win_shares = wins / np.maximum(3 * games, 1)
        sums = []
        for values in (match_win_shares, game_win_shares):
            total = np.zeros(size)
            np.add.at(total, one, values[two])
            np.add.at(total, two, values[one])
            sums.append(total / np.maximum(rounds, 1))
        order = np.lexsort((-sums[1], -game_win_shares, -sums[0], -points))
        columns = (points, sums[0], game_win_shares, sums[1])
        return list(zip(order.tolist(), *(column[order].tolist() for column in columns), strict=True))

    return compute


def _mean(values: dict[PlayerId, Fraction], players: list[PlayerId]) -> Fraction:
    return sum((values[p] for p in players), Fraction(0)) / len(players) if players else Fraction(0)


def peer(event: Event) -> Callable[[], object] | None:
    """Return the same event scored by cardarena-tournament-core.

    Returns None if that is not installed.
    """
    try:
        core: Any = importlib.import_module("cardarena_tournament_core")
    except ImportError:
        return None
    people = {player.id: core.Player(id=str(player.id), name=str(player.id)) for player in event.players}
    ends = core.MatchupOutcome
    outcomes = {Result.P1: ends.PLAYER1_WINS, Result.P2: ends.PLAYER2_WINS, Result.DRAW: ends.DRAW}
    rounds = [
        core.Round(
            round_number=number,
            matchups=[
                core.Matchup(people[m.p1], people[m.p2], outcomes[m.result])
                if m.p2 is not None and m.result is not None
                else core.Matchup(people[m.p1], None)
                for m in matches
            ],
        )
        for number, matches in enumerate(event.rounds, 1)
    ]
    return lambda: core.PokemonTCG().calculate(rounds)


def best(work: Callable[[], object], repeat: int) -> float:
    """Return the shortest of some runs, in milliseconds."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return 1000 * min(times)


def peak(work: Callable[[], object]) -> float:
    """Peak memory of one run in MB."""
    tracemalloc.start()
    work()
    size = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return size / 2**20


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--players",
        type=int,
        nargs="+",
        default=[64, 256, 1024, 10_000, 20_000],
        help="numbers of players, one run each",
    )
    parser.add_argument("--rounds", type=int, default=15, help="number of rounds")
    parser.add_argument("--repeat", type=int, default=5, help="number of runs, of which the best counts")
    parser.add_argument(
        "--systems",
        nargs="+",
        default=["ufs", "magic", "netrunner", "go", "carrom", "fide"],
        help="scoring systems",
    )
    options = parser.parse_args()
    heads = ("table", "tiebreak", "whole", "values", "MB", "plain", "straight", "cardarena")
    print(f"{'system':>10} {'by':>7} {'players':>8} {' '.join(f'{head:>9}' for head in heads)}")
    whole: dict[str, list[tuple[int, float]]] = {}
    for size in options.players:
        event = swiss(size, options.rounds)
        for name in options.systems:
            for way, duration in measure(event, name, options.repeat).items():
                whole.setdefault(f"{name} by {way}", []).append((size, duration))
    for name, figures in whole.items():
        (small, fast), (large, slow) = figures[0], figures[-1]
        if large > small:
            print(f"{name}: growth exponent {math.log(slow / fast) / math.log(large / small):.2f}")


def measure(event: Event, name: str, repeat: int) -> dict[str, float]:
    """Return one line of the table for each way; gives the time of the whole by each."""
    system, size = load_system(name), len(event.players)
    complete, rows = {}, []
    for way, seats in WAYS.items():
        if way == "numpy" and not arrays.is_installed:
            continue
        arrays.FEWEST_SEATS = seats
        built_table = build_cross_table(system.read(event), system.points)
        table = best(lambda: build_cross_table(system.read(event), system.points), repeat)
        values = best(lambda event=built_table: compute_ranking(TiebreakerContext(event), system), repeat)  # type: ignore[misc]
        complete[way] = best(lambda: compute_standings(event, system), repeat)
        shown_time = best(lambda: [row.values for row in compute_standings(event, system)], repeat)
        memory = peak(lambda: compute_standings(event, system))
        times = " ".join(f"{each:>9.1f}" for each in (table, values, complete[way], shown_time, memory))
        print(f"{name:>10} {way:>7} {size:>8} {times} {_peers(event, name, way, repeat)}", flush=True)
        rows.append([row.facts() for row in compute_standings(event, system)])
    assert all(rows_found == rows[0] for rows_found in rows)
    return complete


def _peers(event: Event, name: str, way: str, repeat: int) -> str:
    compared_score = other = straight = "-"
    if name == "ufs" and way == "numpy" and (first_try := straightforward(event)):
        straight = f"{best(first_try, repeat):.1f}"
    if name == "ufs" and way == "lists" and len(event.players) <= LARGEST_PLAIN:
        plain_standings = plain(event)
        assert {
            row.player: row.values[:3] for row in compute_standings(event, load_system(name))
        } == plain_standings
        compared_score = f"{best(lambda: plain(event), min(repeat, 3)):.1f}"
    if name == "ufs" and way == "lists" and len(event.players) <= LARGEST_PEER and (theirs := peer(event)):
        other = f"{best(theirs, 1):.1f}"
    return f"{compared_score:>9} {straight:>9} {other:>9}"


if __name__ == "__main__":
    main()
