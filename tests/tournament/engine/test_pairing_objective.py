"""The order of criteria for a round.

Fewest rematches come first, then the bye, then the floats, then the preferences.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.reason import Reference, reason
from tests import machine
from tests.everyday import each_case
from tests.tournament.engine.pairing_oracle import FLOAT_COSTS, Case, Evening, pairs_of, random_case, vector
from tournament.engine.pairing import search
from tournament.engine.pairing.floats import UnfitFloatCost, square_difference
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.matching import cheapest_perfect_matching
from tournament.engine.pairing.model import Entrant, PairingError, PairingPreferences
from tournament.engine.pairing.round_model import RoundModel
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.problems import problem


def field_of(*scores: int) -> list[Entrant]:
    """Return players 1, 2, 3 … with these scores."""
    return [Entrant(at, score) for at, score in enumerate(scores, 1)]


# -- against trying everything


@pytest.mark.parametrize("counted_up_to", [0, 12], ids=["by windows", "by counting"])
def test_a_round_costs_what_the_best_of_all_pairings_costs(
    counted_up_to: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MOST_VERTICES", counted_up_to)
    rng = random.Random(11)
    for seed in range(130):
        case = random_case(rng, most=7 + seed % 2)
        case.float_cost = rng.choice(FLOAT_COSTS)
        pairing = case.paired(seed)
        assert vector(pairing) == case.cost_of(pairs_of(pairing)) == case.least()
        assert pairing.certificate.is_proved
        assert pairing.certificate.lower_bound == pairing.cost


def test_the_least_cost_set_by_set_is_the_least_of_all_pairings_one_by_one() -> None:
    rng = random.Random(21)
    for _ in range(60):
        case = random_case(rng, most=8)
        case.float_cost = rng.choice(FLOAT_COSTS)
        costs = case.all_costs()
        assert case.least() == min(costs.values())
        assert all(case.cost_of(pairs) == cost for pairs, cost in list(costs.items())[:2])


def test_each_player_has_one_table_or_the_bye() -> None:
    rng = random.Random(12)
    for seed in range(40):
        case = random_case(rng, most=26)
        pairing = case.paired(seed)
        seated_players = [player for table in pairing.tables for player in table.players]
        byes = [] if pairing.bye is None else [pairing.bye]
        assert sorted(seated_players + byes) == sorted(entrant.id for entrant in case.entrants)
        assert [table.number for table in pairing.tables] == list(range(1, len(pairing.tables) + 1))


SCORES = st.one_of(st.integers(-9, 9), st.fractions(0, 9, max_denominator=6))


@given(
    st.lists(st.tuples(SCORES, st.integers(0, 2), st.sampled_from(["", "a", "b"])), min_size=1, max_size=24),
    st.lists(st.tuples(st.integers(0, 23), st.integers(0, 23)), max_size=150),
    st.integers(),
)
@settings(max_examples=machine.examples(8), deadline=None)
def test_whatever_the_field_the_cost_is_what_the_tables_show(
    players: list[tuple[int | Fraction, int, str]], meetings: list[tuple[int, int]], seed: int
) -> None:
    entrants = [Entrant(at, score, byes, group) for at, (score, byes, group) in enumerate(players)]
    pairing = pair_round(
        entrants, meetings, seed=seed, rounds_left=0, preferences=PairingPreferences(groups_apart=True)
    )
    met_pairs = {frozenset(pair) for pair in meetings}
    groups = [entrant.group for entrant in entrants]
    again = sum(frozenset(table.players) in met_pairs for table in pairing.tables)
    again += pairing.bye is not None and entrants[pairing.bye].byes > 0
    unwished_pairs = sum(groups[t.p1] == groups[t.p2] != "" for t in pairing.tables)
    floats = sum(table.gap * table.gap for table in pairing.tables)
    cost = pairing.cost
    assert (cost.rematches, cost.floats, cost.unwished_count) == (again, floats, unwished_pairs)
    assert pairing.certificate.is_proved
    assert all(table.gap >= 0 and table.score1 == entrants[table.p1].score for table in pairing.tables)


@each_case(("size", "rounds"), [(33, 7), (64, 7), (128, 6)])
def test_a_round_costs_what_the_exact_matching_of_the_whole_field_costs(size: int, rounds: int) -> None:
    evening = Evening(size, seed=size)
    for number in range(rounds):
        pairing = evening.pair(seed=number)
        field = RoundModel(list(evening.entrants.values()), MeetingHistory(evening.met_pairs))
        costs, scale = field.cost_table(range(len(field)))
        assert scale == 1
        assert field.cost_of(cheapest_perfect_matching(costs).cost) == pairing.cost
        assert pairing.certificate.is_proved
        evening.play(pairing)


@each_case("density", [50, 80, 95, 100])
def test_arbitrary_histories_of_a_large_field_reach_the_exact_matching(density: int) -> None:
    rng = random.Random(density)
    entrants = [Entrant(at, rng.randrange(6) * 3, byes=rng.randrange(2)) for at in range(61)]
    met_pairs = [(a, b) for a in range(61) for b in range(a) if rng.randrange(100) < density]
    pairing = pair_round(entrants, met_pairs, seed=1)
    field = RoundModel(entrants, MeetingHistory(met_pairs))
    costs, _ = field.cost_table(range(len(field)))
    assert field.cost_of(cheapest_perfect_matching(costs).cost) == pairing.cost
    assert pairing.certificate.is_proved


# -- the order of the aims


def test_a_float_of_any_width_is_better_than_a_rematch() -> None:
    pairing = pair_round(field_of(9, 9, 0, 0), [(1, 2)], seed=1)
    assert {table.gap for table in pairing.tables} == {9}
    assert pairing.cost.rematches == 0


def test_two_short_floats_are_better_than_one_long_one() -> None:
    pairing = pair_round(field_of(6, 3, 3, 0), [], seed=1)
    assert [table.gap for table in pairing.tables] == [3, 3]
    assert pairing.cost.floats == 18


def test_a_forced_rematch_is_made_once_and_said() -> None:
    pairing = pair_round(field_of(3, 0), [(1, 2), (2, 1)], seed=1)
    assert pairing.cost.rematches == 1
    assert pairing.certificate.is_proved
    assert reason("drawback_rematch") in pairing.tables[0].why


def test_forbidden_pairs_count_before_rematches() -> None:
    everybody = [(a, b) for a in range(1, 5) for b in range(1, a)]
    pairing = pair_round(
        field_of(0, 0, 0, 0), [(1, 2), (3, 4)], seed=1, forbidden=set(everybody) - {(2, 1), (4, 3)}
    )
    assert pairs_of(pairing) == {frozenset((1, 2)), frozenset((3, 4))}
    assert (pairing.cost.forbidden_count, pairing.cost.rematches) == (0, 2)


def test_members_of_one_group_never_meet_where_that_is_forbidden() -> None:
    entrants = [Entrant(at, score=at // 4 * 3, group="ab"[at % 2]) for at in range(12)]
    pairing = pair_round(entrants, [], seed=3, own_group_forbidden=True)
    assert all((table.p1 + table.p2) % 2 for table in pairing.tables)
    assert pairing.cost.forbidden_count == 0


def test_players_without_a_group_are_no_group() -> None:
    assert pair_round(field_of(0, 0), [], seed=1, own_group_forbidden=True).cost.forbidden_count == 0


# -- the bye


def test_the_bye_goes_to_the_lowest_score() -> None:
    pairing = pair_round(field_of(6, 3, 0), [], seed=1)
    assert (pairing.bye, pairing.cost.bye_score) == (3, 0)


def test_the_bye_goes_past_those_who_had_one() -> None:
    entrants = [Entrant(1, 6), Entrant(2, 3), Entrant(3, 0, byes=1)]
    pairing = pair_round(entrants, [], seed=1)
    assert (pairing.bye, pairing.cost.bye_score) == (2, 3)


def test_a_second_bye_counts_as_one_rematch() -> None:
    entrants = [Entrant(1, 3, byes=1), Entrant(2, 0, byes=1), Entrant(3, 0, byes=2)]
    pairing = pair_round(entrants, [], seed=1)
    assert pairing.cost.rematches == 1
    assert pairing.bye in (2, 3)


def test_one_player_alone_has_the_bye() -> None:
    pairing = pair_round([Entrant(4, 3)], [], seed=1)
    assert (pairing.tables, pairing.bye, pairing.cost.bye_score) == ((), 4, 3)


def test_two_players_meet() -> None:
    pairing = pair_round(field_of(0, 0), [], seed=1)
    assert (len(pairing.tables), pairing.bye, pairing.cost.bye_score) == (1, None, None)


# -- scores and float costs


def test_scores_may_be_fractions_and_the_cost_stays_exact() -> None:
    entrants = [
        Entrant(1, Fraction(7, 3)),
        Entrant(2, Fraction(1, 2)),
        Entrant(3, 2),
        Entrant(4, Fraction(1, 3)),
    ]
    pairing = pair_round(entrants, [], seed=1)
    assert pairing.cost.floats == Fraction(1, 3) ** 2 + Fraction(1, 6) ** 2


def test_scores_may_be_negative() -> None:
    assert pair_round(field_of(-3, -3, 0, 0), [], seed=1).cost.floats == 0


def test_a_float_cost_of_ones_own_is_used() -> None:
    entrants = field_of(6, 3, 3, 0)
    pairing = pair_round(entrants, [], seed=1, float_cost=lambda high, low: (high - low) ** 3)
    assert pairing.cost.floats == 54


@each_case(
    ("cost", "message"),
    [
        (lambda high, low: 1, "must not cost less than the short ones"),
        (lambda high, low: low - high, "is negative"),
        (lambda high, low: 0.5 * (high - low), "is not exact"),
    ],
)
def test_a_float_cost_without_the_needed_properties_is_refused(cost: object, message: str) -> None:
    with pytest.raises(UnfitFloatCost, match=message):
        pair_round(field_of(6, 3, 0, 0), [], seed=1, float_cost=cost)


def test_very_many_scores_leave_ones_own_float_cost_unproved() -> None:
    entrants = [Entrant(at, at) for at in range(80)]
    pairing = pair_round(entrants, [], seed=1, float_cost=lambda high, low: 2 * (high - low))
    assert not pairing.certificate.is_proved
    assert pair_round(entrants, [], seed=1, float_cost=square_difference).certificate.is_proved


# -- bad input


def test_an_empty_field_is_refused_with_a_sentence() -> None:
    with pytest.raises(PairingError) as refusal:
        pair_round([], [], seed=1)
    assert refusal.value.problems == (problem("field-empty"),)


def test_every_problem_of_the_field_is_reported_at_once() -> None:
    with pytest.raises(PairingError) as refusal:
        pair_round([Entrant(1, 0.5), Entrant(1, 3), Entrant(2)], [], seed=1)
    first = (Reference("player", 1),)
    assert refusal.value.problems == (
        problem("listed-twice", players=first),
        problem("score-inexact", players=first),
    )


def test_meetings_with_players_who_are_gone_do_not_matter() -> None:
    assert pair_round(field_of(0, 0), [(1, 99), (98, 2)], seed=1).cost.rematches == 0


# -- preferences


def test_clubs_are_kept_apart_where_it_costs_nothing() -> None:
    entrants = [Entrant(at, group="north" if at < 4 else "south") for at in range(8)]
    for seed in range(10):
        pairing = pair_round(entrants, [], seed=seed, preferences=PairingPreferences(groups_apart=True))
        assert pairing.cost.unwished_count == 0


def test_a_wish_never_makes_a_float() -> None:
    entrants = [Entrant(1, 3, group="a"), Entrant(2, 3, group="a"), Entrant(3), Entrant(4)]
    pairing = pair_round(entrants, [], seed=1, preferences=PairingPreferences(groups_apart=True))
    assert (pairing.cost.floats, pairing.cost.unwished_count) == (0, 1)
    assert reason("drawback_unwished") in pairing.tables[0].why


def test_households_are_kept_apart_by_pair() -> None:
    apart = frozenset({(1, 2), (2, 3), (3, 4)})
    pairing = pair_round(
        field_of(0, 0, 0, 0), [], seed=1, preferences=PairingPreferences(separate_pairs=apart)
    )
    assert pairs_of(pairing) in (
        {frozenset((1, 3)), frozenset((2, 4))},
        {frozenset((1, 4)), frozenset((2, 3))},
    )
    assert (
        pairing.cost.unwished_count
        == Case(field_of(0, 0, 0, 0), preferences=PairingPreferences(separate_pairs=apart)).least()[4]
    )


def test_a_club_larger_than_the_rest_meets_itself_as_little_as_can_be() -> None:
    entrants = [Entrant(at, group="big" if at < 45 else "") for at in range(60)]
    pairing = pair_round(entrants, [], seed=1, preferences=PairingPreferences(groups_apart=True))
    assert (pairing.cost.unwished_count, pairing.certificate.is_proved) == (15, True)
