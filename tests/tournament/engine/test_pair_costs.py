"""Costs of pairs in tables.

They are the same numbers as pair by pair. What exchanges already show of them is covered too.
"""

from __future__ import annotations

import random

from tests.tournament.engine.pairing_oracle import FLOAT_COSTS, Case, random_case
from tournament.engine.pairing import mixing
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.matching import cheapest_perfect_matching
from tournament.engine.pairing.round_model import PairingConstraints, RoundModel
from tournament.engine.pairing.search import find_best_pairing
from tournament.engine.seeded_random import SeededRandom


def field_of(case: Case) -> RoundModel:
    rules = PairingConstraints(MeetingHistory(case.forbidden), preferences=case.preferences)
    return RoundModel(case.entrants, MeetingHistory(case.met_pairs), rules, case.float_cost)


def test_a_table_of_costs_holds_what_each_pair_costs() -> None:
    rng = random.Random(31)
    for _ in range(80):
        case = random_case(rng, most=12)
        case.float_cost = rng.choice(FLOAT_COSTS)
        field = field_of(case)
        vertices = rng.sample(range(len(field)), rng.randrange(1, len(field) + 1))
        costs, scale = field.cost_table(vertices)
        pairs = [[0 if u == v else scale * field.pair_cost(u, v) for v in vertices] for u in vertices]
        assert costs == pairs
        assert {type(cost) for row in costs for cost in row} == {int}


def test_stand_ins_cost_what_their_score_costs_and_have_no_opponents() -> None:
    rng = random.Random(32)
    for _ in range(40):
        field = field_of(random_case(rng, most=12))
        vertices = rng.sample(range(len(field)), rng.randrange(1, len(field) + 1))
        levels = [rng.randrange(len(field.sizes)) for _ in range(rng.randrange(4))]
        costs, scale = field.cost_table(vertices, levels)
        everybody = [*(field.level[v] for v in vertices), *levels]
        for at, level in enumerate(levels, len(vertices)):
            spans = [scale * field.spans[level, other] for other in everybody]
            assert costs[at] == spans == [row[at] for row in costs]


def test_the_level_of_one_vertex_is_that_in_the_list_of_all() -> None:
    rng = random.Random(33)
    for _ in range(30):
        field = field_of(random_case(rng, most=9))
        assert field.level == [field.level_of(v) for v in range(len(field))]


def test_exchanges_that_cost_nothing_show_only_pairs_of_best_pairings() -> None:
    rng, shown_count = random.Random(34), 0
    for seed in range(60):
        case = random_case(rng, most=14)
        field = field_of(case)
        best_pairing = find_best_pairing(field, SeededRandom(seed, "round"))
        everybody = best_pairing.draft.order
        *_, shown_pairs = mixing._exchangeable(best_pairing.draft, everybody)
        costs, _ = field.cost_table(everybody)
        tight = cheapest_perfect_matching(costs).tight_pairs(costs)
        assert [mask & ~best for mask, best in zip(shown_pairs, tight, strict=True)] == [0] * len(everybody)
        shown_count += any(mask.bit_count() > 1 for mask in shown_pairs)
    assert shown_count > 20
