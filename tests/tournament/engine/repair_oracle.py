"""A small repair compared with every pairing of the players at open tables."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.tournament.engine.pairing_oracle import Case, Pair, pairs_of, random_case, vector
from tournament.engine.pairing.model import Entrant, Pairing
from tournament.engine.pairing.repair import RoundRepair, repair_round
from tournament.engine.records import PlayerId

LATE = 500


def check_a_random_repair(rng: random.Random, trial: int) -> RoundRepair | None:
    """Check the repair of a round after random changes.

    Scores are corrected, some players leave and come, and some tables finish. Returns None if no table is
    left open.
    """
    case = random_case(rng, most=8)
    pairing = case.paired(trial)
    finished_tables = {table.number for table in pairing.tables if rng.random() < 0.3}
    seated_players = {p for table in pairing.tables if table.number in finished_tables for p in table.players}
    bye_stands = pairing.bye is not None and rng.random() < 0.3
    settled_players = seated_players | ({pairing.bye} if bye_stands and pairing.bye is not None else set())
    after = _correct_scores(case, rng, keep=settled_players)
    free = [entrant for entrant in after if entrant.id not in settled_players]
    if not free:
        return None
    result = repair_round(
        pairing,
        finished_tables,
        after,
        case.met_pairs,
        seed=trial,
        bye_stands=bye_stands,
        forbidden=case.forbidden,
        preferences=case.preferences,
    )
    _check(result, pairing, replace(case, entrants=free), settled_players)
    return result


def _correct_scores(case: Case, rng: random.Random, keep: set[PlayerId]) -> list[Entrant]:
    scores = [entrant.score for entrant in case.entrants]
    there = [e for e in case.entrants if e.id in keep or rng.random() < 0.9]
    late = [Entrant(LATE + at) for at in range(rng.choice([0, 0, 0, 1, 2]))][: 9 - len(there)]
    return [*(e._replace(score=rng.choice([e.score, *scores])) for e in there), *late]


def _check(result: RoundRepair, pairing: Pairing, free: Case, settled_players: set[PlayerId]) -> None:
    """Require that open tables cost the same as their best pairing.

    No pairing that is as good may keep more of them.
    """
    costs = free.all_costs()
    least = min(costs.values())
    given_pairs = {pair for pair in pairs_of(pairing) if not pair & settled_players}
    most_kept = max(len(given_pairs & pairs) for pairs, cost in costs.items() if cost == least)
    nearest, fresh = (
        _open_pairs(result.nearest_pairing, settled_players),
        _open_pairs(result.new_pairing, settled_players),
    )
    assert (
        costs[nearest]
        == costs[fresh]
        == vector(result.nearest_pairing)
        == vector(result.new_pairing)
        == least
    )
    assert len(given_pairs & nearest) == most_kept
    assert result.is_fewest
    assert result.bye_moved == (result.nearest_pairing.bye != pairing.bye)
    for round_, touched_count in ((nearest, result.changed_tables), (fresh, result.changed_tables_of_new)):
        freed_tables = [t.number for t in pairing.tables if not settled_players & set(t.players)]
        freed_tables = [n for n in freed_tables if frozenset(pairing.tables[n - 1].players) not in round_]
        assert list(touched_count) == freed_tables


def _open_pairs(pairing: Pairing, settled_players: set[PlayerId]) -> frozenset[Pair]:
    return frozenset(pair for pair in pairs_of(pairing) if not pair & settled_players)
