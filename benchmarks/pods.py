"""Seating of tables with more than two sides.

Time, cost and how far the lower bound is are measured.

    python -m benchmarks.pods [--sizes 7,9,12,16,64,256,1024,4096]
    python -m benchmarks.pairing --pods

Each event is played for five rounds with made-up winners; the last round is seated with fresh seeds. Times
are processor time in milliseconds. "gaps" is the median cost, "bound" what every seating costs at least.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Sequence

from tournament.engine.pairing.model import Entrant
from tournament.engine.pods.model import PodHistory, PodRound
from tournament.engine.pods.seating import seat_round

SIZES = (7, 9, 12, 15, 16, 64, 256, 1024, 4096)
ROUNDS, SEEDS = 5, 5


def report(sizes: Sequence[int] = SIZES) -> None:
    """Print a line for each size of the field."""
    print(f"{'players':>8} {'ms':>9} {'repeats':>8} {'gaps':>8} {'bound':>8}  method")
    for size in sizes:
        durations, results = zip(*_measure(size), strict=True)
        result: PodRound = results[0]
        gaps = statistics.median(float(each.cost.gaps) for each in results)
        print(
            f"{size:>8} {1000 * statistics.median(durations):>9.1f} {result.cost.repeats:>8} {gaps:>8.0f} "
            f"{float(result.certificate.lower_bound.gaps):>8.0f}  {result.certificate.method}",
            flush=True,
        )


def _measure(size: int) -> list[tuple[float, PodRound]]:
    rng, history, scores = random.Random(size), PodHistory(), dict.fromkeys(range(size), 0)
    for number in range(1, ROUNDS):
        _, result = _seat(scores, history, number)
        history.add_round(pod.players for pod in result.pods)
        for pod in result.pods:
            scores[rng.choice(pod.players)] += 3
    return [_seat(scores, history, 1000 + seed) for seed in range(SEEDS)]


def _seat(scores: dict[int, int], history: PodHistory, seed: int) -> tuple[float, PodRound]:
    entrants = [Entrant(player, score) for player, score in scores.items()]
    start = time.process_time()
    result = seat_round(entrants, history, seed=seed, least=3, most=6, usual=4)
    return time.process_time() - start, result


def main() -> None:
    """Measure the requested sizes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--sizes",
        type=lambda text: tuple(map(int, text.split(","))),
        default=SIZES,
        help="numbers of players, such as 64,256",
    )
    report(parser.parse_args().sizes)


if __name__ == "__main__":
    main()
