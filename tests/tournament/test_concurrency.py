"""Many people at once, on a real PostgreSQL server: one round, one result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from tests.tournament.factories import make_event, open_matches, organizer, started_event
from tournament.errors import Refused
from tournament.models import Event, LogEntry, Match, Player, Round, Seat
from tournament.services import registration, results, rounds
from tournament.services.undo import undo

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
PEOPLE = 20


def all_at_once(act: Callable[[int], Any]) -> list[Any]:
    """Run the step in twenty threads that start together; answers, or the refusals' codes."""
    ready = Barrier(PEOPLE)

    def one(n: int) -> Any:
        try:
            ready.wait()
            return act(n)
        except Refused as refusal:
            return refusal.code
        finally:
            connection.close()

    with ThreadPoolExecutor(PEOPLE) as pool:
        return list(pool.map(one, range(PEOPLE)))


def test_twenty_presses_of_pair_next_round_pair_one_round() -> None:
    event, actor = started_event(9), organizer()
    answers = all_at_once(lambda n: rounds.pair_next_round(Event.objects.get(pk=event.pk), actor).pk)
    assert len(set(answers)) == 1
    assert Round.objects.count() == 1
    assert Seat.objects.count() == 9
    assert LogEntry.objects.filter(action="round_paired").count() == 1


def test_twenty_reports_of_one_match_leave_one_result() -> None:
    event, actor = started_event(4), organizer()
    table = open_matches(rounds.publish(rounds.pair_next_round(event, actor), actor))[0]

    def report(n: int) -> str:
        match = Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=table.pk)
        return results.enter_result(match, actor, p1_games=2, p2_games=n % 2, seen_revision=0).score

    answers = Counter(all_at_once(report))
    stands = Match.objects.get(pk=table.pk)
    assert stands.revision == 1
    assert answers == {stands.score: PEOPLE // 2, "result_changed_meanwhile": PEOPLE // 2}
    assert LogEntry.objects.filter(action="result_entered").count() == 1


def test_twenty_players_for_eight_places_fill_eight() -> None:
    event = make_event(capacity=8)

    def register(n: int) -> str:
        return registration.register(
            Event.objects.get(pk=event.pk), name=f"P{n}", email=f"p{n}@example.org"
        ).status

    assert Counter(all_at_once(register)) == {"registered": 8, "waiting": 12}
    assert sorted(Player.objects.values_list("number", flat=True)) == list(range(1, 21))


def test_one_person_registering_on_twenty_devices_is_registered_once() -> None:
    event = make_event()

    def register(n: int) -> str:
        return registration.register(
            Event.objects.get(pk=event.pk), name="Alice", email="alice@example.org"
        ).status

    assert Counter(all_at_once(register)) == {"registered": 1, "already_registered": PEOPLE - 1}


def test_twenty_presses_of_take_back_take_a_step_back_once() -> None:
    event, actor = started_event(4), organizer()
    rounds.pair_next_round(event, actor)
    entry = LogEntry.objects.get(action="round_paired")
    answers = Counter(all_at_once(lambda n: undo(LogEntry.objects.get(pk=entry.pk), actor).action))
    assert answers == {"undone": 1, "already_taken_back": PEOPLE - 1}
    assert Round.objects.count() == 0


def test_publication_taken_back_while_results_come_in_loses_none_unsaid() -> None:
    event, actor = started_event(40), organizer()
    tables = open_matches(rounds.publish(rounds.pair_next_round(event, actor), actor))
    entry = LogEntry.objects.get(action="round_published")

    def act(n: int) -> str:
        if n == 10:
            return undo(LogEntry.objects.get(pk=entry.pk), actor).action
        match = Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=tables[n].pk)
        return results.enter_result(match, actor, p1_games=2, p2_games=0).outcome

    answers = Counter(all_at_once(act))
    taken = LogEntry.objects.get(action="undone").takes_back
    assert set(answers) <= {"p1", "undone", "round_is_draft"}
    assert len(taken) == 1 + answers["p1"]
    assert not Match.objects.exclude(outcome="").exists()
