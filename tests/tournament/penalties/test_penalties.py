"""Penalties: the ladder, what they do to the match, how they are undone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from decks.shared.refusals import Conflict, Invalid, Refused
from tests.everyday import each_case
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    organizer,
    play_round,
    publish_next,
    started_event,
)
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tests.tournament.brackets.test_cuts import event_after_swiss, open_match
from tests.tournament.desk.test_console_pages import signed_in
from tournament.brackets.services import cut as cuts
from tournament.engine.penalties import PENALTY_LEVELS, is_score_allowed, suggest_penalty
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.services.penalties import give_penalty, undo_penalty
from tournament.log.services import undo_step
from tournament.pairing.services import rounds
from tournament.penalties.models import Infraction, Penalty, PenaltyLevel
from tournament.penalties.selectors import (
    PenaltyLosses,
    get_disqualified_ids,
    get_match_losses,
    get_penalty_history,
)
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.shared.coded_texts import DISQUALIFIED

pytestmark = pytest.mark.django_db


@built_once
def start_first_round(players: int = 4, **values: Any) -> Event:
    """Round 1 is being played."""
    event = started_event(players, **values)
    publish_next(event)
    return event


def table_of(event: Event, table: int = 1) -> Match:
    matches = Match.objects.select_related("round__stage__event", "p1", "p2")
    return matches.filter(round__stage__event=event, table=table).order_by("pk").last()


def give(player: Player, degree: str, infraction: str = "late", **values: Any) -> Penalty:
    values.setdefault("note", "came ten minutes late")
    return give_penalty(player, organizer(), infraction=infraction, degree=degree, **values)


def test_ladder_of_the_engine_is_the_one_that_is_stored() -> None:
    assert tuple(PenaltyLevel.values) == PENALTY_LEVELS
    assert {key: suggest_penalty(key, []) for key in Infraction.values} == {
        "late": "warning", "list": "warning", "deck": "warning", "play": "note", "slow": "warning",
        "outside": "warning", "conduct": "warning", "cheating": "disqualification", "other": "warning",
    }  # fmt: skip


@each_case(
    ("before", "then"),
    [
        (["note"], "warning"),
        (["warning"], "game_loss"),
        (["warning", "note"], "game_loss"),
        (["game_loss"], "match_loss"),
        (["match_loss", "match_loss"], "disqualification"),
        (["disqualification"], "disqualification"),
    ],
    around=rolled_back,
)
def test_same_infraction_again_is_one_step_further(before: list[str], then: str) -> None:
    assert suggest_penalty("late", before) == then


def test_another_infraction_starts_the_ladder_again() -> None:
    event = start_first_round()
    player = table_of(event).p1
    give(player, "game_loss", "late")
    penalty_history = get_penalty_history(player)
    assert (penalty_history.suggested_levels["late"], penalty_history.suggested_levels["slow"]) == (
        "match_loss",
        "warning",
    )


def test_game_loss_in_best_of_three_is_a_game_the_opponent_has_won() -> None:
    event = start_first_round()
    match = table_of(event)
    give(match.p1, "game_loss")
    assert get_match_losses(match) == {match.p1_id: PenaltyLosses(games=1)}
    assert table_of(event).outcome == ""
    assert [is_score_allowed(games, (1, 0)) for games in ((2, 0), (2, 1), (0, 2), (1, 1))] == [
        False,
        True,
        True,
        True,
    ]


def test_second_game_loss_of_a_match_decides_it() -> None:
    event = start_first_round()
    match = table_of(event)
    give(match.p1, "game_loss")
    give(match.p1, "game_loss", "slow")
    assert (table_of(event).outcome, table_of(event).score, table_of(event).ending) == (
        "p2",
        "0-2",
        "penalty",
    )


def test_game_loss_in_best_of_one_is_the_match() -> None:
    event = start_first_round(match_form="one_game_30min")
    match = table_of(event)
    give(match.p2, "game_loss")
    assert (table_of(event).outcome, table_of(event).score) == ("p1", "1-0")


def test_match_loss_decides_the_match_and_the_log_says_so() -> None:
    event = start_first_round()
    match = table_of(event)
    give(match.p1, "match_loss")
    assert (table_of(event).outcome, table_of(event).score) == ("p2", "0-2")
    sentences = [(words_of(entry), entry.reason) for entry in event.log.order_by("pk")][-2:]
    who = organizer().label
    assert sentences == [
        (f"{who} gave {match.p1} a match loss for late to the table.", "came ten minutes late"),
        (f"{match.p2} wins table 1, 0-2, because of {match.p1}'s penalty.", ""),
    ]


def test_match_loss_of_the_last_open_table_finishes_the_round() -> None:
    event = start_first_round(2)
    give(table_of(event).p1, "match_loss")
    assert table_of(event).round.state == "finished"


def test_game_loss_between_rounds_counts_in_the_next_match() -> None:
    event = start_first_round()
    player = table_of(event).p1
    for match in Match.objects.select_related("round__stage__event", "p1", "p2").filter(outcome=""):
        results.enter_result(match, organizer(), p1_games=2, p2_games=0)
    with pytest.raises(Refused) as refusal:
        give(player, "game_loss")
    assert refusal.value.code == "no_match_runs"
    give(player, "game_loss", is_next=True)
    assert get_match_losses(table_of(event)) == {}
    publish_next(event)
    next_round = player.seats.select_related("match__round__stage__event").last().match
    assert get_match_losses(next_round) == {player.pk: PenaltyLosses(games=1)}


def reopened(match: Match, loser: Player, degree: str) -> Match:
    """Return the table after `loser` was punished and the result was taken back.

    Someone took it back to punish the other player, too.
    """
    give(loser, degree)
    results.clear_result(Match.objects.get(pk=match.pk), organizer(), reason="the other one as well")
    return Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk)


@each_case("first", ["match_loss", "disqualification"])
@each_case("second", ["match_loss", "disqualification"], around=rolled_back)
def test_both_who_are_punished_at_one_table_lose_it_both(first: str, second: str) -> None:
    event = start_first_round()
    match = reopened(table_of(event), table_of(event).p1, first)
    give(match.p2, second)
    match.refresh_from_db()
    assert (match.outcome, match.winner_id, match.p1_games, match.p2_games) == ("double_loss", None, 0, 0)
    log_words = words_of(event.log.filter(action="result_by_penalty").first())
    assert log_words == f"Both players lose at table {match.table} because of their penalties."


def test_both_who_are_punished_in_a_bracket_stay_for_the_organizer() -> None:
    event = event_after_swiss("KKKKRRRR", cut="top")
    cuts.make_cut(event, organizer())
    match = open_match(event)
    match = reopened(match, match.p1, "match_loss")
    give(match.p2, "match_loss")
    match.refresh_from_db()
    assert match.outcome == ""


def test_disqualified_player_loses_the_match_and_leaves() -> None:
    event = start_first_round()
    match = table_of(event)
    give(match.p1, "disqualification", "cheating", note="marked cards")
    player = Player.objects.get(pk=match.p1_id)
    assert (table_of(event).outcome, table_of(event).ending) == ("p2", "disqualified")
    assert (player.dropped_after, player.drop_reason) == (1, DISQUALIFIED)
    assert get_disqualified_ids(event) == {player.pk}


def test_disqualified_player_is_not_paired_again() -> None:
    event = start_first_round()
    player = table_of(event).p1
    give(player, "disqualification")
    for match in Match.objects.select_related("round__stage__event", "p1", "p2").filter(outcome=""):
        results.enter_result(match, organizer(), p1_games=2, p2_games=0)
    next_round = rounds.pair_next_round(event, organizer())
    assert next_round.seats.filter(player=player).count() == 0


def test_disqualified_player_cannot_come_back() -> None:
    event = start_first_round()
    player = table_of(event).p1
    give(player, "disqualification")
    with pytest.raises(Refused) as refusal:
        registration.undo_drop(Player.objects.get(pk=player.pk), organizer())
    assert refusal.value.code == "disqualified"


def test_disqualified_before_the_start_loses_the_place_and_cannot_take_it_back() -> None:
    event = make_event()
    player = registration.add_player(event, organizer(), name="Mallory")
    give(player, "disqualification", "conduct")
    player.refresh_from_db()
    assert player.status == "withdrawn"
    with pytest.raises(Refused) as refusal:
        registration.undo_withdrawal(player, organizer())
    assert refusal.value.code == "disqualified"


def test_the_place_of_who_is_disqualified_before_the_start_goes_to_the_first_in_line() -> None:
    event = make_event(capacity=2)
    player, _ = (registration.add_player(event, organizer(), name=name) for name in ("Mallory", "Alice"))
    waiting_player = registration.add_player(event, organizer(), name="Bob")
    give(player, "disqualification", "conduct")
    waiting_player.refresh_from_db()
    assert (waiting_player.status, waiting_player.moved_up_at is not None) == ("registered", True)


def test_disqualified_in_the_bracket_lets_the_opponent_pass() -> None:
    event = event_after_swiss("KRCSGVKR")
    cuts.make_cut(event, organizer())
    match = open_match(event)
    give(match.p1, "disqualification")
    match.refresh_from_db()
    assert (match.winner_id, match.ending) == (match.p2_id, "disqualified")


def test_disqualified_after_the_swiss_rounds_is_not_in_the_cut() -> None:
    event = event_after_swiss("KRCSGVKR")
    first = event.players.get(number=1)
    give(first, "disqualification")
    stage = cuts.make_cut(event, organizer())
    assert first.pk not in set(stage.entrants.values_list("player_id", flat=True))


@each_case("degree", ["note", "warning", "game_loss", "match_loss", "disqualification"], around=rolled_back)
def test_taken_back_leaves_everything_as_it_was(degree: str) -> None:
    event = start_first_round()
    player = table_of(event).p1
    before = list(Match.objects.values("outcome", "p1_games", "p2_games", "ending", "result_at", "result_by"))
    penalty = give(player, degree)
    undo_penalty(penalty, organizer(), reason="the other player was late")
    assert Penalty.objects.count() == 0
    after = list(Match.objects.values("outcome", "p1_games", "p2_games", "ending", "result_at", "result_by"))
    assert after == before
    assert Player.objects.get(pk=player.pk).is_in
    assert event.log.order_by("pk").last().reason == "the other player was late"


def test_taking_back_needs_a_reason() -> None:
    penalty = give(table_of(start_first_round()).p1, "warning")
    with pytest.raises(Refused) as refusal:
        undo_penalty(penalty, organizer(), reason=" ")
    assert refusal.value.code == "reason_missing"


@pytest.mark.both_databases
def test_taking_back_can_be_taken_back() -> None:
    event = start_first_round()
    match = table_of(event)
    undo_penalty(give(match.p1, "match_loss"), organizer(), reason="oh")
    undo_step(event.log.order_by("pk").last(), organizer())
    assert (Penalty.objects.get().degree, table_of(event).outcome) == ("match_loss", "p2")


def test_two_judges_who_saw_the_same_do_not_punish_it_twice() -> None:
    event = start_first_round()
    player = table_of(event).p1
    give(player, "warning", seen_penalties=0)
    with pytest.raises(Conflict) as conflict:
        give(player, "warning", seen_penalties=0)
    assert conflict.value.code == "penalty_given_meanwhile"
    assert Penalty.objects.count() == 1


def test_every_problem_is_named_at_once() -> None:
    event = start_first_round()
    with pytest.raises(Invalid) as refusal:
        give_penalty(table_of(event).p1, organizer(), infraction="x", degree="game_loss", note="")
    assert [problem.code for problem in refusal.value.problems] == ["infraction_unknown", "note_missing"]


def test_play_again_after_a_round_keeps_old_losses_out() -> None:
    event = start_first_round()
    player = table_of(event).p1
    give(player, "game_loss")
    for match in Match.objects.select_related("round__stage__event", "p1", "p2").filter(outcome=""):
        results.enter_result(match, organizer(), p1_games=0, p2_games=2)
    play_round(event)
    assert get_match_losses(player.seats.select_related("match__round__stage__event").last().match) == {}


def test_scorekeeper_cannot_take_a_penalty_back_from_the_log() -> None:
    event = start_first_round()
    give(table_of(event).p1, "warning")
    entry = event.log.get(action="penalty_given")
    client: Client = signed_in(event, "scorekeeper")
    assert client.post(f"/console/{event.slug}/log/{entry.pk}/undo/").status_code == 403
    assert Penalty.objects.count() == 1


def test_disqualified_player_is_told_so_and_offered_no_way_back(client: Client) -> None:
    player = table_of(start_first_round()).p1
    give(player, "disqualification")
    page = client.get(f"/p/{player.token}/")
    assert page.context["task"].kind == "disqualified"
    assert "tournament/my_page/tasks/disqualified.html" in {template.name for template in page.templates}
    assert "Undo drop" not in page.content.decode()


def test_disqualified_before_the_start_is_not_called_withdrawn(client: Client) -> None:
    player = add_players(make_event(), 2)[0]
    give(player, "disqualification")
    assert client.get(f"/p/{player.token}/").context["task"].kind == "disqualified"
