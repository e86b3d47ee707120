"""The long proof of pairing: many more cases than the test suite has time for.

    python -m benchmarks.pairing_proof [--cases 100000] [--events 150] [--draws 60000] [--seed 1]
                                       [--only plans sizes drops matchings evenness repairs cases]

Planned events, none of which may end in a rematch: the sizes and lengths known for dead ends, then every
number of players up to 20 with every number of rounds that can be played, then events that players leave.
Random small cases (forced rematches, odd fields, forbidden pairs, fractions, preferences, four float costs)
against the best of all pairings, each way of solving forced in turn. Whole events and arbitrary histories
of up to 256 players against an exact matching of the full graph, by networkx too where it is installed.
Repairs of published rounds against all pairings. How evenly all best pairings of tight groups are drawn.
"""

from __future__ import annotations

import argparse
import importlib
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator

from tests.tournament.engine.pairing_oracle import (
    FLOAT_COSTS,
    Case,
    Evening,
    chi_square_deviation,
    pairs_of,
    random_case,
    tight_case,
    vector,
)
from tests.tournament.engine.repair_oracle import check_a_random_repair
from tournament.engine.pairing import search
from tournament.engine.pairing.factors import Playability, is_playable
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.lookahead import build_meeting_graph
from tournament.engine.pairing.matching import cheapest_perfect_matching
from tournament.engine.pairing.model import Entrant, Pairing
from tournament.engine.pairing.round_model import RoundModel
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.seeded_random import SeededRandom

PLANS = ((6, 4), (6, 5), (8, 6), (8, 7), (10, 9))
LARGEST_PLANNED = 20
MATCHED = ((33, 6), (64, 7), (128, 7), (255, 8), (256, 8))
TIGHT = ((6, 1, 0.0, 1), (8, 1, 0.4, 3), (8, 2, 0.5, 2), (7, 3, 0.2, 1), (10, 1, 0.5, 4), (9, 2, 0.4, 5))
DEVIATIONS = 4
LARGEST_CASE = 9
PARTS = ("plans", "sizes", "drops", "matchings", "evenness", "repairs", "cases")
TOLD_EVERY = 10


class Progress:
    """Prints the progress of a long proof every few seconds."""

    def __init__(self, count: int, things: str) -> None:
        self._count, self._things = count, things
        self._start = self._last_report = time.monotonic()

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self._start

    def tell(self, done_count: int) -> None:
        """Print a line if none was printed for a while."""
        if time.monotonic() - self._last_report >= TOLD_EVERY:
            self._last_report = time.monotonic()
            seconds_left = self.seconds / done_count * (self._count - done_count)
            print(
                f"  … {done_count} of {self._count} {self._things}, about {seconds_left:.0f} s to go",
                flush=True,
            )


# -- planned events


def prove_plans(count: int) -> None:
    for size, rounds in PLANS:
        dead_ends = sum(_rematches(size, rounds, event) > 0 for event in range(count))
        blind = sum(_rematches(size, rounds, event, far_sighted=False) > 0 for event in range(count))
        print(f"{size} players, {rounds} rounds: {dead_ends} of {count} events end in a rematch", end="")
        print(f" ({blind} without looking ahead)", flush=True)
        assert not dead_ends


def prove_all_sizes(count: int) -> None:
    start, plans = time.monotonic(), 0
    for size in range(2, LARGEST_PLANNED + 1):
        for rounds in range(1, size + size % 2):
            plans += 1
            assert not sum(_rematches(size, rounds, event) for event in range(count)), (size, rounds)
    print(f"2 to {LARGEST_PLANNED} players, 1 to n-1 rounds (n where n is odd): none of {count} events")
    print(f"of each of {plans} plans has a rematch or a second bye; {time.monotonic() - start:.0f} s")


def _rematches(size: int, rounds: int, event: int, far_sighted: bool = True) -> int:
    evening, total = Evening(size, event), 0
    for number in range(rounds):
        rounds_left = rounds - number - 1 if far_sighted else None
        pairing = evening.pair(seed=1000 * event + number, rounds_left=rounds_left)
        assert pairing.certificate.is_proved or not far_sighted
        total += pairing.cost.rematches
        evening.play(pairing)
    return total


def prove_drops(count: int) -> None:
    """Let players leave at random, and allow no round an avoidable rematch."""
    promise_count, promises_kept, rng = 0, 0, random.Random(count)
    for event in range(count):
        size = rng.randrange(6, 17)
        rounds, evening = rng.randrange(size // 2, size - 1), Evening(size, event)
        promise = False
        for number in range(rounds):
            if len(evening.entrants) > 4 and rng.random() < 0.15:
                del evening.entrants[rng.choice(sorted(evening.entrants))]
                promise = False
            promise = promise or _can_last(evening, rounds - number, event)
            pairing = evening.pair(seed=1000 * event + number, rounds_left=rounds - number - 1)
            assert not (promise and pairing.cost.rematches), (size, rounds, event, number)
            promise_count, promises_kept = (
                promise_count + promise,
                promises_kept + (pairing.cost.rematches == 0),
            )
            evening.play(pairing)
    print(
        f"{count} events that players leave: no rematch in any of the {promise_count} rounds that could do",
        end="",
    )
    print(f" without ({promises_kept} rounds had none)", flush=True)


def _can_last(evening: Evening, rounds: int, event: int) -> bool:
    graph = build_meeting_graph(
        RoundModel(list(evening.entrants.values()), MeetingHistory(evening.met_pairs))
    )
    return is_playable(graph, rounds, SeededRandom(event, "proof")) is Playability.YES


# -- small cases against all pairings


def prove_cases(count: int, seed: int) -> None:
    """Compare random small cases with the best of all pairings of them.

    Each way of solving is forced in turn.
    """
    rng, progress = random.Random(seed), Progress(count, "cases")
    methods, kinds = Counter[str](), Counter[str]()
    for number in range(count):
        search.MOST_VERTICES = rng.choice([0, 0, 12])
        case = random_case(rng, most=LARGEST_CASE)
        case.float_cost = rng.choice(FLOAT_COSTS)
        pairing = case.paired(number)
        assert vector(pairing) == case.cost_of(pairs_of(pairing)) == case.least(), case
        assert pairing.certificate.is_proved, case
        assert pairing.certificate.lower_bound == pairing.cost, case
        methods[pairing.certificate.method] += 1
        kinds.update(_kinds(case, pairing))
        progress.tell(number + 1)
    search.MOST_VERTICES = 12
    print(f"{count} cases of up to {LARGEST_CASE} players equal the best of all pairings;")
    print(f"  found by {_counts(methods)}; {progress.seconds:.0f} s; among them")
    print(f"  {_counts(kinds)}", flush=True)


def _kinds(case: Case, pairing: Pairing) -> Iterator[str]:
    """Yield the special features of a case, in the words of the report."""
    again = any(entrant.byes and entrant.id == pairing.bye for entrant in case.entrants)
    if pairing.bye is not None:
        yield "odd fields"
    if again:
        yield "forced further byes"
    if pairing.cost.rematches > again:
        yield "forced rematches"
    if case.forbidden:
        yield "with forbidden pairs"
    if pairing.cost.forbidden_count:
        yield "forced into a forbidden pair"
    if case.preferences.separate_pairs or case.preferences.groups_apart:
        yield "with preferences"
    if any(entrant.score.denominator > 1 for entrant in case.entrants):
        yield "with fractions"


def _counts(counter: Counter[str]) -> str:
    return ", ".join(f"{times} {name}" for name, times in counter.most_common())


def prove_repairs(count: int, seed: int) -> None:
    """Check repairs of published rounds after corrections.

    They have the least cost, and no best pairing touches fewer tables.
    """
    rng, repaired_count, untouched = random.Random(seed), 0, 0
    progress = Progress(count, "repairs")
    for trial in range(count):
        progress.tell(trial + 1)
        result = check_a_random_repair(rng, trial)
        repaired_count += result is not None
        untouched += result is not None and not result.changed_tables
    print(
        f"{repaired_count} repairs reach the least cost and touch the fewest tables ({untouched} touch none)"
    )


# -- the full graph


def prove_matchings() -> None:
    outside = _networkx_cost()
    for size, rounds in MATCHED:
        start, windows = time.monotonic(), 0
        for number, (entrants, met_pairs) in enumerate(_states(size, rounds)):
            pairing = pair_round(entrants, met_pairs, seed=number)
            field = RoundModel(entrants, MeetingHistory(met_pairs))
            costs, _ = field.cost_table(range(len(field)))
            assert field.cost_of(cheapest_perfect_matching(costs).cost) == pairing.cost
            if outside and number % 4 == 3:
                assert field.cost_of(outside(costs)) == pairing.cost
            windows += pairing.certificate.method == "windows"
        names = "our own matching and networkx" if outside else "our own matching (networkx is not installed)"
        print(f"{size} players, {rounds} rounds and 4 arbitrary histories ({windows} by windows) equal ")
        print(f"  {names} on the full graph; {time.monotonic() - start:.0f} s", flush=True)


def _states(size: int, rounds: int) -> Iterator[tuple[list[Entrant], list[tuple[int, int]]]]:
    evening = Evening(size, seed=size)
    for number in range(rounds):
        yield list(evening.entrants.values()), list(evening.met_pairs)
        evening.play(evening.pair(seed=number))
    rng = random.Random(size)
    for density in (0.5, 0.8, 0.95, 1):
        entrants = [Entrant(at, rng.randrange(6) * 3, byes=rng.randrange(2)) for at in range(size)]
        yield entrants, [(a, b) for a in range(size) for b in range(a) if rng.random() < density]


def _networkx_cost() -> Callable[[list[list[int]]], int] | None:
    try:
        networkx = importlib.import_module("networkx")
    except ImportError:
        return None

    def cost(costs: list[list[int]]) -> int:
        graph = networkx.Graph()
        graph.add_weighted_edges_from((u, v, costs[u][v]) for u in range(len(costs)) for v in range(u))
        return sum(costs[u][v] for u, v in networkx.min_weight_matching(graph))

    return cost


# -- random draws


def prove_evenness(draws: int) -> None:
    for counted_up_to in (0, 12):
        search.MOST_VERTICES = counted_up_to
        for size, scores, met_pairs, seed in TIGHT:
            case = tight_case(size, scores, met_pairs, seed)
            cheapest = set(case.cheapest())
            counts_by_pairs = Counter(pairs_of(case.paired(seed_number)) for seed_number in range(draws))
            deviation = chi_square_deviation(counts_by_pairs, len(cheapest))
            print(
                f"{size} players, {len(cheapest)} best pairings, {draws} draws "
                f"({'counted' if counted_up_to else 'repaired'}): chi-square off by {deviation:+.2f}",
                flush=True,
            )
            assert set(counts_by_pairs) == cheapest
            assert abs(deviation) < DEVIATIONS
    search.MOST_VERTICES = 12


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=100_000, help="number of random cases")
    parser.add_argument("--events", type=int, default=150, help="number of random events")
    parser.add_argument("--draws", type=int, default=60_000, help="number of random draws")
    parser.add_argument("--seed", type=int, default=1, help="random seed")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="the parts to prove, in this order")
    options = parser.parse_args()
    parts: dict[str, Callable[[], None]] = {
        "plans": lambda: prove_plans(options.events),
        "sizes": lambda: prove_all_sizes(max(1, options.events // 10)),
        "drops": lambda: prove_drops(2 * options.events),
        "matchings": prove_matchings,
        "evenness": lambda: prove_evenness(options.draws),
        "repairs": lambda: prove_repairs(options.cases // 10, options.seed),
        "cases": lambda: prove_cases(options.cases, options.seed),
    }
    for name in options.only or parts:
        parts[name]()


if __name__ == "__main__":
    main()
