"""Pairing, side by side with general matching and another Swiss pairer, from 64 to 20,000 players.

    python -m benchmarks.pairing [--sizes 64,256,1024,4096,20000] [--repeat 9] [--patience 60]

Each event is played with made-up results up to its middle and up to its last round; then that round is
paired again and again with fresh seeds. Times are of the process, the median and the least of the repeats,
in milliseconds; the peak is of memory allocated by Python meanwhile. "tables" adds writing out every table
as a record. The other programs (networkx, rustworkx and swisspair, of the `bench` group) solve the same
rounds once each, as long as their last size took less than `--patience` seconds, and their cost must equal
ours where their objective is the same. The exponent is the slope of log time over log players.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import math
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import ModuleType

from tournament.engine.field import Field
from tournament.engine.history import History
from tournament.engine.pairing import Entrant, Pairing, pair_round

SIZES = (64, 256, 1024, 4096, 20_000)
DRAWS, FIRST_WINS = 0.05, 0.525
Solve = Callable[["State"], int | None]


@dataclass
class State:
    """An event before a round."""

    name: str
    entrants: list[Entrant]
    history: History


def states(size: int) -> Iterator[State]:
    """The middle and the last round of an event with as many rounds as its size asks for."""
    rounds = math.ceil(math.log2(size))
    rng, history = random.Random(size), History()
    entrants = [Entrant(at) for at in range(size)]
    for number in range(1, rounds + 1):
        if number in (rounds // 2, rounds):
            yield State("middle" if number < rounds else "late", entrants, History(history.pairs))
        pairing = pair_round(entrants, history, seed=number)
        entrants = _played(entrants, pairing, rng)
        history.add(table.players for table in pairing.tables)


def _played(entrants: list[Entrant], pairing: Pairing, rng: random.Random) -> list[Entrant]:
    gained: dict[int, int] = {}
    for table in pairing.tables:
        lot = rng.random()
        first, second = (1, 1) if lot < DRAWS else (3, 0) if lot < FIRST_WINS else (0, 3)
        gained[table.p1], gained[table.p2] = first, second
    if pairing.bye is not None:
        gained[pairing.bye] = 3
    return [replace(e, score=e.score + gained[e.id], byes=e.byes + (e.id == pairing.bye)) for e in entrants]


# -- ours


@dataclass
class Timing:
    """What our pairing took: milliseconds (median, least, with tables written) and bytes at the peak."""

    median: float
    least: float
    with_tables: float
    peak: int
    method: str


def ours(state: State, repeat: int) -> Timing:
    bare, written = [], []
    gc.collect()
    for seed in range(repeat):
        start = time.process_time()
        pairing = pair_round(state.entrants, state.history, seed=seed)
        bare.append(time.process_time() - start)
        assert len(pairing.tables) == len(state.entrants) // 2
        written.append(time.process_time() - start)
        assert pairing.certificate.proved
    return Timing(
        1000 * statistics.median(bare),
        1000 * min(bare),
        1000 * statistics.median(written),
        _peak(state),
        pairing.certificate.method,
    )


def _peak(state: State) -> int:
    tracemalloc.start()
    pairing = pair_round(state.entrants, state.history, seed=0)
    assert pairing.tables
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


# -- theirs: each returns the total cost it found, or None where its objective is another


def networkx_cost(state: State) -> int | None:
    networkx = importlib.import_module("networkx")
    field = Field(state.entrants, state.history)
    costs, _ = field.cost_table(range(len(field)))
    graph = networkx.Graph()
    graph.add_weighted_edges_from((u, v, costs[u][v]) for u in range(len(field)) for v in range(u))
    return sum(costs[u][v] for u, v in networkx.min_weight_matching(graph))


def rustworkx_cost(state: State) -> int | None:
    rustworkx = importlib.import_module("rustworkx")
    field = Field(state.entrants, state.history)
    costs, _ = field.cost_table(range(len(field)))
    most = max(max(row) for row in costs)
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(field)))
    graph.add_edges_from([(u, v, costs[u][v]) for u in range(len(field)) for v in range(u)])
    matching = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=lambda cost: most + 1 - cost
    )
    return sum(costs[u][v] for u, v in matching)


def swisspair_cost(state: State) -> int | None:
    swisspair = importlib.import_module("swisspair")
    ranked = sorted(state.entrants, key=lambda entrant: -entrant.score)
    players = [
        swisspair.Player(
            id=str(entrant.id),
            points=int(entrant.score),
            rank=rank,
            can_get_bye=not entrant.byes,
            cannot_be_paired_against_ids={str(other) for other in state.history.opponents(entrant.id)},
        )
        for rank, entrant in enumerate(ranked, 1)
    ]
    swisspair.create_matches(players)


OTHERS: dict[str, Solve] = {
    "networkx": networkx_cost,
    "rustworkx": rustworkx_cost,
    "swisspair": swisspair_cost,
}


def theirs(name: str, state: State) -> float:
    """Seconds for one round by another program."""
    gc.collect()
    start = time.process_time()
    total = OTHERS[name](state)
    taken = time.process_time() - start
    if total is not None:
        cost = Field(state.entrants, state.history).cost_of(total)
        assert cost == pair_round(state.entrants, state.history, seed=0).cost
    return taken


# -- the report


def exponent(points: list[tuple[int, float]]) -> float:
    """The slope of the straight line through the logarithms."""
    xs, ys = [math.log(size) for size, _ in points], [math.log(taken) for _, taken in points]
    return statistics.linear_regression(xs, ys).slope


def installed(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def main() -> None:
    options = _options()
    present = [name for name in OTHERS if installed(name)]
    absent = [name for name in OTHERS if name not in present]
    if absent:
        print(f"Not installed, so not measured: {', '.join(absent)}.")
    slowest = dict.fromkeys(present, 0.0)
    curves: dict[str, list[tuple[int, float]]] = {"middle": [], "late": []}
    print(f"{'players':>8} {'round':>7} {'median':>8} {'least':>8} {'tables':>8} {'peak kB':>8}  ", end="")
    print("".join(f"{name:>11}" for name in present), "  found by", sep="")
    for size in options.sizes:
        for state in states(size):
            timing = ours(state, options.repeat)
            curves[state.name].append((size, timing.median))
            print(
                f"{size:>8} {state.name:>7} {timing.median:>8.2f} {timing.least:>8.2f} "
                f"{timing.with_tables:>8.2f} {timing.peak // 1024:>8}  ",
                end="",
                flush=True,
            )
            for name in present:
                taken = theirs(name, state) if slowest[name] < options.patience else None
                slowest[name] = max(slowest[name], 16 * taken if taken is not None else slowest[name])
                print(f"{'–' if taken is None else format(1000 * taken, '.1f'):>11}", end="", flush=True)
            print("  ", timing.method, sep="")
    for name, points in curves.items():
        if len(points) > 1:
            print(f"growth exponent, {name}: {exponent(points):.2f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sizes", type=lambda text: tuple(map(int, text.split(","))), default=SIZES)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--patience", type=float, default=60, help="seconds that another program may take")
    return parser.parse_args()


if __name__ == "__main__":
    main()
