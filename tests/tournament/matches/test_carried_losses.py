"""A match loss given between rounds.

It is entered in the next match automatically, and a judge can undo it.
"""

from __future__ import annotations

import pytest

from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import built_once, open_matches, organizer, publish_next, started_event, win
from tests.scenarios.log_words import words_of
from tests.tournament.penalties.test_penalties import give
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.judging.services.penalties import undo_penalty
from tournament.log.services import undo_step
from tournament.pairing.services import rounds
from tournament.penalties.selectors import get_match_losses

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    """Four players, round 1 is played; its winner has three points."""
    running_event = started_event(4, swiss_rounds=3)
    for match in open_matches(publish_next(running_event)):
        win(match)
    return running_event


def person(event: Event, number: int) -> Player:
    return event.players.select_related("event").get(number=number)


def last_match(player: Player) -> Match:
    return player.seats.select_related("match__round__stage__event", "match__p1", "match__p2").last().match


def test_a_match_loss_for_the_next_match_enters_itself_when_the_round_is_published(event: Event) -> None:
    player = person(event, 1)
    give(player, "match_loss", is_next=True)
    draft = rounds.pair_next_round(event, organizer())
    assert last_match(player).outcome == ""
    rounds.publish_round(draft, organizer())
    match = last_match(player)
    assert (match.winner_id != player.pk, match.ending, match.result_by) == (True, "penalty", "Ringside")
    assert sorted((match.p1_games, match.p2_games)) == [0, 2]
    log_words = words_of(event.log.filter(action="result_by_penalty").get())
    assert log_words == (
        f"Table {match.table} ({match.p1} vs. {match.p2}) is {match.score} ({player} lost by a penalty)"
        f": the penalty of {player} counts here."
    )


def test_a_game_loss_for_the_next_match_leaves_it_to_be_played(event: Event) -> None:
    player = person(event, 1)
    give(player, "game_loss", is_next=True)
    publish_next(event)
    assert (last_match(player).outcome, get_match_losses(last_match(player))[player.pk].games) == ("", 1)


def test_game_losses_that_are_the_match_enter_it(event: Event) -> None:
    player = person(event, 1)
    give(player, "game_loss", is_next=True)
    give(player, "game_loss", is_next=True)
    publish_next(event)
    assert last_match(player).ending == "penalty"


def test_two_who_both_have_lost_it_lose_both() -> None:
    event = started_event(2, swiss_rounds=2)
    for number in (1, 2):
        give(person(event, number), "match_loss", is_next=True)
    round_ = publish_next(event)
    assert [match.outcome for match in round_.matches.all()] == ["double_loss"]
    assert Round.objects.get(pk=round_.pk).state == "finished"


def test_the_loss_waits_through_a_bye() -> None:
    event = started_event(3, swiss_rounds=3)
    first = publish_next(event)
    bye_player = first.matches.get(p2__isnull=True).p1
    player = Player.objects.select_related("event").get(pk=bye_player.pk)
    for match in open_matches(first):
        win(match)
    give(player, "match_loss", is_next=True)
    publish_next(event)
    assert last_match(player).ending == "penalty"


def test_taken_back_the_match_is_played_after_all(event: Event) -> None:
    player = person(event, 1)
    penalty = give(player, "match_loss", is_next=True)
    publish_next(event)
    undo_penalty(penalty, organizer(), reason="it was the neighbour")
    match = last_match(player)
    assert (match.outcome, match.ending, match.result_by, player.penalties.count()) == ("", "", "", 0)
    win(match)


def test_taken_back_the_opponents_own_loss_counts_alone() -> None:
    event = started_event(2, swiss_rounds=2)
    first, second = person(event, 1), person(event, 2)
    penalty = give(first, "match_loss", is_next=True)
    give(second, "match_loss", is_next=True)
    publish_next(event)
    undo_penalty(penalty, organizer(), reason="oh")
    assert last_match(first).winner_id == first.pk


def test_under_a_published_round_the_penalty_goes_and_the_match_stays_until_it_is_corrected(
    event: Event,
) -> None:
    player = person(event, 1)
    penalty = give(player, "match_loss", is_next=True)
    for match in open_matches(publish_next(event)):
        win(match)
    publish_next(event)
    decided_match = Match.objects.get(seats__player=player, ending="penalty")
    assert undo_penalty(penalty, organizer(), reason="oh") == [decided_match]
    assert (player.penalties.count(), Match.objects.get(pk=decided_match.pk).ending) == (0, "penalty")


def test_publishing_with_a_carried_loss_is_undone_as_one_step(event: Event) -> None:
    give(person(event, 1), "match_loss", is_next=True)
    rounds.pair_next_round(event, organizer())
    before = state_of(event)
    rounds.publish_round(Round.objects.select_related("stage__event").get(state="draft"), organizer())
    after = state_of(event)
    back = undo_step(event.log.filter(action="round_published").order_by("pk").last(), organizer())
    assert state_of(event) == before
    undo_step(back, organizer())
    assert state_of(event) == after


def test_in_a_bracket_the_opponent_passes_on() -> None:
    event = started_event(4, swiss_rounds=1, cut="top", cut_size=2)
    first = publish_next(event)
    for match in open_matches(first):
        win(match)
    loser = Player.objects.select_related("event").get(pk=first.matches.order_by("table").first().p1_id)
    give(loser, "match_loss", is_next=True)
    cut = cuts.make_cut(event, organizer())
    event.refresh_from_db()
    final = Match.objects.get(round__stage=cut)
    assert (final.ending, final.winner_id != loser.pk) == ("penalty", True)
    assert Round.objects.get(stage=cut).state == "finished"
