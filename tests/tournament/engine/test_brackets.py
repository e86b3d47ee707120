"""Brackets as graphs, for every number of entrants from 2 to 128.

The shape of well-known sizes is covered too.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.everyday import each_case, some
from tournament.engine.brackets.layout import Bracket, Feed, build_bracket, compute_crossings, seed_order
from tournament.engine.brackets.playing import play_bracket
from tournament.engine.problems import EngineError

SIZES = range(2, 129)
KINDS = ("single", "double")


def favourites(bracket: Bracket) -> dict[int, int]:
    """Let the better seed win every match."""
    return decide_all(bracket, lambda one, two: min(one, two))


def decide_all(bracket: Bracket, choose) -> dict[int, int]:
    """Play a bracket to its end; `choose` picks the winner of each match."""
    winners: dict[int, int] = {}
    for match in bracket.matches:
        pair = pair_of(bracket, winners, match.id)
        if None not in pair:
            winners[match.id] = choose(*pair)
    return winners


def pair_of(bracket: Bracket, winners: dict[int, int], number: int) -> tuple[int | None, int | None]:
    match = bracket.match(number)
    if match.if_needed and winners[number - 1] == pair_of(bracket, winners, number - 1)[0]:
        return None, None
    return tuple(
        seat(bracket, winners, seed, feed)
        for seed, feed in ((match.p1, match.p1_from), (match.p2, match.p2_from))
    )


def seat(bracket: Bracket, winners: dict[int, int], seed: int | None, feed) -> int | None:
    if feed is None:
        return seed
    if feed.outcome == "winner":
        return winners[feed.match]
    return next(seed for seed in pair_of(bracket, winners, feed.match) if seed != winners[feed.match])


@pytest.mark.parametrize("kind", KINDS)
def test_every_seat_is_fed_exactly_once(kind: str) -> None:
    for size in some(4, SIZES):
        bracket = build_bracket(kind, size)
        feeds = [feed for match in bracket.matches for feed in (match.p1_from, match.p2_from) if feed]
        seeds = [seed for match in bracket.matches for seed in (match.p1, match.p2) if seed]
        assert sorted(seeds) == list(range(1, size + 1))
        assert len(set(feeds)) == len(feeds)
        assert len(feeds) + len(seeds) == 2 * len(bracket.matches)


@pytest.mark.parametrize("kind", KINDS)
def test_ways_forward_and_feeds_are_the_same_ways(kind: str) -> None:
    for size in SIZES:
        bracket = build_bracket(kind, size)
        forward = {
            (match.id, outcome, to, slot)
            for match in bracket.matches
            for outcome, to, slot in (
                ("winner", match.winner_to, match.winner_slot),
                ("loser", match.loser_to, match.loser_slot),
            )
            if to is not None
        }
        backward = {
            (feed.match, feed.outcome, match.id, slot)
            for match in bracket.matches
            for slot, feed in ((1, match.p1_from), (2, match.p2_from))
            if feed
        }
        assert forward == backward
        assert all(source < to for source, _, to, _ in forward)


def test_one_defeat_ends_a_single_elimination_and_two_a_double() -> None:
    for size in SIZES:
        assert len(build_bracket("single", size).matches) == size - 1
        assert len(build_bracket("double", size).matches) == 2 * size - 1
        single = build_bracket("single", size)
        assert all(match.loser_to is None for match in single.matches)
        for match in build_bracket("double", size).matches:
            assert (match.loser_to is None) == (match.side == "L" or match.if_needed)


@each_case("size", [2, 3, 4, 5, 6, 7, 8, 11, 16, 23, 33])
def test_everyone_but_the_champion_is_eliminated_by_their_last_allowed_loss(size: int) -> None:
    dice = random.Random(size)
    for kind, losses_allowed in (("single", 1), ("double", 2)):
        bracket = build_bracket(kind, size)
        winners = decide_all(bracket, lambda one, two: dice.choice((one, two)))
        state = play_bracket(bracket, winners)
        defeats = Counter(match.loser for match in state.matches if match.loser)
        assert state.champion is not None
        assert defeats[state.champion] < losses_allowed
        assert all(defeats[seed] == losses_allowed for seed in range(1, size + 1) if seed != state.champion)
        assert [final.place for final in state.places] == list(range(1, size + 1))


def test_byes_are_in_the_first_round_only_and_go_to_the_best_seeds() -> None:
    for size in SIZES:
        bracket = build_bracket("single", size)
        byes = 2 ** (size - 1).bit_length() - size
        late = [
            seed for match in bracket.matches if match.round == 2 for seed in (match.p1, match.p2) if seed
        ]
        assert sorted(late) == list(range(1, byes + 1))
        assert all(match.p1 is None and match.p2 is None for match in bracket.matches if match.round > 2)


def test_the_best_two_can_only_meet_in_the_final_and_favourites_come_in_by_seed() -> None:
    for size in (2, 3, 4, 7, 8, 12, 16, 31, 32, 64, 100, 128):
        bracket = build_bracket("single", size)
        state = play_bracket(bracket, favourites(bracket))
        assert {state.matches[-1].p1, state.matches[-1].p2} == {1, 2}
        assert [final.seed for final in state.places] == list(range(1, size + 1))


def test_round_by_round_best_against_last() -> None:
    bracket = build_bracket("single", 16)
    state = play_bracket(bracket, favourites(bracket))
    for match, layout in zip(state.matches, bracket.matches, strict=True):
        assert match.p1 + match.p2 == 2 ** (4 - layout.round + 1) + 1
    assert seed_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]


def test_rounds_are_counted_within_their_side() -> None:
    bracket = build_bracket("double", 8)
    assert bracket.rounds == {"W": 3, "L": 4, "GF": 2}
    assert [match.round for match in bracket.matches] == [1, 1, 1, 1, 2, 2, 1, 1, 3, 2, 2, 3, 4, 1, 2]
    assert [match.wave for match in bracket.matches] == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 5, 6, 7]


def test_eight_in_a_double_elimination() -> None:
    ways = [(m.side, m.p1, m.p2, m.winner_to, m.loser_to) for m in build_bracket("double", 8).matches]
    assert ways == [
        ("W", 1, 8, 5, 7),
        ("W", 4, 5, 5, 7),
        ("W", 2, 7, 6, 8),
        ("W", 3, 6, 6, 8),
        ("W", None, None, 9, 11),
        ("W", None, None, 9, 10),
        ("L", None, None, 10, None),
        ("L", None, None, 11, None),
        ("W", None, None, 14, 13),
        ("L", None, None, 12, None),
        ("L", None, None, 12, None),
        ("L", None, None, 13, None),
        ("L", None, None, 14, None),
        ("GF", None, None, 15, 15),
        ("GF", None, None, None, None),
    ]


@each_case(("size", "earliest"), [(4, 2), (8, 3), (16, 4), (32, 5), (64, 7), (128, 8)])
def test_losers_side_has_no_rematch_before_that_round(size: int, earliest: int) -> None:
    met_pairs = set()
    for seed in range(120 if size < 64 else 40):
        dice = random.Random(seed)
        met_pairs |= rematches(
            build_bracket("double", size), lambda one, two, dice=dice: dice.choice((one, two))
        )
    assert min(met_pairs) == earliest


def rematches(bracket: Bracket, choose) -> set[int]:
    """Return the losers' rounds in which two met again."""
    results: dict[int, tuple[int, int]] = {}
    met_pairs, again = set(), set()
    for match in bracket.matches:
        one, two = (
            seed or results[feed.match][feed.outcome == "loser"]
            for seed, feed in ((match.p1, match.p1_from), (match.p2, match.p2_from))
        )
        if match.side == "L" and frozenset((one, two)) in met_pairs:
            again.add(match.round)
        met_pairs.add(frozenset((one, two)))
        winner = choose(one, two)
        results[match.id] = (winner, one + two - winner)
    return again


def test_crossings_stay_within_the_places_of_their_round() -> None:
    for depth in range(1, 13):
        masks = compute_crossings(depth)
        assert sorted(masks) == list(range(2, depth + 1))
        assert all(mask < 2 ** (depth - number) for number, mask in masks.items())


def test_waves_can_run_side_by_side() -> None:
    for kind in KINDS:
        for match in build_bracket(kind, 13).matches:
            before = [feed.match for feed in (match.p1_from, match.p2_from) if feed]
            assert all(build_bracket(kind, 13).match(number).wave < match.wave for number in before)


def test_the_match_for_third_place_is_between_the_beaten_semi_finalists() -> None:
    bracket = build_bracket("single", 6, third_place=True)
    third, final = bracket.matches[-2:]
    assert (third.side, third.p1_from, third.p2_from) == ("3P", Feed("loser", 3), Feed("loser", 4))
    assert (final.side, final.p1_from, final.p2_from) == ("W", Feed("winner", 3), Feed("winner", 4))


@each_case(
    ("kind", "entrants", "third_place", "code"),
    [
        ("triple", 8, False, "bracket-kind"),
        ("single", 0, False, "bracket-size"),
        ("single", -1, False, "bracket-size"),
        ("double", 4097, False, "bracket-size"),
        ("double", 8, True, "bracket-third"),
        ("single", 3, True, "bracket-third"),
    ],
)
def test_a_bracket_that_cannot_be_is_refused(kind: str, entrants: int, third_place: bool, code: str) -> None:
    with pytest.raises(EngineError) as excinfo:
        build_bracket(kind, entrants, third_place)
    assert [problem.code for problem in excinfo.value.problems] == [code]


@pytest.mark.parametrize("kind", KINDS)
def test_one_entrant_is_champion_without_a_match(kind: str) -> None:
    bracket = build_bracket(kind, 1)
    assert (bracket.matches, play_bracket(bracket, {}).champion) == ((), 1)
