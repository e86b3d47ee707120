"""Cached events.

They are the same to the last row, and never take the place of changes by a test.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction

from tests import machine
from tests.fixtures.kept_rows import all_tables
from tests.scenarios.event_cache import memory
from tests.scenarios.factories import organizer, play_round, publish_next, started_event
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.registration import services as registration
from tournament.shared.hashes import new_seed

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(machine.whole(), reason="nothing is remembered in the whole run"),
]


def played_and_taken_back(steps: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return all rows and the in-memory state of the event after these steps.

    Afterwards there is nothing.
    """
    with transaction.atomic():
        event = started_event(5)
        if steps == 2:
            play_round(event)
        in_memory = {name: value for name, value in vars(event).items() if name != "_state"}
        tables = all_tables()
        transaction.set_rollback(True)
    return tables, in_memory


@pytest.mark.parametrize("steps", [1, 2])
def test_an_event_that_is_asked_for_again_is_the_same_to_the_last_row(steps: int) -> None:
    memory.events_by_steps.clear()
    built_table, again = played_and_taken_back(steps), played_and_taken_back(steps)
    assert again[0] == built_table[0]
    assert again[1]["version"] == built_table[1]["version"]
    assert len(memory.events_by_steps) == 1 + steps


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


def test_who_may_replace_code_is_given_nothing_remembered() -> None:
    memory.go_on(["monkeypatch"])
    memory.events_by_steps.clear()
    started_event(5)
    assert memory.events_by_steps == {}


def test_draws_after_an_event_are_the_same_whether_it_was_built_or_not() -> None:
    memory.events_by_steps.clear()
    seeds = []
    for _ in range(2):
        with transaction.atomic():
            seeds.append((started_event(5).seed, new_seed(), new_seed()))
            transaction.set_rollback(True)
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 3
