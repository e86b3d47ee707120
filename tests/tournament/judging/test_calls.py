"""Judge calls.

They end with their match, with the round or by the judge, and a new one is always possible.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from decks.shared.refusals import Conflict
from tests.scenarios.factories import open_matches, organizer, play_round, publish_next, started_event, win
from tests.scenarios.html import html_of
from tests.tournament.desk.test_console_pages import signed_in
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.judging.models import JudgeCall
from tournament.judging.selectors import count_waiting_calls, open_call_of, open_calls
from tournament.judging.services import calls
from tournament.results.services import results
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """Four players in round 1 of 3."""
    running_event = started_event(4, swiss_rounds=3)
    publish_next(running_event)
    return running_event


@pytest.fixture
def judge(event: Event) -> Client:
    return signed_in(event, "judge")


def page_of_caller(match: Match) -> str:
    """Return what the player who called reads."""
    return html_of(Client().get(f"/p/{match.p1.token}/"))


def call_on_page(match: Match) -> JudgeCall | None:
    """Return the call that the page of the player who called shows."""
    shown_call: JudgeCall | None = Client().get(f"/p/{match.p1.token}/").context["judging"].call
    return shown_call


def test_call_ends_with_the_result_of_its_match(event: Event, judge: Client) -> None:
    match = open_matches(event.stages.get().rounds.get())[0]
    call = calls.call_judge(match.p1, Actor.of_player(match.p1))
    calls.take_call(call, organizer())
    assert call_on_page(match) == call
    win(match)
    assert call_on_page(match) is None
    assert open_calls(event) == []
    assert judge.get(f"/api/events/{event.slug}/judge-calls/").json() == []
    results.clear_result(Match.objects.get(pk=match.pk), organizer())
    assert open_calls(event) == [call]


def test_call_that_outlived_its_match_makes_room_for_a_new_one(event: Event) -> None:
    match = open_matches(event.stages.get().rounds.get())[0]
    first = calls.call_judge(match.p1, Actor.of_player(match.p1))
    for each in open_matches(match.round):
        win(each)
    with pytest.raises(Conflict) as refusal:
        calls.take_call(first, organizer())
    assert refusal.value.code == "call_over"
    after = calls.call_judge(match.p1, Actor.of_player(match.p1), words="wrong result")
    assert after.pk != first.pk
    assert JudgeCall.objects.get(pk=first.pk).closed_at is not None
    assert open_calls(event) == [after]
    publish_next(event)
    assert open_calls(event) == []
    second = calls.call_judge(match.p1, Actor.of_player(match.p1))
    assert (second.round, open_calls(event)) == (2, [second])


@pytest.mark.both_databases
def test_judge_can_record_a_ruling_after_the_result(event: Event) -> None:
    match = open_matches(event.stages.get().rounds.get())[0]
    call = calls.call_judge(match.p1, Actor.of_player(match.p1))
    calls.take_call(call, organizer())
    win(match)
    calls.resolve_call(call, organizer(), ruling="Legal.", reason="100.1")
    assert JudgeCall.objects.get(pk=call.pk).rulings.get().ruling == "Legal."


def test_calls_end_with_the_event() -> None:
    event = started_event(4, swiss_rounds=1)
    play_round(event)
    player = event.players.first()
    calls.call_judge(player, Actor.of_player(player))
    events.finish_event(event, organizer())
    assert open_calls(event) == []


def test_matches_of_calls_are_not_looked_at_where_no_call_is_open(event: Event) -> None:
    player = event.players.get(number=1)
    calls.resolve_call(calls.call_judge(player, Actor.of_player(player)), organizer())
    with CaptureQueriesContext(connection) as queries:
        assert (open_calls(event), count_waiting_calls(event), open_call_of(player)) == ([], 0, None)
    assert len(queries) == 3
    assert not any(Match._meta.db_table in query["sql"] for query in queries)
    call = calls.call_judge(player, Actor.of_player(player))
    assert (open_calls(event), count_waiting_calls(event), open_call_of(player)) == ([call], 1, call)
