"""Seats and sentences: where a match is played, and why these two play it."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from rules import rendering
from rules.reason import Reference, reason
from tests.everyday import each_case
from tests.tournament.engine.pairing_oracle import Evening, random_case
from tests.tournament.engine.words import say
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.model import Entrant, Pairing, PairingPreferences, PairingTable
from tournament.engine.pairing.seating import assign_tables
from tournament.engine.pairing.swiss import pair_round


def numbers(pairing: Pairing) -> dict[int, int]:
    return {player: table.number for table in pairing.tables for player in table.players}


# -- seats


def test_the_best_scores_sit_at_the_first_tables() -> None:
    pairing = pair_round([Entrant(at, at // 2) for at in range(12)], [], seed=1)
    assert [table.score1 for table in pairing.tables] == [5, 4, 3, 2, 1, 0]


def test_a_fixed_seat_is_kept_and_the_others_fill_the_rest_in_order() -> None:
    entrants = [Entrant(at, at // 2, fixed_table=2 if at == 0 else None) for at in range(6)]
    pairing = pair_round(entrants, [], seed=1)
    assert numbers(pairing) == {5: 1, 4: 1, 1: 2, 0: 2, 3: 3, 2: 3}
    assert pairing.remarks == ()


def test_a_fixed_seat_may_have_any_number() -> None:
    pairing = pair_round([Entrant(1, fixed_table=40), Entrant(2), Entrant(3, 3), Entrant(4, 3)], [], seed=1)
    assert sorted(numbers(pairing).items()) == [(1, 40), (2, 40), (3, 1), (4, 1)]


def test_two_fixed_seats_at_one_match_are_said() -> None:
    pairing = pair_round([Entrant(1, fixed_table=1), Entrant(2, fixed_table=5)], [], seed=1)
    first_player = pairing.tables[0].number
    other, expected_numbers = (2, 5) if first_player == 1 else (1, 1)
    assert pairing.remarks == (
        reason(
            "fixed_table_lost.opponent",
            player=Reference("player", other),
            table=Reference("table", expected_numbers),
            other=Reference("table", first_player),
        ),
    )


def test_most_players_keep_their_fixed_seats() -> None:
    entrants = [
        Entrant(1, 3, fixed_table=1),
        Entrant(2, 3, fixed_table=2),
        Entrant(3, fixed_table=1),
        Entrant(4),
    ]
    pairing = pair_round(entrants, [], seed=1)
    assert numbers(pairing) == {1: 2, 2: 2, 3: 1, 4: 1}
    assert say(pairing.remarks) == (
        "Player 1 cannot have the fixed table 1: the opponent has the fixed table 2."
    )


def test_two_who_share_a_fixed_seat_keep_it_before_one_who_wants_it() -> None:
    entrants = [Entrant(1, 3, fixed_table=1), Entrant(2, 3), *(Entrant(at, fixed_table=1) for at in (3, 4))]
    pairing = pair_round(entrants, [], seed=1)
    assert numbers(pairing) == {1: 2, 2: 2, 3: 1, 4: 1}


def test_a_long_row_of_fixed_seats_moves_on_by_one() -> None:
    """Check that a long row of fixed seats moves on by one.

    Each match has the seats n and n + 1, and the last player wants the first of all.
    """
    tables = [PairingTable(at, 2 * at, 2 * at + 1) for at in range(2000)]
    entrants = {p: Entrant(p, fixed_table=p // 2 + p % 2 + 1) for t in tables for p in t.players}
    entrants[3998] = entrants[3999] = Entrant(3998, fixed_table=1)
    seated_tables, remarks = assign_tables(tables, entrants, fresh_tables=False)
    assert {p: t.number for t in seated_tables for p in t.players} == {
        p: 1 if p >= 3998 else p // 2 + 2 for p in range(4000)
    }
    assert len(remarks) == 1999


def test_one_fixed_seat_for_two_matches_is_said() -> None:
    entrants = [Entrant(1, 3, fixed_table=1), Entrant(2, 3), Entrant(3, fixed_table=1), Entrant(4)]
    pairing = pair_round(entrants, [], seed=1)
    assert say(pairing.remarks) == "Player 3 cannot have the fixed table 1: player 1 has it too."
    assert [table.number for table in pairing.tables] == [1, 2]


def test_no_player_sits_at_a_table_again_where_that_is_preferred() -> None:
    entrants = [Entrant(at, last_tables=(1,) if at < 2 else ()) for at in range(12)]
    for seed in range(6):
        pairing = pair_round(entrants, [], seed=seed, preferences=PairingPreferences(fresh_tables=True))
        assert {numbers(pairing)[0], numbers(pairing)[1]}.isdisjoint({1})
        assert sorted(table.number for table in pairing.tables) == [1, 2, 3, 4, 5, 6]


def test_as_few_as_can_be_sit_at_a_table_again() -> None:
    rng = random.Random(1)
    for _ in range(60):
        size = rng.randrange(2, 6)
        numbers_there = range(1, size + 1)
        sat = [set(rng.sample(numbers_there, rng.randrange(size))) for _ in range(2 * size)]
        entrants = {at: Entrant(at, last_tables=tuple(sat[at])) for at in range(2 * size)}
        tables = [PairingTable(at + 1, 2 * at, 2 * at + 1) for at in range(size)]
        seated_tables, _ = assign_tables(tables, entrants, fresh_tables=True)
        again = [
            sum(
                number in sat[player]
                for number, table in zip(order, tables, strict=True)
                for player in table[1:3]
            )
            for order in permutations(numbers_there)
        ]
        assert sum(t.number in sat[player] for t in seated_tables for player in t.players) == min(again)


def test_a_fixed_seat_goes_before_a_fresh_table() -> None:
    entrants = [Entrant(1, fixed_table=1, last_tables=(1,)), Entrant(2), Entrant(3), Entrant(4)]
    pairing = pair_round(entrants, [], seed=1, preferences=PairingPreferences(fresh_tables=True))
    assert numbers(pairing)[1] == 1


# -- sentences


def test_equals_who_have_not_met_are_drawn_together() -> None:
    pairing = pair_round([Entrant(at, 9) for at in range(4)], [], seed=1)
    assert {say(t.why) for t in pairing.tables} == {
        "Both have 9 points and have not played each other. They were paired at random."
    }


@pytest.mark.parametrize("size", [2, 20])
def test_two_who_alone_have_their_score_are_not_said_to_be_drawn(size: int) -> None:
    entrants = [Entrant(1, 9), Entrant(2, 9), *(Entrant(at) for at in range(3, size + 1))]
    pairing = pair_round(entrants, [], seed=1)
    assert say(pairing.tables[0].why) == (
        "Both have 9 points, and no other player does. They have not played each other."
    )


def test_a_float_is_explained_by_the_odd_number_above() -> None:
    pairing = pair_round([Entrant(1, 3), Entrant(2, 3), Entrant(3, 3), Entrant(4)], [], seed=1)
    assert say(pairing.explain(4)) == (
        f"Player 4 plays player {pairing.opponent(4)} at table 2. "
        "3 points vs. 0 points: an odd number of players had a higher score, "
        "so one of them plays the next lower score. "
        "3 players have 3 points or more, an odd number, so one is left over. "
        "These two were drawn at random among players with 3 points and with 0 points. "
        "No better pairing exists."
    )


def test_a_float_for_want_of_opponents_is_said() -> None:
    pairing = pair_round([Entrant(1, 3), Entrant(2, 3), Entrant(3), Entrant(4)], [(1, 2)], seed=1)
    assert say(pairing.tables[0].why) == (
        "3 points vs. 0 points: the player with 3 points has already played everyone on that score."
    )


def test_a_float_caused_by_the_opponents_of_others_is_explained() -> None:
    """Check that a float caused by the opponents of others is explained.

    Five of six have met one another, so four of them have no one left on their score.
    """
    entrants = [Entrant(at, 3) for at in range(1, 7)] + [Entrant(at) for at in range(7, 11)]
    met_pairs = [(a, b) for a in range(1, 6) for b in range(1, a)]
    floats = [say(t.why) for t in pair_round(entrants, met_pairs, seed=1).tables if t.gap]
    assert floats == ["3 points vs. 0 points: " + WANTING] * 4


WANTING = "not every player could be paired within the same score."


def test_a_wide_float_is_said_to_have_passed_over_those_in_between() -> None:
    entrants = [Entrant(1, 6), Entrant(2, 3), Entrant(3), Entrant(4)]
    pairing = pair_round(entrants, [(1, 2), (3, 4), (2, 3)], seed=1)
    assert [say(table.why) for table in pairing.tables] == [
        "6 points vs. 0 points: the player with 6 points has already played everyone on that score "
        "and in between.",
        "3 points vs. 0 points: no other player has 3 points.",
    ]


def test_a_bye_at_a_score_of_ones_own_is_not_said_to_be_drawn() -> None:
    pairing = pair_round([Entrant(1, 3), Entrant(2, 3), Entrant(3)], [], seed=1)
    assert say(pairing.explain(3)) == (
        "Player 3 has the bye because the number of players is odd (3). "
        "The bye goes to the lowest score, 0 points. No other player has it. No better pairing exists."
    )
    assert say(pair_round([Entrant(3)], [], seed=1).explain(3)).startswith(
        "Player 3 has the bye: there is no one else to play."
    )


def test_a_float_for_the_sake_of_later_rounds_is_said() -> None:
    words = set()
    for event in range(40):
        evening = Evening(6, event)
        for number in range(4):
            pairing = evening.pair(seed=1000 * event + number, rounds_left=3 - number)
            if pairing.certificate.method == "look-ahead":
                words |= {say(table.why) for table in pairing.tables if table.note == "ahead"}
                assert say(pairing.explain(1)).endswith(rendering.say("reason", "best_pairing.look_ahead"))
            evening.play(pairing)
    ends = {sentence.partition(": ")[2] for sentence in words}
    assert ends == {"with smaller gaps, fewer of the remaining rounds would be possible without a rematch."}


def test_a_further_bye_is_said_where_none_can_be_spared() -> None:
    pairing = pair_round([Entrant(1, byes=1), Entrant(2, byes=1), Entrant(3, byes=1)], [], seed=1)
    assert pairing.remarks == (reason("second_bye", player=Reference("player", pairing.bye or 0)),)
    assert pairing.remarks[0] in pairing.explain(pairing.bye or 0)


def test_a_bye_is_explained() -> None:
    pairing = pair_round([Entrant(1, 3), Entrant(2, 3), *map(Entrant, (3, 4, 5))], [], seed=1)
    assert pairing.bye is not None
    assert say(pairing.explain(pairing.bye)) == (
        f"Player {pairing.bye} has the bye because the number of players is odd (5). "
        "The bye goes to the lowest score, 0 points. Among eligible players it was drawn at random. "
        "No better pairing exists."
    )


def test_a_bye_above_the_lowest_score_is_explained() -> None:
    pairing = pair_round([Entrant(1, 6), Entrant(2, 3), Entrant(3, byes=1)], [], seed=1)
    assert "The bye goes to 3 points, the lowest score that avoids more rematches or second byes." in say(
        pairing.explain(2)
    )


def test_each_player_in_the_round_can_be_explained() -> None:
    rng = random.Random(3)
    for seed in range(40):
        case = random_case(rng)
        pairing = case.paired(seed)
        for entrant in case.entrants:
            assert pairing.explain(entrant.id)[0].params["player"] == Reference("player", entrant.id)
            assert pairing.explain(entrant.id)[-1] == reason("best_pairing")


def test_meetings_that_are_noted_later_do_not_change_what_a_round_says() -> None:
    entrants = [Entrant(1, 3), Entrant(2, 3), Entrant(3), Entrant(4)]
    history = MeetingHistory([(1, 2)])
    pairing, twin = (pair_round(entrants, history, seed=1) for _ in range(2))
    history.add(table.players for table in twin.tables)
    assert pairing.tables == twin.tables
    assert [table.note for table in pairing.tables] == ["upper-met", "upper-met"]


def test_a_list_of_entrants_that_changes_later_does_not_change_the_round() -> None:
    entrants = [Entrant(1, fixed_table=3), Entrant(2)]
    pairing = pair_round(entrants, [], seed=1)
    entrants.clear()
    assert pairing.tables[0].number == 3


def test_who_is_not_in_the_round_cannot_be_explained() -> None:
    with pytest.raises(KeyError):
        pair_round([Entrant(1), Entrant(2)], [], seed=1).explain(3)


@each_case(("score", "words"), [(0, "0 points"), (1, "1 point"), (12, "12 points")])
def test_points_have_their_plural(score: int, words: str) -> None:
    assert say(reason("same_points", points=score)) == f"Both have {words}."
