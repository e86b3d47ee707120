"""Many people at once, on a real PostgreSQL server: one round, one result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection

from decks.shared.refusals import Refused
from tests import machine
from tests.scenarios.factories import make_event, open_matches, organizer, started_event
from tournament.access.permissions import Actor
from tournament.clock import services as clock
from tournament.clock.models import ClockEntry
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.pairing.services import rounds
from tournament.registration import player_csv
from tournament.registration import services as registration
from tournament.registration.services import player_import
from tournament.results.services import results
from tournament.setup.services import events

pytestmark = [pytest.mark.both_databases, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
PEOPLE = 20 if machine.whole() else 10


def all_at_once(act: Callable[[int], Any]) -> list[Any]:
    """Run the step in as many threads that start together.

    Returns the answers, or the codes of the refusals.
    """
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


def test_many_presses_of_pair_next_round_pair_one_round() -> None:
    event, actor = started_event(9), organizer()
    answers = all_at_once(lambda n: rounds.pair_next_round(Event.objects.get(pk=event.pk), actor).pk)
    assert len(set(answers)) == 1
    assert Round.objects.count() == 1
    assert Seat.objects.count() == 9
    assert LogEntry.objects.filter(action="round_paired").count() == 1


def test_many_presses_of_start_the_clock_start_it_once() -> None:
    event, actor = started_event(4), organizer()
    round_ = rounds.publish_round(rounds.pair_next_round(event, actor), actor)

    def start(n: int) -> None:
        clock.start_clock(Round.objects.select_related("stage__event").get(pk=round_.pk), actor)

    assert all_at_once(start) == [None] * PEOPLE
    assert list(ClockEntry.objects.values_list("act", flat=True)) == ["start"]
    assert LogEntry.objects.filter(action="clock_started").count() == 1


def test_many_reports_of_one_match_leave_one_result() -> None:
    event, actor = started_event(4), organizer()
    table = open_matches(rounds.publish_round(rounds.pair_next_round(event, actor), actor))[0]

    def report(n: int) -> str:
        match = Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=table.pk)
        return results.enter_result(match, actor, p1_games=2, p2_games=n % 2, seen_revision=0).score

    answers = Counter(all_at_once(report))
    stands = Match.objects.get(pk=table.pk)
    assert stands.revision == 1
    assert answers == {stands.score: PEOPLE // 2, "result_changed_meanwhile": PEOPLE // 2}
    assert LogEntry.objects.filter(action="result_entered").count() == 1


def test_many_players_for_eight_places_fill_eight() -> None:
    event = make_event(capacity=8)

    def register(n: int) -> str:
        return registration.register(
            Event.objects.get(pk=event.pk), name=f"P{n}", email=f"p{n}@example.org"
        ).status

    assert Counter(all_at_once(register)) == {"registered": 8, "waiting": PEOPLE - 8}
    assert sorted(Player.objects.values_list("number", flat=True)) == list(range(1, PEOPLE + 1))


def test_one_person_registering_on_many_devices_is_registered_once() -> None:
    event = make_event()

    def register(n: int) -> str:
        return registration.register(
            Event.objects.get(pk=event.pk), name="Alice", email="alice@example.org"
        ).status

    assert Counter(all_at_once(register)) == {"registered": 1, "already_registered": PEOPLE - 1}


def test_many_presses_of_take_back_take_a_step_back_once() -> None:
    event, actor = started_event(4), organizer()
    rounds.pair_next_round(event, actor)
    entry = LogEntry.objects.get(action="round_paired")
    answers = Counter(all_at_once(lambda n: undo_step(LogEntry.objects.get(pk=entry.pk), actor).action))
    assert answers == {"undone": 1, "already_taken_back": PEOPLE - 1}
    assert Round.objects.count() == 0


def test_publication_taken_back_while_results_come_in_loses_none_unsaid() -> None:
    event, actor = started_event(2 * PEOPLE), organizer()
    tables = open_matches(rounds.publish_round(rounds.pair_next_round(event, actor), actor))
    entry = LogEntry.objects.get(action="round_published")

    def act(n: int) -> str:
        if n == PEOPLE // 2:
            return undo_step(LogEntry.objects.get(pk=entry.pk), actor).action
        match = Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=tables[n].pk)
        return results.enter_result(match, actor, p1_games=2, p2_games=0).outcome

    answers = Counter(all_at_once(act))
    undone_ids = LogEntry.objects.get(action="undone").takes_back
    assert set(answers) <= {"p1", "undone", "round_is_draft"}
    assert len(undone_ids) == 1 + answers["p1"]
    assert not Match.objects.exclude(outcome="").exists()


def test_one_person_coming_by_every_door_at_once_is_registered_once() -> None:
    event, actor = make_event(), organizer()
    table = player_csv.read_player_csv("Name;E-mail\nAnn Lee;ann@example.org\n", event)

    def come(n: int) -> str:
        here = Event.objects.get(pk=event.pk)
        if n % 3 == 0:
            return registration.register(here, name="Ann Lee", email="ann@example.org").status
        if n % 3 == 1:
            return registration.add_player(here, actor, name="ann  lee").status
        return player_import.run_player_import(here, actor, table).lines[0].kind

    answers = Counter(all_at_once(come))
    assert Player.objects.count() == 1
    assert answers["registered"] + answers["add"] == 1


def test_two_places_freed_while_others_come_go_to_the_first_two_in_line() -> None:
    event, actor = make_event(capacity=2), organizer()
    players = [registration.add_player(event, actor, name=f"In {n}") for n in range(2)]
    line = [registration.add_player(event, actor, name=f"Waits {n}") for n in range(4)]

    def act(n: int) -> str:
        if n < 2:
            registration.withdraw(Player.objects.select_related("event").get(pk=players[n].pk), actor)
            return "withdrew"
        return registration.add_player(Event.objects.get(pk=event.pk), actor, name=f"New {n}").status

    assert Counter(all_at_once(act)) == {"withdrew": 2, "waiting": PEOPLE - 2}
    moved_up = set(Player.objects.filter(status="registered").values_list("pk", flat=True))
    assert moved_up == {line[0].pk, line[1].pk}


def test_staff_and_player_checking_in_at_one_moment_leave_one_step() -> None:
    event, actor = make_event(), organizer()
    ann = registration.add_player(event, actor, name="Ann")
    events.open_check_in(event, actor)

    def check_in(n: int) -> str:
        player = Player.objects.select_related("event").get(pk=ann.pk)
        registration.check_in(player, actor if n % 2 else Actor.of_player(player))
        return "here"

    assert Counter(all_at_once(check_in)) == {"here": PEOPLE}
    assert LogEntry.objects.filter(action="checked_in").count() == 1


def test_many_who_come_late_at_once_and_one_bye_make_one_match_of_it() -> None:
    event, actor = started_event(5, swiss_rounds=4), organizer()
    running_round = rounds.publish_round(rounds.pair_next_round(event, actor), actor)

    def come(n: int) -> int:
        return registration.add_player(Event.objects.get(pk=event.pk), actor, name=f"Late {n}").entered_round

    assert Counter(all_at_once(come)) == {1: 1, 2: PEOPLE - 1}
    assert running_round.matches.filter(p2__isnull=False).count() == 3
    assert running_round.seats.count() == 5 + PEOPLE
