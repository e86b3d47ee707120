"""A penalty that was a mistake, noticed a round later: it is undone alone."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils.html import strip_tags

from decks.shared.refusals import Conflict, Refused
from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import (
    built_once,
    finish_round,
    make_event,
    organizer,
    play_round,
    publish_next,
    win,
)
from tests.scenarios.log_words import words_of
from tests.tournament.brackets.test_cuts import event_after_swiss, open_match
from tests.tournament.desk.test_console_pages import signed_in
from tests.tournament.penalties.test_penalties import give, start_first_round, table_of
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.services.penalties import undo_penalty
from tournament.log.services import undo_step
from tournament.pairing.services import rounds
from tournament.penalties.models import Penalty
from tournament.penalties.selectors import get_disqualified_ids
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def out() -> Penalty:
    """A disqualification of round 1, noticed while round 2 is played."""
    event = start_first_round(6, swiss_rounds=3)
    penalty = give(table_of(event).p1, "disqualification")
    finish_round(event.stages.get().rounds.get(number=1))
    publish_next(event)
    return Penalty.objects.select_related("event", "player").get(pk=penalty.pk)


def again(player: Player) -> Player:
    return Player.objects.select_related("event").get(pk=player.pk)


def get_decided_match(penalty: Penalty) -> Match:
    matches = Match.objects.select_related("round__stage__event", "p1", "p2")
    return matches.get(seats__player=penalty.player, round__number=1)


def test_a_disqualification_of_the_round_before_is_taken_back_alone(out: Penalty) -> None:
    second = list(Match.objects.filter(round__number=2).order_by("pk").values())
    assert undo_penalty(out, organizer(), reason="it was the neighbour") == [get_decided_match(out)]
    assert (again(out.player).dropped_after, get_disqualified_ids(out.event)) == (None, frozenset())
    assert (get_decided_match(out).outcome, get_decided_match(out).ending) == ("p2", "disqualified")
    assert list(Match.objects.filter(round__number=2).order_by("pk").values()) == second
    who = organizer().label
    assert [(words_of(entry), entry.reason) for entry in out.event.log.order_by("pk")][-2:] == [
        (f"{who} undid {out.player}'s disqualification for late to the table.", "it was the neighbour"),
        (f"{out.player} is back from now on.", ""),
    ]


def test_who_was_disqualified_by_mistake_is_paired_in_the_next_round(out: Penalty) -> None:
    undo_penalty(out, organizer(), reason="it was the neighbour")
    finish_round(out.event.stages.get().rounds.get(number=2))
    third = publish_next(out.event)
    assert third.seats.filter(player=out.player).count() == 1
    assert [line.is_dropped for line in standings(out.event) if line.player == out.player] == [False]


def test_a_judge_corrects_the_match_that_the_disqualification_decided(out: Penalty) -> None:
    undo_penalty(out, organizer(), reason="it was the neighbour")
    results.enter_result(
        get_decided_match(out), organizer(), p1_games=2, reason="names mixed up", way="leave"
    )
    assert (get_decided_match(out).outcome, get_decided_match(out).ending) == ("p1", "")
    assert [line.record for line in standings(out.event) if line.player == out.player] == ["1-0-0"]


def test_taking_a_disqualification_back_alone_is_undone_and_done_again(out: Penalty) -> None:
    states = [state_of(out.event)]
    undo_penalty(out, organizer(), reason="it was the neighbour")
    states.append(state_of(out.event))
    for state in (states[0], states[1], states[0]):
        undo_step(out.event.log.filter(head=None).latest("pk"), organizer())
        assert state_of(out.event) == state
    assert get_disqualified_ids(out.event) == {out.player_id}


def test_of_two_disqualifications_one_taken_back_leaves_the_player_out(out: Penalty) -> None:
    second = give(again(out.player), "disqualification", "conduct")
    undo_penalty(out, organizer(), reason="it was the neighbour")
    assert (again(out.player).dropped_after, get_disqualified_ids(out.event)) == (1, {out.player_id})
    undo_penalty(second, organizer(), reason="and this too")
    assert (again(out.player).dropped_after, get_disqualified_ids(out.event)) == (None, frozenset())


def test_draft_without_a_player_makes_room_when_they_return(out: Penalty) -> None:
    finish_round(out.event.stages.get().rounds.get(number=2))
    draft = rounds.pair_next_round(out.event, organizer())
    undo_penalty(out, organizer(), reason="it was the neighbour")
    assert draft.seats.filter(player=out.player_id).count() == 1


def test_disqualification_whose_place_went_to_a_late_player_is_not_undone_and_says_why(out: Penalty) -> None:
    event = Event.objects.get(pk=out.event_id)
    events.update_event(event, organizer(), {"capacity": 6})
    registration.add_player(event, organizer(), name="Late")
    with pytest.raises(Refused) as refusal:
        undo_penalty(out, organizer(), reason="it was the neighbour")
    assert (refusal.value.code, get_disqualified_ids(event)) == ("event_full", {out.player_id})


def test_after_the_event_the_place_comes_back_too(out: Penalty) -> None:
    finish_round(out.event.stages.get().rounds.get(number=2))
    play_round(out.event)
    events.finish_event(out.event, organizer())
    undo_penalty(out, organizer(), reason="it was the neighbour")
    assert again(out.player).dropped_after is None


def test_before_the_start_a_displaced_player_waits_behind_the_new_holder() -> None:
    event = make_event(capacity=2)
    player, _ = (registration.add_player(event, organizer(), name=name) for name in ("Mallory", "Alice"))
    other = registration.add_player(event, organizer(), name="Bob")
    penalty = give(player, "disqualification", "conduct")
    registration.withdraw(again(other), organizer())
    registration.undo_withdrawal(again(other), organizer())
    undo_penalty(penalty, organizer(), reason="it was the neighbour")
    assert (again(player).status, again(other).status) == ("waiting", "registered")


def test_once_rounds_run_who_was_put_out_before_the_start_can_be_let_in() -> None:
    event = make_event(swiss_rounds=3)
    people = [registration.add_player(event, organizer(), name=name) for name in ("Mallory", "Ann", "Bob")]
    penalty = give(people[0], "disqualification", "conduct")
    events.start_event(event, organizer())
    publish_next(event)
    undo_penalty(penalty, organizer(), reason="it was the neighbour")
    player = again(people[0])
    assert player.status == "waiting"
    registration.admit_player(player, organizer())
    assert again(player).is_in


def test_in_the_bracket_matches_stay_until_a_judge_corrects_them() -> None:
    event = event_after_swiss("KRCSGVKR")
    cuts.make_cut(event, organizer())
    match = open_match(event)
    penalty = give(match.p1, "disqualification")
    winner = match.p2_id
    for each in Match.objects.filter(round__stage__kind="single", outcome=""):
        win(Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=each.pk))
    assert [each.pk for each in undo_penalty(penalty, organizer(), reason="oh")] == [match.pk]
    match.refresh_from_db()
    assert (match.winner_id, again(match.p1).dropped_after) == (winner, None)


def test_a_match_loss_of_the_round_before_goes_alone_and_the_result_stays_to_be_corrected() -> None:
    event = start_first_round()
    penalty = give(table_of(event).p1, "match_loss")
    results.enter_result(table_of(event, 2), organizer(), p1_games=2, p2_games=0)
    publish_next(event)
    assert [m.pk for m in undo_penalty(penalty, organizer(), reason="wrong player")] == [
        get_decided_match(penalty).pk
    ]
    assert (Penalty.objects.count(), get_decided_match(penalty).ending) == (0, "penalty")
    results.enter_result(
        get_decided_match(penalty), organizer(), p1_games=2, reason="wrong player", way="leave"
    )
    assert (get_decided_match(penalty).outcome, get_decided_match(penalty).ending) == ("p1", "")


def test_of_two_game_losses_one_taken_back_says_that_the_match_stays() -> None:
    event = start_first_round()
    player = table_of(event).p1
    first = give(player, "game_loss")
    give(player, "game_loss", "slow")
    assert undo_penalty(first, organizer(), reason="wrong player") == [table_of(event)]


def test_two_who_press_take_back_take_it_back_once(out: Penalty) -> None:
    undo_penalty(out, organizer(), reason="it was the neighbour")
    with pytest.raises(Conflict) as conflict:
        undo_penalty(out, organizer(), reason="it was the neighbour")
    assert conflict.value.code == "penalty_gone"


def test_the_judge_is_told_which_match_stays_and_led_to_it(out: Penalty) -> None:
    judge = signed_in(out.event, "judge")
    address = f"/judge/{out.event.slug}/penalties/{out.pk}/back/"
    answer = judge.post(address, {"reason": "it was the neighbour"}, follow=True)
    page, match = answer.content.decode(), get_decided_match(out)
    assert answer.redirect_chain[-1][0] == f"/console/{out.event.slug}/matches/{match.pk}/"
    assert f"Penalty of {out.player} undone." in page
    assert (
        f"Round 1, table {match.table} ({match.p1} vs. {match.p2}): "
        f"the result from the penalty stays 0-2 ({match.p1} disqualified). If it is wrong too, correct it."
    ) in strip_tags(page)


def test_the_api_names_the_match_that_stays(out: Penalty) -> None:
    judge: Client = signed_in(out.event, "judge")
    address = f"/api/events/{out.event.slug}/penalties/{out.pk}/take-back/"
    answer = judge.post(address, {"reason": "it was the neighbour"}, content_type="application/json")
    match = get_decided_match(out)
    assert (answer.status_code, answer.json()) == (
        200,
        [{"id": match.pk, "stage": 1, "round": 1, "table": match.table, "score": "0-2"}],
    )
