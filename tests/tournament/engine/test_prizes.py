"""Winners of prizes, shared places included."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tournament.engine.prizes import PlacedPlayer, Prize, PrizeAward, assign_prizes

CUP = Prize("cup", 1, 1)
PACK = Prize("pack", 3, 4)
KEN = Prize("playmat", best="Ken")


def top_four(third: int = 3, fourth: int = 4) -> list[PlacedPlayer]:
    return [
        PlacedPlayer(11, 1, "Ryu"),
        PlacedPlayer(12, 2, "ken"),
        PlacedPlayer(13, third, "Ken"),
        PlacedPlayer(14, fourth, "Ken"),
    ]


def test_each_place_of_a_range_gets_one() -> None:
    assert assign_prizes([CUP, PACK], top_four()) == [
        PrizeAward(CUP, (11,), 1),
        PrizeAward(PACK, (13,), 1),
        PrizeAward(PACK, (14,), 1),
    ]


def test_players_who_share_places_within_a_range_get_one_each() -> None:
    (award,) = assign_prizes([PACK], top_four(3, 3))
    assert (award.players, award.pieces, award.is_shared) == ((13, 14), 2, False)


def test_players_who_share_places_across_the_end_of_a_range_share_the_pieces() -> None:
    third = Prize("pack", 3, 3)
    (award,) = assign_prizes([third], top_four(3, 3))
    assert (award.players, award.pieces, award.is_shared) == ((13, 14), 1, True)


def test_best_of_a_character_is_the_highest_ranked_player_in_any_spelling() -> None:
    assert assign_prizes([KEN], top_four()) == [PrizeAward(KEN, (12,), 1)]


def test_two_equally_high_players_of_a_character_share_its_prize() -> None:
    shared_places = [PlacedPlayer(1, 1, "Ken"), PlacedPlayer(2, 1, "Ken"), PlacedPlayer(3, 3, "Ken")]
    (award,) = assign_prizes([KEN], shared_places)
    assert (award.players, award.is_shared) == ((1, 2), True)


@pytest.mark.parametrize("prize", [Prize("x", 9, 12), Prize("x", best="Sagat")])
def test_prize_for_a_place_without_a_player_is_not_awarded(prize: Prize) -> None:
    assert assign_prizes([prize], top_four()) == []


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(1, 5), min_size=1, max_size=12), st.integers(1, 12), st.integers(0, 6))
def test_as_many_pieces_are_given_as_places_of_the_range_are_held(
    groups: list[int], first: int, more: int
) -> None:
    placed_players, place = [], 1
    for size in groups:
        placed_players += [PlacedPlayer(len(placed_players) + n, place) for n in range(size)]
        place += size
    prize = Prize("pack", first, first + more)
    given_out = sum(award.pieces for award in assign_prizes([prize], placed_players))
    assert given_out == len(range(first, min(first + more, len(placed_players)) + 1))
