"""Small events without avoidable rematches.

They never run into a rematch that could have been avoided from the first round on.
"""

from __future__ import annotations

import random
from itertools import combinations

from tests import machine
from tests.everyday import each_case
from tests.tournament.engine.pairing_oracle import Evening, all_pairings, pairs_of, vector
from tournament.engine.pairing.enumeration import iterate_by_cost
from tournament.engine.pairing.factors import (
    Graph,
    Playability,
    find_rounds,
    is_ample,
    is_playable,
    perfect_matchings,
    remove_round,
)
from tournament.engine.pairing.model import Entrant
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.seeded_random import SeededRandom

PETERSEN = [(v, (v + 1) % 5) for v in range(5)] + [(v, v + 5) for v in range(5)]
PETERSEN += [(5 + v, 5 + (v + 2) % 5) for v in range(5)]


def graph_of(size: int, pairs: list[tuple[int, int]]) -> Graph:
    graph = [0] * size
    for u, v in pairs:
        graph[u] |= 1 << v
        graph[v] |= 1 << u
    return graph


def complete(size: int) -> Graph:
    return graph_of(size, list(combinations(range(size), 2)))


def rematches(size: int, rounds: int, event: int, far_sighted: bool = True) -> int:
    evening, total = Evening(size, event), 0
    for number in range(rounds):
        rounds_left = rounds - number - 1 if far_sighted else 0
        pairing = evening.pair(seed=1000 * event + number, rounds_left=rounds_left)
        assert pairing.certificate.is_proved
        total += pairing.cost.rematches
        evening.play(pairing)
    return total


@each_case(
    ("size", "rounds", "events"),
    [
        (6, 4, 15),
        (6, 5, 15),
        (5, 5, 8),
        (8, 6, 10),
        (8, 7, 10),
        (7, 7, 5),
        (9, 9, 2),
        (10, 9, 3),
        (14, 13, 2),
        (20, 19, 1),
    ],
)
def test_a_planned_event_has_no_rematch(size: int, rounds: int, events: int) -> None:
    assert sum(rematches(size, rounds, event) for event in range(max(1, machine.examples(events) // 3))) == 0


def test_the_same_events_would_have_rematches_without_looking_ahead() -> None:
    assert sum(rematches(6, 4, event, far_sighted=False) for event in range(60)) > 0


def test_all_players_meet_each_other_when_all_rounds_are_planned() -> None:
    evening = Evening(8, seed=3)
    for number in range(7):
        evening.play(evening.pair(seed=number, rounds_left=6 - number))
    assert {frozenset(pair) for pair in evening.met_pairs} == {
        frozenset(pair) for pair in combinations(range(1, 9), 2)
    }


def test_each_player_rests_once_when_all_rounds_of_an_odd_field_are_planned() -> None:
    evening = Evening(7, seed=3)
    for number in range(7):
        evening.play(evening.pair(seed=number, rounds_left=6 - number))
    assert [entrant.byes for entrant in evening.entrants.values()] == [1] * 7


def test_the_round_chosen_is_the_cheapest_that_leaves_the_event_playable() -> None:
    rng = random.Random(6)
    for event in range(25):
        evening = Evening(6, event)
        for number in range(4):
            winner_number = 3 - number
            met_pairs = {frozenset(pair) for pair in evening.met_pairs}
            entrants = list(evening.entrants.values())
            pairing = evening.pair(seed=rng.randrange(100), rounds_left=winner_number)
            assert vector(pairing) == _cheapest_playable(entrants, met_pairs, winner_number)
            evening.play(pairing)


def _cheapest_playable(entrants: list[Entrant], met_pairs: set[frozenset[int]], rounds_left: int) -> object:
    score = {entrant.id: entrant.score for entrant in entrants}

    def floats(pairs: frozenset[frozenset[int | None]]) -> int:
        return sum((score[min(p)] - score[max(p)]) ** 2 for p in pairs)

    rounds = [pairs for pairs in all_pairings(sorted(score)) if not pairs & met_pairs]

    def lasts(used_pairs: frozenset[frozenset[int | None]], more: int) -> bool:
        return more == 0 or any(
            lasts(used_pairs | pairs, more - 1) for pairs in rounds if not pairs & used_pairs
        )

    return (0, 0, 0, min(floats(pairs) for pairs in rounds if lasts(pairs, rounds_left)), 0)


def test_a_drop_is_looked_at_again() -> None:
    evening = Evening(9, seed=2)
    for number in range(8):
        if number == 3:
            del evening.entrants[4]
        pairing = evening.pair(seed=number, rounds_left=min(7 - number, 6))
        if number < 7:
            assert pairing.cost.rematches == 0
        evening.play(pairing)


def test_more_rounds_than_there_are_opponents_are_played_as_far_as_they_go() -> None:
    evening = Evening(4, seed=1)
    costs = []
    for number in range(5):
        pairing = evening.pair(seed=number, rounds_left=4 - number)
        costs.append(pairing.cost.rematches)
        evening.play(pairing)
    assert costs == [0, 0, 0, 2, 2]


def test_a_number_of_rounds_beyond_all_reason_is_as_many_as_there_are_opponents() -> None:
    entrants = [Entrant(at) for at in range(6)]
    plans = [pair_round(entrants, [], seed=5, rounds_left=rounds) for rounds in (5, 10**12)]
    assert plans[0] == plans[1]
    assert plans[0].cost.rematches == 0


def test_the_same_seed_looks_ahead_to_the_same_round() -> None:
    evening = Evening(12, seed=8)
    for number in range(9):
        evening.play(evening.pair(seed=number, rounds_left=10 - number))
    entrants = list(evening.entrants.values())
    rounds = [
        pair_round(order, evening.met_pairs, seed=5, rounds_left=1) for order in (entrants, entrants[::-1])
    ]
    assert rounds[0] == rounds[1]


# -- how many rounds a graph holds


def test_a_complete_field_of_20_holds_19_rounds() -> None:
    rounds = find_rounds(complete(20), 19, SeededRandom(1, "test"), 600)
    assert rounds is not None
    pairs = {frozenset((v, u)) for partner in rounds for v, u in enumerate(partner)}
    assert len(pairs) == 190


def test_petersens_graph_holds_one_round_and_no_more_than_that() -> None:
    graph = graph_of(10, PETERSEN)
    answers = [is_playable(graph, rounds, SeededRandom(1, "test")) for rounds in (1, 2, 3)]
    assert answers == [Playability.YES, Playability.NO, Playability.NO]


def test_two_halves_of_odd_size_hold_no_round() -> None:
    pairs = [*combinations(range(5), 2), *combinations(range(5, 10), 2)]
    assert is_playable(graph_of(10, pairs), 1, SeededRandom(1, "test")) is Playability.NO


def test_a_player_with_too_few_opponents_ends_the_event() -> None:
    pairs = [pair for pair in combinations(range(6), 2) if pair not in [(0, 1), (0, 2), (0, 3)]]
    assert is_playable(graph_of(6, pairs), 3, SeededRandom(1, "test")) is Playability.NO


def test_no_rounds_are_always_playable() -> None:
    assert is_playable([], 0, SeededRandom(1, "test")) is Playability.YES


def test_half_of_the_field_as_opponents_is_ample_for_a_round() -> None:
    assert is_ample(complete(8), 4)
    assert not is_ample(complete(8), 5)


def test_answers_agree_with_trying_every_schedule() -> None:
    rng = random.Random(4)
    for trial in range(60):
        pairs = [pair for pair in combinations(range(6), 2) if rng.random() < rng.choice([0.5, 0.7, 0.9])]
        graph, rounds = graph_of(6, pairs), rng.randrange(1, 5)
        expected_answer = Playability.YES if _holds(graph, rounds) else Playability.NO
        assert is_playable(graph, rounds, SeededRandom(trial, "test")) is expected_answer


def _holds(graph: Graph, rounds: int) -> bool:
    if rounds == 0:
        return True
    every = perfect_matchings(graph, (1 << len(graph)) - 1, [-1] * len(graph))
    return any(_holds(remove_round(graph, partner), rounds - 1) for partner in every)


# -- pairings in the order of their cost


def test_pairings_come_in_the_order_of_their_cost_each_once() -> None:
    rng = random.Random(2)
    for _ in range(20):
        costs = [[0] * 6 for _ in range(6)]
        for u, v in combinations(range(6), 2):
            costs[u][v] = costs[v][u] = rng.randrange(6) if rng.random() < 0.8 else 1000
        pairings = list(iterate_by_cost(costs, 1000))
        expected_answer = sorted(
            cost
            for pairs in all_pairings(range(6))
            if (cost := sum(costs[min(pair)][max(pair)] for pair in pairs)) < 1000
        )
        assert [cost for cost, _ in pairings] == expected_answer
        assert len({frozenset(map(frozenset, pairs)) for _, pairs in pairings}) == len(expected_answer)
        assert all(cost == sum(costs[u][v] for u, v in pairs) for cost, pairs in pairings)


def test_a_round_that_had_to_look_ahead_says_so() -> None:
    methods = set()
    for event in range(40):
        evening = Evening(6, event)
        for number in range(4):
            pairing = evening.pair(seed=1000 * event + number, rounds_left=3 - number)
            methods.add(pairing.certificate.method)
            evening.play(pairing)
    assert methods == {"neighbours", "exhaustive", "look-ahead"}
    assert pairs_of(pairing)
