"""Pairing compared with general matching and another Swiss pairer.

Events have from 64 to 20,000 players.

    python -m benchmarks.pairing [--sizes 64,256,1024,4096,20000] [--seeds 15] [--patience 60]

Each event is played with made-up results up to its middle and up to its last round; then that round is
paired with fresh seeds, each several times. All times are processor time in milliseconds. "median" is over
the seeds, each at the best of its runs; "least" is the luckiest seed; "tables" adds to the median what it
takes to write out every table as a record; "peak kB" is what Python allocates meanwhile.

The other programs (networkx, rustworkx and swisspair, of the `bench` group) solve the same rounds, each in a
process of its own that is stopped after `--patience` seconds and not tried with larger fields then; what
takes them less than a second is run several times too, and the best counts. "+MB" is by how much that process
grew. Their cost must equal ours where their objective is the same. "to us" is how many times our median
swisspair takes: machines and hours differ, this hardly does. The exponent is the slope of log time over log
players. The speed of this machine is that of a loop of plain arithmetic, to compare runs by.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import math
import multiprocessing
import random
import resource
import statistics
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from types import ModuleType

from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.model import Entrant, Pairing
from tournament.engine.pairing.round_model import RoundModel
from tournament.engine.pairing.swiss import pair_round

SIZES = (64, 256, 1024, 4096, 20_000)
DRAWS, FIRST_WINS = 0.05, 0.525
RUNS = 5
MOST_MEMORY = 6 << 30
PEER = "swisspair"
Solve = Callable[["EventBeforeRound"], int | None]
Curve = list[tuple[int, float]]


@dataclass
class EventBeforeRound:
    """An event before a round."""

    name: str
    entrants: list[Entrant]
    history: MeetingHistory


def states(size: int) -> Iterator[EventBeforeRound]:
    """Yield the middle and the last round of an event.

    It has as many rounds as its size asks for.
    """
    rounds = math.ceil(math.log2(size))
    rng, history = random.Random(size), MeetingHistory()
    entrants = [Entrant(at) for at in range(size)]
    for number in range(1, rounds + 1):
        if number in (rounds // 2, rounds):
            yield EventBeforeRound("middle" if number < rounds else "late", entrants, history.copy())
        pairing = pair_round(entrants, history, seed=number)
        entrants = _play_round(entrants, pairing, rng)
        history.add(table.players for table in pairing.tables)


def _play_round(entrants: list[Entrant], pairing: Pairing, rng: random.Random) -> list[Entrant]:
    points_gained: dict[int, int] = {}
    for table in pairing.tables:
        chance = rng.random()
        first, second = (1, 1) if chance < DRAWS else (3, 0) if chance < FIRST_WINS else (0, 3)
        points_gained[table.p1], points_gained[table.p2] = first, second
    if pairing.bye is not None:
        points_gained[pairing.bye] = 3
    return [
        e._replace(score=e.score + points_gained[e.id], byes=e.byes + (e.id == pairing.bye)) for e in entrants
    ]


# -- ours


@dataclass
class Timing:
    """The cost of our pairing.

    It is in milliseconds (median, least, tables written) and bytes at the peak.
    """

    median: float
    least: float
    with_tables: float
    peak: int
    method: str

    def __str__(self) -> str:
        times = f"{self.median:>8.2f} {self.least:>8.2f} {self.with_tables:>8.2f}"
        return f"{times} {self.peak // 1024:>8}"


def ours(state: EventBeforeRound, seeds: int) -> Timing:
    gc.collect()
    durations = [_best(state, seed) for seed in range(1000, 1000 + seeds)]
    bare, written_durations = (
        [bare for bare, _, _ in durations],
        [written_durations for _, written_durations, _ in durations],
    )
    methods = Counter(method for _, _, method in durations)
    return Timing(
        statistics.median(bare),
        min(bare),
        statistics.median(written_durations),
        _peak(state),
        _shares(methods),
    )


def _best(state: EventBeforeRound, seed: int) -> tuple[float, float, str]:
    """Return the quickest of several runs with one seed.

    The result is milliseconds bare and with tables, and the method.
    """
    bare, written_durations = [], []
    for _ in range(RUNS):
        start = time.process_time()
        pairing = pair_round(state.entrants, state.history, seed=seed)
        bare.append(1000 * (time.process_time() - start))
        assert len(pairing.tables) == len(state.entrants) // 2
        written_durations.append(1000 * (time.process_time() - start))
        assert pairing.certificate.is_proved
    return min(bare), min(written_durations), pairing.certificate.method


def _shares(methods: Counter[str]) -> str:
    return ", ".join(f"{method} {times}" for method, times in methods.most_common())


def _peak(state: EventBeforeRound) -> int:
    tracemalloc.start()
    pairing = pair_round(state.entrants, state.history, seed=0)
    assert pairing.tables
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


# -- theirs: each returns the total cost it found, or None if its objective is another


def networkx_cost(state: EventBeforeRound) -> int | None:
    networkx = importlib.import_module("networkx")
    field = RoundModel(state.entrants, state.history)
    costs, _ = field.cost_table(range(len(field)))
    graph = networkx.Graph()
    graph.add_weighted_edges_from((u, v, costs[u][v]) for u in range(len(field)) for v in range(u))
    return sum(costs[u][v] for u, v in networkx.min_weight_matching(graph))


def rustworkx_cost(state: EventBeforeRound) -> int | None:
    rustworkx = importlib.import_module("rustworkx")
    field = RoundModel(state.entrants, state.history)
    costs, _ = field.cost_table(range(len(field)))
    most = max(max(row) for row in costs)
    graph = rustworkx.PyGraph()
    graph.add_nodes_from(range(len(field)))
    graph.add_edges_from([(u, v, costs[u][v]) for u in range(len(field)) for v in range(u)])
    matching = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=lambda cost: most + 1 - cost
    )
    return sum(costs[u][v] for u, v in matching)


def swisspair_cost(state: EventBeforeRound) -> int | None:
    swisspair = importlib.import_module("swisspair")
    ranked_entrants = sorted(state.entrants, key=lambda entrant: -entrant.score)
    players = [
        swisspair.Player(
            id=str(entrant.id),
            points=int(entrant.score),
            rank=rank,
            can_get_bye=not entrant.byes,
            cannot_be_paired_against_ids={str(other) for other in state.history.opponents(entrant.id)},
        )
        for rank, entrant in enumerate(ranked_entrants, 1)
    ]
    swisspair.create_matches(players)


OTHERS: dict[str, Solve] = {
    "networkx": networkx_cost,
    "rustworkx": rustworkx_cost,
    "swisspair": swisspair_cost,
}


@dataclass
class Theirs:
    """The cost of another program.

    It is in seconds at best, and in megabytes by which its process grew.
    """

    seconds: float
    growth: float

    def __str__(self) -> str:
        return f"{1000 * self.seconds:>11.1f}{self.growth:>7.0f}"


def theirs(name: str, state: EventBeforeRound, patience: float) -> Theirs | None:
    """Return one round by another program.

    Returns None if it takes longer than `patience` (seconds) or all memory.
    """
    context = multiprocessing.get_context("fork")
    ours_end, theirs_end = context.Pipe(duplex=False)
    process = context.Process(target=_solve_apart, args=(name, state, theirs_end))
    process.start()
    theirs_end.close()
    try:
        has_answered = ours_end.poll(patience)
        return ours_end.recv() if has_answered else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def _solve_apart(name: str, state: EventBeforeRound, answer: Connection) -> None:
    importlib.import_module(name)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    before, durations = _grown_to(), []
    while len(durations) < RUNS and sum(durations) < 1:
        start = time.process_time()
        total = OTHERS[name](state)
        durations.append(time.process_time() - start)
    if total is not None:
        cost = RoundModel(state.entrants, state.history).cost_of(total)
        assert cost == pair_round(state.entrants, state.history, seed=0).cost
    answer.send(Theirs(min(durations), (_grown_to() - before) / 1024))


def _grown_to() -> int:
    """Return the most memory that this process has held, in kB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


# -- the report


def exponent(points: Curve) -> float:
    """Return the slope of the straight line through the logarithms."""
    log_sizes, log_seconds = (
        [math.log(size) for size, _ in points],
        [math.log(duration) for _, duration in points],
    )
    return statistics.linear_regression(log_sizes, log_seconds).slope


def import_if_installed(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def main() -> None:
    options = _options()
    if options.pods:
        from benchmarks.pods import report

        report()
        return
    present = [name for name in OTHERS if import_if_installed(name)]
    absent = [name for name in OTHERS if name not in present]
    if absent:
        print(f"Not installed, so not measured: {', '.join(absent)}.")
    print(f"A million steps of plain arithmetic: {_calibration():.0f} ms.")
    print(f"{'players':>8} {'round':>7} {'median':>8} {'least':>8} {'tables':>8} {'peak kB':>8}", end="")
    print("".join(f"{name:>11}{'+MB':>7}" for name in present), f"{'to us':>7}  found by (seeds)", sep="")
    curves: dict[str, Curve] = {"middle": [], "late": []}
    patient = set(present)
    for size in options.sizes:
        for state in states(size):
            timing = ours(state, options.seeds)
            curves[state.name].append((size, timing.median))
            print(f"{size:>8} {state.name:>7} {timing}", end="", flush=True)
            others = dict.fromkeys(present, None) | {n: theirs(n, state, options.patience) for n in patient}
            patient = {name for name, other in others.items() if other}
            print("".join(str(other or f"{'–':>11}{'':>7}") for other in others.values()), end="")
            print(f"{_ratio(others.get(PEER), timing):>7}  {timing.method}", flush=True)
    for name, points in curves.items():
        if len(points) > 1:
            print(f"growth exponent, {name}: {exponent(points):.2f}")


def _ratio(peer: Theirs | None, timing: Timing) -> str:
    return f"{1000 * peer.seconds / timing.median:.0f} x" if peer else "–"


def _calibration() -> float:
    """Return milliseconds for a million steps, the best of five."""
    durations = []
    for _ in range(5):
        start, total = time.process_time(), 0
        for number in range(1_000_000):
            total += number * number % 7
        durations.append(time.process_time() - start)
    return 1000 * min(durations)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sizes",
        type=lambda text: tuple(map(int, text.split(","))),
        default=SIZES,
        help="numbers of players, such as 64,256",
    )
    parser.add_argument("--seeds", type=int, default=15, help="number of random seeds")
    parser.add_argument("--patience", type=float, default=60, help="seconds that another program may take")
    parser.add_argument("--pods", action="store_true", help="tables of more than two sides instead")
    return parser.parse_args()


if __name__ == "__main__":
    main()
