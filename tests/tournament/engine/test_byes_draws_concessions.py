"""Points of each scoring system for byes, intentional draws and concessions.

The expected points are calculated by hand. Round 1: player 1 has the bye, players 2 and 3 agree on a draw.
Round 2: player 2 concedes to player 1, who is given the two games; player 3 has the bye. So player 1 has met
player 2 alone, player 3 player 2 alone.
"""

from __future__ import annotations

from fractions import Fraction as Q

from tests.everyday import each_case
from tournament.engine.records import Event, Match, Player, Result
from tournament.engine.standings.standing import compute_standings
from tournament.engine.standings.systems.loading import load_system, system_names

THIRD, FLOOR = Q(1, 3), Q(33, 100)
Values = tuple[int | Q, ...]

# Points and tiebreakers (without the lot) of the three players.
COUNTED: dict[str, tuple[Values, Values, Values]] = {
    # A bye is a win, and nothing in the record that opponents have of a player. A conceded board is lost.
    "boards": ((6, 4, THIRD, 0), (1, 0, Q(2, 3), Q(1, 2)), (4, 2, THIRD, 0)),
    # Bye and concession as recorded: 2-0.
    "carrom": ((4, 1, 4, 4), (1, 7, -2, 0), (3, 1, 2, 2)),
    # A draw brings no point. A bye brings one, and is no match that was played.
    "fab": ((2, Q(9, 4), 0, Q(1, 2), 0), (0, 0, Q(1, 2), 0, Q(13, 8)), (1, 1, 0, Q(1, 2), 0)),
    # The bye is a game against a dummy (C.07 16.4), of one's own score and no more than half a point a round.
    "fide": (
        (2, 1, Q(3, 2), Q(3, 2), 2),
        (Q(1, 2), 2, Q(7, 2), Q(3, 4), 0),
        (Q(3, 2), 1, Q(3, 2), Q(5, 4), 1),
    ),
    # For SOSOS, a player with the bye has met all players with one: 2 and 1.5 points.
    "go": ((2, Q(1, 2), 7), (Q(1, 2), Q(7, 2), 1), (Q(3, 2), Q(1, 2), 7)),
    # Byes are left out of all three percentages. The draw without games leaves the least.
    "lorcana": ((6, FLOOR, 1, FLOOR), (1, Q(2, 3), FLOOR, Q(133, 200)), (4, FLOOR, FLOOR, FLOOR)),
    # The bye is won 2-0, in the record of the player too. The draw is 0-0-3 (2.4).
    "magic": ((6, FLOOR, 1, FLOOR), (1, Q(5, 6), Q(1, 5), Q(4, 5)), (4, FLOOR, Q(3, 5), FLOOR)),
    # 6 points for the bye and for the conceded match, 3 for the draw; schedules are per round.
    "netrunner": ((12, Q(3, 2), Q(21, 4)), (3, Q(21, 4), Q(3, 2)), (9, Q(3, 2), Q(21, 4))),
    # A bye is no match of the record; a tie is half a win, and each record counts a quarter at least.
    "pokemon": ((6, Q(1, 4), Q(3, 4), 0), (1, Q(3, 4), Q(1, 4), 0), (4, Q(1, 4), Q(3, 4), 0)),
    # Byes are left out of the percentages; a draw without games leaves no game. Ringside default.
    "ufs": ((6, THIRD, 1, 0), (1, Q(2, 3), 0, Q(1, 2)), (4, THIRD, 0, 0)),
    # Byes are left out. The concession is a loss of round 2; the draw is none.
    "yugioh": ((6, Q(1, 6), Q(2, 3), 0), (1, Q(2, 3), Q(1, 6), 4), (4, Q(1, 6), Q(2, 3), 0)),
}


def played_event(drawn_games: int) -> Event:
    first_round = Match(1, None, Result.BYE, 2, 0), Match(2, 3, Result.DRAW, 0, 0, drawn_games)
    second_round = Match(1, 2, Result.P1, 2, 0), Match(3, None, Result.BYE, 2, 0)
    return Event(tuple(map(Player, (1, 2, 3))), (first_round, second_round))


def test_every_shipped_system_is_worked_out() -> None:
    assert tuple(COUNTED) == system_names()


@each_case("name", list(COUNTED))
def test_byes_draws_and_concessions_count_as_the_system_says(name: str) -> None:
    system = load_system(name)
    shown_kinds = [tiebreaker.kind_name != "lot" for tiebreaker in system.tiebreakers]
    rows = {row.player: row for row in compute_standings(played_event(system.agreed_draw_games), system)}
    values = tuple(
        (
            rows[at].points,
            *(value for value, is_shown in zip(rows[at].values, shown_kinds, strict=True) if is_shown),
        )
        for at in (1, 2, 3)
    )
    assert values == COUNTED[name]
    records = [(row.wins, row.losses, row.draws, row.byes) for _, row in sorted(rows.items())]
    assert records == [(2, 0, 0, 1), (0, 1, 1, 0), (1, 0, 1, 1)]


@each_case("name", list(COUNTED))
def test_only_magic_records_games_for_an_intentional_draw(name: str) -> None:
    assert load_system(name).agreed_draw_games == 3 * (name == "magic")


@each_case("name", list(COUNTED))
def test_only_under_fide_players_have_not_met_by_a_forfeit(name: str) -> None:
    assert load_system(name).forfeits_meet is (name != "fide")
