"""Seat a round of tables with more than two sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import lcm

from tournament.engine.pairing.model import Entrant, PairingError
from tournament.engine.pods.exhaustive import Seating, find_best_seating
from tournament.engine.pods.model import (
    MOST_MEETINGS,
    Pair,
    Pod,
    PodCertificate,
    PodCost,
    PodField,
    PodHistory,
    PodRound,
    PodWeights,
    order_pair,
)
from tournament.engine.pods.search import count_unbreakable_gaps, search_seating
from tournament.engine.pods.sizes import choose_sizes
from tournament.engine.problems import problem
from tournament.engine.records import PlayerId
from tournament.engine.seeded_random import SeededRandom

# Up to so many players all seatings are compared, which takes a second at most.
MOST_EXHAUSTIVE = 16


def seat_round(
    entrants: Iterable[Entrant],
    history: PodHistory,
    *,
    seed: int,
    least: int,
    most: int,
    usual: int,
    forbidden: Iterable[Pair] = (),
    groups_apart: bool = False,
    small_seats: Mapping[PlayerId, int] | None = None,
) -> PodRound:
    """Seat all entrants at tables of `least` to `most`, `usual` if that is possible.

    The aims, each before all later ones: as few as possible rest, sizes as even as possible, fewest forbidden
    pairs, fewest meetings (a third one is worse than any number of second ones; a further bye counts as one),
    fewest repeated from the round before, byes for the lowest scores, smallest gaps in points, fewest of one
    group, no one at a smaller table again. Ties are broken at random, from `seed` alone. Raises
    PairingError for too few entrants and for one who is in it twice.
    """
    ordered_entrants = sorted(entrants, key=lambda entrant: entrant.id)
    chance = SeededRandom(seed, "pods")
    chance.shuffle(ordered_entrants)
    count = len(ordered_entrants)
    if count < least:
        raise PairingError([problem("pod-too-few", count=count, least=least)])
    field = PodField(
        tuple(ordered_entrants),
        history,
        choose_sizes(count, least=least, most=most, usual=usual),
        frozenset(map(order_pair, forbidden)),
        groups_apart,
        small_seats or {},
    )
    weights = PodWeights(field)
    is_small = count <= MOST_EXHAUSTIVE
    seating = find_best_seating(weights, count) if is_small else search_seating(weights, count, chance)
    cost = field.cost(*seating)
    pods = _number_pods(field, seating, chance)
    return PodRound(pods, _list_resting(field, seating), seed, cost, _certify(field, cost, is_small=is_small))


def _certify(field: PodField, cost: PodCost, *, is_small: bool) -> PodCertificate:
    bound = cost if is_small else bound_cost(field)
    return PodCertificate(bound, cost == bound, "exhaustive" if is_small else "search")


def bound_cost(field: PodField) -> PodCost:
    """Return what every seating of a field costs at least."""
    scores = [Fraction(entrant.score) for entrant in field.entrants]
    unit = lcm(*(score.denominator for score in scores))
    sizes = field.table_sizes
    steps = count_unbreakable_gaps([int(score * unit) for score in scores], sizes.sizes, sizes.resting_count)
    byes = sorted(entrant.byes for entrant in field.entrants)[: sizes.resting_count]
    byes_by_count = Counter(min(count, MOST_MEETINGS) for count in byes)
    meetings = tuple(byes_by_count[times] for times in range(MOST_MEETINGS, 0, -1))
    lowest = sum(sorted(scores)[: sizes.resting_count], Fraction(0))
    return PodCost(0, meetings, 0, lowest, Fraction(steps, unit * unit), 0, 0)


def _number_pods(field: PodField, seating: Seating, chance: SeededRandom) -> tuple[Pod, ...]:
    """Return the numbered tables, those with more points per player first.

    Then larger tables come first. Players are seated at random.
    """
    tables = [list(table) for table in seating[0]]
    lots = chance.random_keys(len(tables))
    for table in tables:
        chance.shuffle(table)

    def rank(index: int) -> tuple[Fraction, int, int]:
        points = sum((Fraction(field.entrants[i].score) for i in tables[index]), Fraction(0))
        return -points / len(tables[index]), -len(tables[index]), lots[index]

    return tuple(
        _make_pod(field, number, tables[at])
        for number, at in enumerate(sorted(range(len(tables)), key=rank), 1)
    )


def _make_pod(field: PodField, number: int, table: Sequence[int]) -> Pod:
    players = [field.entrants[i] for i in table]
    met_before = sum(field.count_meetings(i, j) > 0 for i, j in combinations(table, 2))
    return Pod(number, tuple(p.id for p in players), tuple(p.score for p in players), met_before)


def _list_resting(field: PodField, seating: Seating) -> tuple[PlayerId, ...]:
    return tuple(field.entrants[i].id for i in seating[1])
