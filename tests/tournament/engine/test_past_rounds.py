"""The scoring system decides whether a match that was never played counts as met."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournament.engine.test_engine_commands import answer
from tournament.engine.event_file import read_event
from tournament.engine.pairing.model import Entrant
from tournament.engine.pairing.past_rounds import read_past_rounds
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.problems import EngineError
from tournament.engine.standings.systems import load_system, parse_system
from tournament.engine.standings.systems.custom import own_system, system_to_data

FORFEITED = {
    "players": [{"id": at} for at in range(1, 5)],
    "rounds": [
        [{"p1": 1, "p2": 2, "result": "p1", "forfeit": True}, {"p1": 3, "p2": 4, "result": "p1"}],
        [{"p1": 1, "p2": 3, "result": "p1"}, {"p1": 2, "p2": 4, "result": "p1"}],
        [{"p1": 1, "p2": 4, "result": "p1"}, {"p1": 2, "p2": 3, "result": "p1"}],
    ],
}


def pair_players(*options: str, event: dict[str, object] = FORFEITED) -> set[frozenset[int]]:
    pairings = answer("pair", "--seed", "7", *options, text=json.dumps(event))["pairings"]
    return {frozenset((table["p1"], table["p2"])) for table in pairings}


def test_fide_lets_two_meet_who_did_not_play_and_the_others_count_them_as_met() -> None:
    assert pair_players("--system", "fide") == {frozenset((1, 2)), frozenset((3, 4))}
    costs = {
        name: answer("pair", "--seed", "7", "--system", name, text=json.dumps(FORFEITED))["cost"]["rematches"]
        for name in ("fide", "ufs", "magic")
    }
    assert costs == {"fide": 1, "ufs": 2, "magic": 2}


def test_the_option_goes_before_the_system() -> None:
    text = json.dumps(FORFEITED)
    rematches_by_names = {
        (name, option): answer("pair", "--seed", "7", "--system", name, option, text=text)["cost"][
            "rematches"
        ]
        for name in ("fide", "ufs")
        for option in ("--forfeits-meet", "--no-forfeits-meet")
    }
    assert list(rematches_by_names.values()) == [2, 1, 2, 1]


def test_under_fide_the_winner_of_a_forfeit_counts_as_having_had_a_bye() -> None:
    matches = [{"p1": 1, "p2": 2, "result": "p1", "forfeit": True}, {"p1": 3, "p2": None, "result": "bye"}]
    event = read_event({"players": [{"id": at} for at in (1, 2, 3)], "rounds": [matches]})
    byes = {name: dict(read_past_rounds(event, load_system(name)).byes) for name in ("fide", "ufs")}
    assert byes == {"fide": {1: 1, 3: 1}, "ufs": {3: 1}}


def test_a_bye_that_a_player_asked_for_is_none_that_must_not_be_repeated() -> None:
    matches = [{"p1": 1, "p2": None, "result": "bye", "bye_type": "half"}]
    event = read_event({"players": [{"id": 1}], "rounds": [matches]})
    assert dict(read_past_rounds(event, load_system("fide")).byes) == {}


def test_an_own_system_keeps_the_choice_and_a_wrong_one_is_refused() -> None:
    own = own_system({"title": "Club", "tiebreakers": [], "forfeits_meet": False})
    assert own_system(system_to_data(own)).forfeits_meet is False
    assert own_system({"tiebreakers": []}).forfeits_meet is True
    with pytest.raises(EngineError) as refusal:
        parse_system({"tiebreakers": [], "forfeits_meet": "no"})
    assert [problem.code for problem in refusal.value.problems] == ["system-switch"]


@given(st.data())
def test_under_fide_the_bye_goes_to_who_has_played_most_where_all_else_is_equal(data: st.DataObject) -> None:
    ids = range(1, data.draw(st.sampled_from((3, 5, 7))) + 1)
    entrants = [
        Entrant(
            at,
            data.draw(st.integers(0, 2)),
            byes=data.draw(st.integers(0, 1)),
            unplayed_rounds=data.draw(st.integers(0, 3)),
        )
        for at in ids
    ]
    met_pairs = data.draw(st.sets(st.sampled_from(list(combinations(ids, 2))), max_size=5))
    pairing = pair_round(entrants, met_pairs, seed=data.draw(st.integers(0, 5)), rounds_left=0)
    by_id = {entrant.id: entrant for entrant in entrants}

    def cost(pairs: list[tuple[int, int]], bye_player: int) -> tuple[int, ...]:
        again = sum(tuple(sorted(pair)) in met_pairs for pair in pairs) + by_id[bye_player].byes
        floats = sum((by_id[a].score - by_id[b].score) ** 2 for a, b in pairs)
        return again, by_id[bye_player].score, floats, by_id[bye_player].unplayed_rounds

    best = min(
        cost(pairs, bye_player)
        for bye_player in ids
        for pairs in matchings([i for i in ids if i != bye_player])
    )
    assert cost([table.players for table in pairing.tables], pairing.bye or 0) == best
    assert pairing.certificate.is_proved


def matchings(players: list[int]) -> Iterator[list[tuple[int, int]]]:
    if not players:
        yield []
    for other in players[1:]:
        rest = [player for player in players[1:] if player != other]
        yield from ([(players[0], other), *pairs] for pairs in matchings(rest))


def test_a_switch_of_a_system_that_is_no_switch_is_refused() -> None:
    with pytest.raises(EngineError) as refusal:
        parse_system({"tiebreakers": [], "bye_by_play": "yes"})
    assert [problem.code for problem in refusal.value.problems] == ["system-switch"]


# -- two published cases of bbpPairings, written down as events


def test_five_present_of_six_are_paired_as_bbp_pairings_expects() -> None:
    """Check the pairing of case dutch_2025_C5.

    Player 4 is absent from round 3. Expected are 1-5, 3-2 and a bye for 6.
    """
    event = {
        "players": [{"id": at} for at in range(1, 7)],
        "rounds": [
            [_win(1, 4), _win(2, 5), _win(3, 6)],
            [_win(1, 2), _win(3, 4), _win(5, 6)],
        ],
        "drops": {"4": 2},
    }
    pairings = answer("pair", "--seed", "7", "--system", "fide", text=json.dumps(event))
    assert {frozenset((t["p1"], t["p2"])) for t in pairings["pairings"]} == {
        frozenset((1, 5)),
        frozenset((3, 2)),
    }
    assert pairings["bye"] == 6


def test_the_bye_goes_to_a_player_without_unplayed_rounds_as_bbp_pairings_expects() -> None:
    """Case dutch_2025_C9: player 5 came late; expected are 2-1, 3-5 and a bye for 4.

    Between 3 and 4, who have equal scores, bbpPairings uses rank and colors, and Ringside draws at random.
    """
    late = {"p1": 5, "p2": None, "result": "loss_no_opponent", "bye_type": "zero"}
    event = {"players": [{"id": at} for at in range(1, 6)], "rounds": [[_win(1, 3), _win(2, 4), late]]}
    histories = set()
    for seed in range(12):
        answer_body = answer("pair", "--seed", str(seed), "--system", "fide", text=json.dumps(event))
        histories.add(
            (answer_body["bye"], *sorted(tuple(sorted((t["p1"], t["p2"]))) for t in answer_body["pairings"]))
        )
    assert histories == {(4, (1, 2), (3, 5)), (3, (1, 2), (4, 5))}


def _win(winner: int, loser: int) -> dict[str, object]:
    return {"p1": winner, "p2": loser, "result": "p1"}
