"""The presets of card games.

Tests use worked examples, and a slow second calculation of random events.
"""

from __future__ import annotations

import random
from fractions import Fraction as Q

import pytest

from tests import machine
from tests.everyday import each_case
from tests.tournament.engine.events import random_event
from tests.tournament.engine.standings_oracle import Oracle
from tournament.engine.problems import EngineError
from tournament.engine.records import Event, Match, Player, PlayerId, Result
from tournament.engine.standings.explanation import explain_values
from tournament.engine.standings.standing import StandingRow, compute_standings
from tournament.engine.standings.systems.loading import load_system

W, L, D = Result.P1, Result.P2, Result.DRAW


def rows_of(event: Event, system: str) -> dict[PlayerId, StandingRow]:
    return {row.player: row for row in compute_standings(event, load_system(system))}


def event_of(count: int, *rounds: list[Match], drops: dict[int, int] | None = None) -> Event:
    return Event(tuple(Player(at) for at in range(1, count + 1)), tuple(map(tuple, rounds)), drops or {})


def against_one(*results: Result, drops: dict[int, int] | None = None) -> Event:
    """Player 1 against others in turn; player 1's record is what is looked at."""
    rounds = [[Match(1, other, result)] for other, result in enumerate(results, 2)]
    return event_of(len(results) + 1, *rounds, drops=drops)


# -- Pokémon: examples of rk9.gg, a floor of a quarter, and three quarters at most after a drop


def test_a_record_of_three_wins_a_loss_and_a_tie_is_worth_seven_tenths() -> None:
    assert rows_of(against_one(W, W, W, L, D), "pokemon")[2].values[0] == Q(7, 10)


def test_a_bye_is_left_out_of_the_record() -> None:
    event = event_of(3, [Match(1, None, Result.BYE)], [Match(1, 2, W)], [Match(1, 3, L)])
    assert rows_of(event, "pokemon")[2].values[0] == Q(1, 2)
    assert rows_of(event, "pokemon")[1].values[0] == (Q(1, 4) + 1) / 2


def test_an_opponent_counts_a_quarter_at_least() -> None:
    assert rows_of(against_one(L, L, L), "pokemon")[2].values[0] == Q(1, 4)


@pytest.mark.parametrize(("last", "share"), [(2, Q(3, 4)), (3, Q(1))])
def test_an_opponent_who_dropped_counts_three_quarters_at_most(last: int, share: Q) -> None:
    rounds = [[Match(1, 2, W)], [Match(1, 3, W)], [Match(2, 3, W)]]
    assert rows_of(event_of(3, *rounds, drops={1: last}), "pokemon")[2].values[0] == (share + Q(1, 4)) / 2


def test_a_drop_after_the_last_round_is_none() -> None:
    event = against_one(W, W, drops={1: 2})
    assert rows_of(event, "pokemon")[2].values[0] == 1


# -- Yu-Gi-Oh!: lost rounds


def test_losses_of_rounds_three_and_five_make_thirty_four() -> None:
    assert rows_of(against_one(W, D, L, W, L), "yugioh")[1].values[2] == 34


def test_of_two_with_one_loss_the_later_one_is_ahead() -> None:
    event = event_of(4, [Match(1, 2, W), Match(3, 4, W)], [Match(1, 4, L), Match(3, 2, L)])
    assert [rows_of(event, "yugioh")[at].values[2] for at in (1, 2, 3, 4)] == [4, 1, 4, 1]


# -- Flesh and Blood: a quarter of the value of the round before, and losses


def test_the_cumulative_value_is_the_points_and_a_quarter_of_the_value_before() -> None:
    # 1; 2 + 1/4; 2 + 9/16; 3 + 41/64
    assert rows_of(against_one(W, W, L, W), "fab")[1].values[0] == Q(233, 64)


def test_a_draw_brings_no_point_and_is_no_loss() -> None:
    draw_row, loss_row = (rows_of(against_one(W, result), "fab")[1] for result in (D, L))
    assert (draw_row.points, draw_row.values[:2]) == (1, (Q(5, 4), 0))
    assert (loss_row.points, loss_row.values[:2]) == (1, (Q(5, 4), Q(1, 2)))


def test_fewer_losses_rank_higher() -> None:
    event = event_of(4, [Match(1, 2, W), Match(3, 4, W)], [Match(1, 4, D), Match(3, 2, L)])
    rows = rows_of(event, "fab")
    assert [rows[at].values[1] for at in (1, 2, 3, 4)] == [0, Q(1, 2), Q(1, 2), Q(1, 2)]
    assert rows[1].rank < rows[3].rank


# -- Lorcana: a third of 0.33 below all three


def test_percentages_are_never_below_a_third() -> None:
    lost_result = Match(1, 2, L, 0, 2)
    rows = rows_of(event_of(3, [lost_result, Match(3, None, Result.BYE)]), "lorcana")
    assert rows[2].values[:3] == (Q(33, 100), 1, Q(33, 100))
    assert rows[1].values[:3] == (1, Q(33, 100), 1)


# -- against a slow second calculation


class Records(Oracle):
    def outcome(self, player: PlayerId, match: Match) -> str:
        if match.p2 is None:
            return "bye" if match.result is Result.BYE else "loss"
        if match.result is D:
            return "draw"
        return "win" if (match.result is W) == (player == match.p1) and match.result in (W, L) else "loss"

    def outcomes(self, player: PlayerId) -> list[str]:
        return [each for match in self.matches[player] if (each := self.outcome(player, match)) != "bye"]

    def win_share(self, player: PlayerId) -> Q:
        outcomes = self.outcomes(player)
        points_won = sum({"win": Q(1), "draw": Q(1, 2)}.get(each, Q(0)) for each in outcomes)
        share = max(Q(1, 4), points_won / len(outcomes)) if outcomes else Q(0)
        has_dropped = self.event.drops.get(player, 99) < len(self.event.rounds)
        return min(share, Q(3, 4)) if has_dropped else share

    def loss_share(self, player: PlayerId) -> Q:
        outcomes = self.outcomes(player)
        return Q(outcomes.count("loss"), len(outcomes)) if outcomes else Q(0)

    def opponents_mean(self, player: PlayerId, value) -> Q:  # type: ignore[no-untyped-def]
        return self.mean([value(other) for other in self.opponents(player)])

    def owp(self, player: PlayerId) -> Q:
        return self.opponents_mean(player, self.win_share)

    def lost_rounds(self, player: PlayerId) -> int:
        return sum(
            number**2
            for number, matches in enumerate(self.event.rounds, 1)
            for match in matches
            if player in (match.p1, match.p2) and match.result and self.outcome(player, match) == "loss"
        )

    def cumulative(self, player: PlayerId) -> Q:
        value = points = Q(0)
        for matches in self.event.rounds:
            points += sum(
                self.points_of(player, match)
                for match in matches
                if player in (match.p1, match.p2) and match.result
            )
            value = value / 4 + points
        return value


@each_case("seed", range(machine.examples(6)))
def test_every_value_is_that_of_a_second_reading(seed: int) -> None:
    event = random_event(random.Random(seed), 9, 5)
    oracle, of_wins = Records(event), Records(event, Q(1), Q(0))
    pokemon, fab, yugioh = (rows_of(event, name) for name in ("pokemon", "fab", "yugioh"))
    double_loss = any(match.result is Result.DOUBLE_LOSS for matches in event.rounds for match in matches)
    for player in (each.id for each in event.players):
        assert pokemon[player].values[0] == oracle.owp(player)
        assert pokemon[player].values[1] == oracle.opponents_mean(player, oracle.owp)
        assert yugioh[player].values[2] == oracle.lost_rounds(player)
        if not double_loss:
            assert fab[player].values[:4] == (
                of_wins.cumulative(player),
                oracle.loss_share(player),
                oracle.opponents_mean(player, oracle.loss_share),
                oracle.opponents_mean(player, of_wins.cumulative),
            )


@each_case(
    ("system", "option"),
    [("yugioh", "floor"), ("netrunner", "floor"), ("yugioh", "own_floor"), ("pokemon", "own_floor")],
)
def test_floor_is_refused_where_no_value_has_one(system: str, option: str) -> None:
    with pytest.raises(EngineError) as refusal:
        load_system(system, **{option: "1/3" if option == "floor" else True})
    assert [problem.code for problem in refusal.value.problems] == ["option-unknown"]


def test_floor_of_a_system_can_be_another() -> None:
    lost_result = against_one(L, L, L)
    rows = {row.player: row for row in compute_standings(lost_result, load_system("pokemon", floor="1/3"))}
    assert rows[2].values[0] == Q(1, 3)


@each_case("system", ["pokemon", "yugioh", "fab", "lorcana"])
def test_the_lines_of_each_value_make_it(system: str) -> None:
    event = random_event(random.Random(5), 8, 4)
    rows = rows_of(event, system)
    for player in event.players:
        values = rows[player.id].points, *rows[player.id].values
        explained_values = explain_values(event, load_system(system), player.id)
        assert tuple(each.value for each in explained_values) == values
        summed = [each for each in explained_values if each.tiebreaker.key not in ("gw", "h2h", "lot")]
        assert [each.combined_value for each in summed] == [each.value for each in summed]
