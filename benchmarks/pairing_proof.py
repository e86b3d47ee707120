"""The long proof of pairing: many more cases than the test suite has time for.

    python -m benchmarks.pairing_proof [--cases 100000] [--events 150] [--seed 1]

Random small cases (forced rematches, odd fields, forbidden pairs, fractions, wishes) against the best of
all pairings, each way of solving forced in turn; then whole planned events, none of which may end in a
rematch.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

from tests.engine.pairing_oracle import Evening, pairs_of, random_case, vector
from tournament.engine import search
from tournament.engine.floats import linear, squared

PLANS = ((6, 4), (6, 5), (8, 6), (8, 7), (10, 9))


def prove_cases(count: int, seed: int) -> None:
    rng, methods, forced, start = random.Random(seed), Counter[str](), 0, time.monotonic()
    for number in range(count):
        search.MOST_VERTICES = rng.choice([0, 0, 12])
        case = random_case(rng, most=8)
        case.float_cost = rng.choice([squared, linear])
        pairing = case.paired(number)
        costs = case.all_costs()
        assert vector(pairing) == costs[pairs_of(pairing)] == min(costs.values()), case
        assert pairing.certificate.proved, case
        methods[pairing.certificate.method] += 1
        forced += pairing.cost.rematches > 0
    print(f"{count} cases equal the best of all pairings, {forced} of them with forced rematches or byes;")
    print(f"found by {dict(methods)}; {time.monotonic() - start:.0f} s")


def prove_events(count: int) -> None:
    for size, rounds in PLANS:
        dead_ends = sum(_rematches(size, rounds, event) > 0 for event in range(count))
        blind = sum(_rematches(size, rounds, event, far_sighted=False) > 0 for event in range(count))
        print(f"{size} players, {rounds} rounds: {dead_ends} of {count} events end in a rematch", end="")
        print(f" ({blind} without looking ahead)")
        assert not dead_ends


def _rematches(size: int, rounds: int, event: int, far_sighted: bool = True) -> int:
    evening, total = Evening(size, event), 0
    for number in range(rounds):
        left = rounds - number - 1 if far_sighted else None
        pairing = evening.pair(seed=1000 * event + number, rounds_left=left)
        total += pairing.cost.rematches
        evening.play(pairing)
    return total


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--events", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    prove_events(options.events)
    prove_cases(options.cases, options.seed)


if __name__ == "__main__":
    main()
