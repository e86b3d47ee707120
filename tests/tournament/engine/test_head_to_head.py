"""Head to head among players who are level on everything before."""

from __future__ import annotations

from rules.reason import reason
from tests.tournament.engine.events import event
from tests.tournament.engine.words import explain_value
from tournament.engine.records import Event
from tournament.engine.standings.standing import compute_standings
from tournament.engine.standings.systems.loading import parse_system

SYSTEM = parse_system({"tiebreakers": [{"kind": "head_to_head", "key": "h2h"}]})


def order(played_event: Event) -> list[tuple[int, int]]:
    return [(row.rank, row.player) for row in compute_standings(played_event, SYSTEM)]


def test_the_winner_of_their_match_is_ahead() -> None:
    # 1 and 2 end on six points; 2 won their match
    played_event = event("1-2 0:2, 3-4 2:0", "1-3 2:0, 4-2 2:0", "1-4 2:0, 2-3 2:0")
    assert order(played_event)[:2] == [(1, 2), (2, 1)]


def test_a_circle_of_three_who_all_met_stays_level() -> None:
    played_event = event("1-2 2:0, 3 bye", "2-3 2:0, 1 bye", "3-1 2:0, 2 bye")
    assert order(played_event) == [(1, 1), (1, 2), (1, 3)]


def test_among_those_left_level_their_own_matches_count_again() -> None:
    # all four on equal points would need more rounds; 1, 2, 3 level, 1 beat both, 2 beat 3
    played_event = event(
        "1-2 2:0, 3 bye, 4 bye", "1-3 2:0, 2 bye", "2-3 2:0, 1 lost", "3 bye, 1 lost, 2 lost"
    )
    assert [player for _, player in order(played_event)][:3] == [1, 2, 3]


def test_who_has_not_met_all_is_ahead_only_when_nothing_could_change_it() -> None:
    # 1 beat 2 and 3, who never met: even a win between them leaves both below two wins
    clear = event("1-2 2:0, 3 bye", "1-3 2:0, 2 bye", "1 lost, 2 bye, 3 bye")
    assert order(clear) == [(1, 1), (2, 2), (2, 3)]
    # 1 beat 2; 3 met neither: any of them could have come first
    open_circle = event("1-2 2:0, 3 bye", "2 bye, 1 lost, 3 lost")
    assert order(open_circle) == [(1, 1), (1, 2), (1, 3)]


def test_a_forfeit_settles_nothing_between_two() -> None:
    played_event = event("1-2 2:0", "2 bye, 1 lost")
    unplayed_match = played_event.rounds[0][0]._replace(forfeit=True)
    assert order(played_event) == [(1, 1), (2, 2)]
    assert order(played_event._replace(rounds=((unplayed_match,), played_event.rounds[1]))) == [
        (1, 1),
        (1, 2),
    ]


def test_the_explanation_lists_the_matches_that_count() -> None:
    played_event = event("1-2 0:2, 3-4 2:0", "1-3 2:0, 4-2 2:0", "1-4 2:0, 2-3 2:0")
    explanation = explain_value(played_event, SYSTEM, 2, "h2h")
    assert (explanation.value, [term.opponent for term in explanation.terms]) == (1, [1, None])
    assert explanation.terms[-1].note == reason("players_level", count=1)
