"""Cached events.

They are the same to the last row, and never take the place of changes by a test.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests import machine
from tests.fixtures.databases import clear_row_caches
from tests.fixtures.kept_rows import all_tables
from tests.scenarios.event_cache import AGE, memory
from tests.scenarios.factories import make_event, organizer, play_round, publish_next, started_event
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.registration import services as registration
from tournament.results import row_html
from tournament.shared.hashes import new_seed

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(machine.whole(), reason="nothing is remembered in the whole run"),
]


def played_and_taken_back(steps: int, name: str = "Spring Open") -> tuple[dict[str, Any], dict[str, Any]]:
    """Return all rows and the in-memory state of the event after these steps.

    Afterwards there is nothing.
    """
    with transaction.atomic():
        event = started_event(5, name=name)
        if steps == 2:
            play_round(event)
        in_memory = {name: value for name, value in vars(event).items() if name != "_state"}
        tables = all_tables()
        transaction.set_rollback(True)
    return tables, in_memory


def forget() -> None:
    memory.tables_by_steps.clear()
    memory.last_step_by_steps.clear()


@pytest.mark.parametrize("steps", [1, 2])
def test_an_event_that_is_asked_for_again_is_the_same_to_the_last_row(steps: int) -> None:
    # Another process may build the organizer at this moment. From now on it is that of one of them.
    played_and_taken_back(steps)
    forget()
    # No other process has built an event of this name.
    name = f"Event {steps} of {os.getpid()}"
    built_table, built_count = played_and_taken_back(steps, name), len(memory.last_step_by_steps)
    again = played_and_taken_back(steps, name)
    assert len(memory.last_step_by_steps) == built_count
    forget()
    from_file = played_and_taken_back(steps, name)
    assert again[0] == from_file[0] == built_table[0]
    assert again[1]["version"] == from_file[1]["version"] == built_table[1]["version"]


def test_an_event_is_older_than_any_run_of_the_suite() -> None:
    last_entry = started_event(5).log.order_by("pk").last()
    assert last_entry is not None
    assert timezone.now() - last_entry.at >= AGE


def test_what_is_built_at_another_time_is_not_cached() -> None:
    def make() -> Event:
        with time_machine.travel(timezone.now() - timedelta(days=7)):
            return make_event(name=name)

    name = f"Event of last week, {os.getpid()}"
    organizer()
    memory.build_once(("last week", name), make)
    cached_keys = [repr(steps[-1]) for steps in memory.last_step_by_steps if name in repr(steps)]
    assert cached_keys == [repr(("last week", name))]


def test_a_round_after_a_drop_is_not_the_cached_one() -> None:
    played_and_taken_back(2)
    event = started_event(5)
    registration.drop(event.players.select_related("event").get(number=5), organizer())
    round_ = play_round(Event.objects.get(pk=event.pk))
    assert [(match.p1_id, match.p2_id) for match in round_.matches.filter(outcome="bye")] == []
    assert round_.matches.count() == 2


def test_a_step_after_what_was_taken_back_is_built() -> None:
    event = started_event(5)
    with transaction.atomic():
        publish_next(event)
        transaction.set_rollback(True)
    assert Round.objects.count() == 0
    assert publish_next(Event.objects.get(pk=event.pk)).number == 1
    assert Round.objects.count() == 1


def test_draws_after_an_event_are_the_same_whether_it_was_built_or_not() -> None:
    forget()
    seeds = []
    for _ in range(2):
        with transaction.atomic():
            seeds.append((started_event(5).seed, new_seed(), new_seed()))
            transaction.set_rollback(True)
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 3


def test_who_has_replaced_something_is_given_nothing_remembered(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    def is_remembered() -> bool:
        forget()
        with transaction.atomic():
            started_event(5)
            transaction.set_rollback(True)
        return bool(memory.last_step_by_steps)

    assert is_remembered()
    monkeypatch.setattr(registration, "drop", None)
    assert not is_remembered()
    monkeypatch.undo()
    with CaptureQueriesContext(connection):
        assert not is_remembered()
    assert is_remembered()
    settings.BASE_URL = "https://ringside.example"
    assert not is_remembered()


@pytest.mark.django_db(transaction=True)
@pytest.mark.one_database("outside of a transaction, events are cached on SQLite alone")
def test_a_round_after_the_write_of_another_thread_is_built() -> None:
    event = started_event(5)
    with ThreadPoolExecutor(1) as pool:
        pool.submit(drop_number_5_elsewhere, event.pk).result()
    event = Event.objects.get(pk=event.pk)
    assert play_round(event).matches.filter(outcome="bye").count() == 0


def drop_number_5_elsewhere(event_id: int) -> None:
    player = Event.objects.get(pk=event_id).players.select_related("event").get(number=5)
    registration.drop(player, organizer())
    connection.close()


def test_next_event_with_the_key_of_an_earlier_one_finds_nothing_of_it() -> None:
    row_html._patterns.put(("spring-open",), "<tr>")
    clear_row_caches()
    assert row_html._patterns.keys() == []
