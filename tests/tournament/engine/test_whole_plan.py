"""Events of 3 to 6 players: no avoidable meetings, rests or immediate rematches."""

from __future__ import annotations

import random
from itertools import product

import pytest

from tests import machine
from tests.everyday import each_case, each_nth
from tests.tournament.engine.pairing_oracle import all_pairings, pairs_of
from tests.tournament.engine.plan_oracle import PlannedEvent
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.model import Entrant, PairingTable
from tournament.engine.pairing.repair import repair_round
from tournament.engine.pairing.round_model import RoundModel
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.pairing.weights import CostWeights
from tournament.engine.pairing.whole_plan import WholePlan


@each_case(("size", "rounds"), each_nth(5, product([3, 4, 5, 6], range(3, 11))))
def test_a_planned_event_is_as_even_as_a_round_robin(size: int, rounds: int) -> None:
    for seed, is_number_known in product(range(machine.examples(1)), (True, False)):
        event = PlannedEvent.of(size, seed)
        event.play_through(rounds, 1000 * seed, is_number_known=is_number_known)
        cycle = size - 1 + size % 2
        assert max(event.times().values()) == -(-rounds // cycle)
        assert event.repeats_of_the_round_before() == 0
        assert max(event.byes()) - min(event.byes()) <= size % 2 * bool(rounds % cycle)


@pytest.mark.parametrize("seed", [2, 3, 5, 7])
def test_a_tiny_event_without_a_number_of_rounds_ends_in_no_rematch_that_need_not_be(seed: int) -> None:
    event = PlannedEvent.of(5, seed)
    event.play_through(5, 1000 * seed, is_number_known=False)
    assert (max(event.times().values()), event.byes()) == (1, [1] * 5)


@each_case(("size", "rounds"), [(7, 12), (8, 16), (9, 14), (10, 20), (12, 13)])
def test_a_larger_event_goes_on_evenly_past_one_round_robin(size: int, rounds: int) -> None:
    event = PlannedEvent.of(size, seed=1)
    event.play_through(rounds, seed=5)
    cycle = size - 1 + size % 2
    assert max(event.times().values()) == -(-rounds // cycle)
    assert event.repeats_of_the_round_before() == 0
    assert max(event.byes()) - min(event.byes()) <= size % 2


@pytest.mark.parametrize("damage", ["drop", "late", "by hand"])
def test_the_round_begins_a_best_plan_of_all_whatever_has_happened(damage: str) -> None:
    for seed in range(machine.examples(1)):
        rng = random.Random(f"{damage} {seed}")
        event = PlannedEvent.of(rng.choice([4, 5, 6] if damage == "drop" else [3, 4, 5]), seed)
        event.play_through(rng.randrange(1, 6), seed)
        if damage == "drop":
            del event.entrants[rng.choice(list(event.entrants))]
        elif damage == "late":
            event.entrants[99] = Entrant(99)
        else:
            players = [*event.entrants, *([None] if len(event.entrants) % 2 else [])]
            event.play(rng.choice(list(all_pairings(players))))
        for rounds in (2, 3):
            pairs = pairs_of(event.pair(seed, rounds - 1))
            assert event.least_worth(rounds, pairs) == event.least_worth(rounds)


def test_among_the_first_rounds_of_best_plans_the_cheapest_is_taken() -> None:
    for seed in range(machine.examples(1)):
        event = PlannedEvent.of(5, seed)
        event.play_through(2, seed)
        pairing = event.pair(seed, 2)
        least = event.least_worth(3)
        good = [
            pairs for pairs in all_pairings([1, 2, 3, 4, 5, None]) if event.least_worth(3, pairs) == least
        ]
        floats = [_bye_and_floats(event, pairs) for pairs in good]
        assert _bye_and_floats(event, pairs_of(pairing)) == min(floats)
        assert pairing.certificate.is_proved


def _bye_and_floats(event: PlannedEvent, pairs: frozenset[frozenset[int | None]]) -> tuple[int, int]:
    score = {player: int(entrant.score) for player, entrant in event.entrants.items()}
    tables = [sorted(p for p in pair if p is not None) for pair in pairs]
    bye = sum(score[table[0]] for table in tables if len(table) == 1)
    return bye, sum((score[t[0]] - score[t[1]]) ** 2 for t in tables if len(t) == 2)


def test_a_repair_begins_a_best_plan_too() -> None:
    history = MeetingHistory.of_rounds([[(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]])
    entrants = [Entrant(at, at) for at in range(1, 5)]
    repeated_tables = [PairingTable(1, 1, 4), PairingTable(2, 2, 3)]
    repaired_round = repair_round(repeated_tables, set(), entrants, history, seed=1, rounds_left=2)
    assert {frozenset(table.players) for table in repaired_round.nearest_pairing.tables} in (
        {frozenset((1, 2)), frozenset((3, 4))},
        {frozenset((1, 3)), frozenset((2, 4))},
    )
    assert repaired_round.changed_tables == (1, 2)


def test_a_repair_keeps_what_a_best_plan_may_begin_with() -> None:
    history = MeetingHistory.of_rounds([[(1, 2), (3, 4)]])
    entrants = [Entrant(at) for at in range(1, 5)]
    published_tables = [PairingTable(1, 1, 4), PairingTable(2, 2, 3)]
    repaired_round = repair_round(published_tables, set(), entrants, history, seed=1, rounds_left=4)
    assert repaired_round.changed_tables == ()


# -- what a single round weighs


def test_pairs_that_have_met_once_meet_before_one_that_has_met_twice() -> None:
    history = MeetingHistory.of_rounds([[(1, 2)], [(1, 2)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]])
    pairing = pair_round([Entrant(at, 0 if at > 2 else 9) for at in range(1, 5)], history, seed=1)
    assert pairs_of(pairing) == {frozenset((1, 3)), frozenset((2, 4))}
    assert (pairing.cost.rematches, pairing.cost.repeat_counts, pairing.cost.third_meetings) == (2, (2,), 0)


def test_a_table_of_the_round_before_is_worse_than_any_float() -> None:
    history = MeetingHistory.of_rounds([[(1, 3), (2, 4)], [(1, 4), (2, 3)], [(1, 2), (3, 4)]])
    pairing = pair_round([Entrant(at, 0 if at > 2 else 9) for at in range(1, 5)], history, seed=1)
    assert pairing.cost.immediate_count == 0
    assert pairing.cost.rematches == 2


def test_among_equal_rematches_the_older_is_played() -> None:
    history = MeetingHistory.of_rounds([[(1, 2), (3, 4)], [(1, 3), (2, 4)], [(1, 4), (2, 3)]])
    entrants = [Entrant(at) for at in range(1, 5)]
    drawn_pairings = {pairs_of(pair_round(entrants, history, seed=seed)) for seed in range(20)}
    assert drawn_pairings == {frozenset({frozenset((1, 2)), frozenset((3, 4))})}


def test_a_second_bye_is_better_than_a_third_and_an_old_one_better_than_a_recent_one() -> None:
    often = [Entrant(1, 0, byes=2, rounds_since_bye=5), *(Entrant(at, 9, byes=1) for at in (2, 3))]
    assert pair_round(often, [], seed=1).bye != 1
    recent = [
        Entrant(1, 0, byes=1, rounds_since_bye=1),
        *(Entrant(at, 9, byes=1, rounds_since_bye=2) for at in (2, 3)),
    ]
    assert pair_round(recent, [], seed=1).bye != 1


def test_pairs_listed_twice_have_met_twice() -> None:
    history = MeetingHistory([(1, 2), (2, 1), (3, 1)])
    assert [history.meetings.get(pair, (0, 0))[0] for pair in ((1, 2), (2, 1), (1, 3), (2, 3))] == [
        2,
        2,
        1,
        0,
    ]
    assert (history.most_times, history.meetings[1, 2], history.has_rounds) == (2, (2, 0), False)


def test_a_copy_of_a_history_grows_by_itself() -> None:
    history = MeetingHistory.of_rounds([[(1, 2)]])
    twin = history.copy()
    twin.add([(1, 2)])
    assert history.meetings[1, 2] == (1, 1)
    assert twin.meetings[2, 1] == (2, 1)


def test_a_total_comes_apart_into_what_it_was_made_of() -> None:
    weights = CostWeights.of(4, 3, 500, most_wishes=8, knows_when=True, most_times=3)
    total = 2 * weights.forbidden + weights.repeat(2, 1) + 2 * weights.repeat(1, 4) + 2 * weights.bye
    total += 77 * weights.floats + 3 * weights.wish
    cost, nearness = weights.split(total)
    assert (cost.forbidden_count, cost.repeat_counts, cost.rematches, cost.immediate_count) == (
        2,
        (2, 1),
        3,
        1,
    )
    assert (cost.bye_rank, cost.floats, cost.unwished_count, nearness) == (2, 77, 3, 12 + 3 + 3)
    assert weights.most_repeated(total) == 2


def test_a_plan_that_was_broken_off_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournament.engine.pairing.whole_plan._NODES", 20)
    rng, history = random.Random(3), MeetingHistory()
    for _ in range(6):
        players = rng.sample(range(6), 6)
        history.add([(players[0], players[1])])
    plan = WholePlan(RoundModel([Entrant(at) for at in range(6)], history), 9)
    costs = [plan.cost([tuple(pair) for pair in pairs]) for pairs in all_pairings(range(6))]  # type: ignore[misc]
    assert None not in costs
    assert not plan.is_exact
