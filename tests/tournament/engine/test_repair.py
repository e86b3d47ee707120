"""Guided repair of a round.

Finished tables stay, and of the others as many as a best pairing can keep.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rules import rendering
from tests import machine
from tests.tournament.engine.pairing_oracle import Evening, all_pairings, pairs_of
from tests.tournament.engine.repair_oracle import check_a_random_repair
from tests.tournament.engine.words import say
from tournament.engine.pairing import nearest
from tournament.engine.pairing.model import Entrant, Pairing, PairingError, PairingTable
from tournament.engine.pairing.repair import repair_round
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.records import PlayerId


def publish_pairing(size: int, rounds: int, seed: int = 1) -> tuple[Evening, Pairing]:
    evening = Evening(size, seed)
    for number in range(rounds):
        evening.play(evening.pair(seed=number))
    return evening, evening.pair(seed=99)


def with_points(entrants: list[Entrant], points: dict[PlayerId, int]) -> list[Entrant]:
    return [entrant._replace(score=entrant.score + points.get(entrant.id, 0)) for entrant in entrants]


def test_nothing_changes_where_the_published_round_is_still_a_best_one() -> None:
    evening, pairing = publish_pairing(16, 3)
    result = repair_round(pairing, set(), list(evening.entrants.values()), evening.met_pairs, seed=2)
    assert (result.changed_tables, result.bye_moved, result.is_fewest) == ((), False, True)
    assert result.nearest_pairing.tables == pairing.tables
    assert say(result.explanation).startswith(rendering.say("reason", "repair.none"))


def test_the_fewest_tables_are_touched_that_any_best_pairing_touches() -> None:
    rng = random.Random(5)
    for trial in range(machine.examples(8)):
        check_a_random_repair(rng, trial)


def test_a_swapped_result_touches_a_few_tables_of_a_large_field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearest, "MOST_VERTICES", 20)
    evening, pairing = publish_pairing(200, 6)
    entrants = list(evening.entrants.values())
    corrected_entrants = with_points(entrants, {7: 3, 9: -3} if evening.entrants[9].score >= 3 else {7: 3})
    result = repair_round(pairing, set(), corrected_entrants, evening.met_pairs, seed=2)
    assert result.nearest_pairing.cost == result.new_pairing.cost
    assert 0 < len(result.changed_tables) <= 8 < len(result.changed_tables_of_new)


def test_finished_tables_and_their_numbers_stay() -> None:
    evening, pairing = publish_pairing(12, 3)
    finished_tables = {1, 4}
    corrected_entrants = with_points(list(evening.entrants.values()), {1: 3, 2: -1, 8: 1})
    result = repair_round(pairing, finished_tables, corrected_entrants, evening.met_pairs, seed=2)
    for round_ in (result.nearest_pairing, result.new_pairing):
        assert {t for t in pairing.tables if t.number in finished_tables} <= set(round_.tables)
        assert [table.number for table in round_.tables] == [1, 2, 3, 4, 5, 6]


def test_a_kept_table_keeps_its_number_and_its_seats() -> None:
    evening, pairing = publish_pairing(20, 3)
    corrected_entrants = with_points(list(evening.entrants.values()), {3: 6})
    result = repair_round(pairing, set(), corrected_entrants, evening.met_pairs, seed=2)
    for table in pairing.tables:
        if table.number not in result.changed_tables:
            kept_table = next(t for t in result.nearest_pairing.tables if t.number == table.number)
            assert kept_table.players == table.players


def test_new_tables_of_a_repair_keep_fixed_seats() -> None:
    entrants = [Entrant(1, 3, fixed_table=2), Entrant(2, 3), Entrant(3, fixed_table=1), Entrant(4)]
    tables = [PairingTable(1, 1, 3), PairingTable(2, 2, 4)]
    result = repair_round(tables, set(), entrants, [], seed=1)
    assert [(t.number, set(t.players)) for t in result.nearest_pairing.tables] == [(1, {3, 4}), (2, {1, 2})]
    assert result.nearest_pairing.remarks == ()


def test_a_fixed_seat_that_a_repair_cannot_keep_is_said() -> None:
    entrants = [Entrant(1, 3, fixed_table=1), Entrant(2, 3), *(Entrant(at) for at in range(3, 7))]
    tables = [PairingTable(1, 5, 6), PairingTable(2, 1, 3), PairingTable(3, 2, 4)]
    result = repair_round(tables, set(), entrants, [], seed=1)
    assert result.changed_tables == (2, 3)
    assert (
        say(result.nearest_pairing.remarks)
        == "Player 1 cannot have the fixed table 1: another match is there."
    )


def test_new_tables_of_a_repair_stay_clear_of_those_that_others_took() -> None:
    entrants = [Entrant(1, 3, fixed_table=3), Entrant(2, 3), Entrant(3), Entrant(4)]
    tables = [PairingTable(1, 1, 3), PairingTable(4, 2, 4)]
    result = repair_round(tables, set(), entrants, [], seed=1, taken_tables={2, 3})
    assert [(t.number, set(t.players)) for t in result.nearest_pairing.tables] == [(1, {1, 2}), (4, {3, 4})]
    assert (
        say(result.nearest_pairing.remarks)
        == "Player 1 cannot have the fixed table 3: another match is there."
    )


def test_unchanged_table_whose_sides_a_correction_swaps_gives_each_player_their_score() -> None:
    result = repair_round([PairingTable(1, 1, 2, 3, 0)], set(), [Entrant(1), Entrant(2, 3)], [], seed=1)
    (table,) = result.nearest_pairing.tables
    assert (table.players, table.score1, table.score2, table.gap) == ((1, 2), 0, 3, 3)
    assert [(each.code, each.params) for each in table.why] == [("float.odd", {"higher": 3, "lower": 0})]


def test_who_dropped_leaves_and_the_bye_moves_with_as_little_change_as_can_be() -> None:
    tables = pair_round([Entrant(1, 3), Entrant(2, 3), Entrant(3), Entrant(4)], [], seed=1).tables
    entrants = [Entrant(1, 3), Entrant(2, 3), Entrant(3)]
    result = repair_round(tables, set(), entrants, [], seed=1)
    assert (result.changed_tables, result.nearest_pairing.bye, result.bye_moved) == ((2,), 3, True)
    assert "moves the bye" in say(result.explanation)


def test_a_late_entrant_meets_the_player_with_the_bye() -> None:
    pairing = pair_round([Entrant(1), Entrant(2), Entrant(3)], [], seed=1)
    result = repair_round(pairing, {1}, [Entrant(at) for at in range(1, 5)], [], seed=1)
    assert pairing.bye is not None
    assert result.nearest_pairing.tables[1].players in ((pairing.bye, 4), (4, pairing.bye))
    assert (result.nearest_pairing.bye, result.bye_moved) == (None, True)


def test_a_bye_that_stands_is_left_alone() -> None:
    pairing = pair_round([Entrant(1), Entrant(2), Entrant(3)], [], seed=1)
    result = repair_round(pairing, set(), [Entrant(at) for at in range(1, 4)], [], seed=1, bye_stands=True)
    assert (result.nearest_pairing.bye, result.bye_moved) == (pairing.bye, False)


def test_a_second_bye_beside_one_that_stands_is_said() -> None:
    pairing = pair_round([Entrant(1), Entrant(2), Entrant(3)], [], seed=1)
    entrants = [Entrant(at) for at in range(1, 5)]
    result = repair_round(pairing, set(), entrants, [], seed=1, bye_stands=True)
    assert say(result.nearest_pairing.remarks) == (
        f"Player {pairing.bye} keeps the bye, so two players have a bye in this round."
    )


def test_a_round_that_is_finished_stays_as_it_is() -> None:
    pairing = pair_round([Entrant(at) for at in range(4)], [], seed=1)
    result = repair_round(pairing, {1, 2}, [Entrant(at, at) for at in range(4)], [], seed=1)
    assert (result.nearest_pairing.tables, result.changed_tables) == (pairing.tables, ())


def test_a_finished_table_that_is_not_published_is_refused() -> None:
    pairing = pair_round([Entrant(1), Entrant(2)], [], seed=1)
    with pytest.raises(PairingError, match="has no table 7"):
        repair_round(pairing, {7}, [Entrant(1), Entrant(2)], [], seed=1)


def test_a_repair_keeps_the_rest_of_a_small_event_playable() -> None:
    for event in range(machine.examples(2)):
        evening = Evening(6, event)
        for number in range(5):
            pairing = evening.pair(seed=number, rounds_left=4 - number)
            fixed = repair_round(
                pairing,
                {1},
                list(evening.entrants.values()),
                evening.met_pairs,
                seed=number,
                rounds_left=4 - number,
            )
            assert fixed.nearest_pairing.cost.rematches == 0
            evening.play(fixed.new_pairing if event % 2 else fixed.nearest_pairing)


def test_a_repair_never_buys_later_rounds_with_a_rematch() -> None:
    """Check that a repair never buys later rounds with a rematch.

    There are four players after two rounds, with two more planned. Only one of these is left, and it is
    played now.
    """
    tables = [PairingTable(1, 1, 2), PairingTable(2, 3, 4)]
    met_pairs = [(1, 3), (2, 4), (1, 4), (2, 3)]
    result = repair_round(
        tables, set(), [Entrant(at, at) for at in range(1, 5)], met_pairs, seed=1, rounds_left=2
    )
    assert (result.changed_tables, result.nearest_pairing.cost.rematches) == ((), 0)


def test_a_repair_leaves_as_many_rounds_as_can_be_where_not_all_can_be_played() -> None:
    """Check a repair against all pairings of six players.

    Not all of their three more rounds can be played.
    """
    rng, followed = random.Random(4), Counter[int]()
    for seed in range(machine.examples(8)):
        evening = Evening(6, seed)
        for number in range(rng.randrange(1, 4)):
            evening.play(evening.pair(seed=100 * seed + number))
        pairing = evening.pair(seed=seed)
        entrants = [e._replace(score=rng.randrange(3)) for e in evening.entrants.values()]
        fixed = repair_round(pairing, {1}, entrants, evening.met_pairs, seed=seed, rounds_left=3)
        settled_pairs = pairs_of(fixed.nearest_pairing) & {frozenset(pairing.tables[0].players)}
        met_pairs = {frozenset(pair) for pair in evening.met_pairs}
        fresh = [pairs for pairs in all_pairings(range(1, 7)) if not pairs & met_pairs]
        after = {pairs: _rounds_after(met_pairs | pairs, fresh) for pairs in fresh if settled_pairs <= pairs}
        if after:
            assert (
                after[pairs_of(fixed.nearest_pairing)]
                == after[pairs_of(fixed.new_pairing)]
                == max(after.values())
            )
            followed[max(after.values())] += 1
    assert len(followed) > 1


def _rounds_after(met_pairs: set[frozenset[int]], fresh: list[frozenset[frozenset[int]]]) -> int:
    pairs_left = [pairs for pairs in fresh if not pairs & met_pairs]
    return max((1 + _rounds_after(met_pairs | pairs, pairs_left) for pairs in pairs_left), default=0)
