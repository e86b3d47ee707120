"""My events.

Each is shown with game, format, state and next step, by a fixed number of queries.
"""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.scenarios.factories import (
    add_players,
    make_event,
    open_matches,
    organizer,
    publish_next,
    started_event,
    win,
)
from tournament.desk.my_events import EventRow, list_my_events
from tournament.desk.selectors import get_overview
from tournament.events.models.event import Event
from tournament.registration import services as registration
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


def row_of(event: Event) -> EventRow:
    return next(
        row for row in list_my_events(event.staff.get().user).current_events if row.event.pk == event.pk
    )


def test_a_row_names_game_and_format() -> None:
    row = row_of(make_event())
    assert (row.game, row.format, row.player_count) == ("Universal Fighting System", "Constructed", 0)


@pytest.mark.both_databases
def test_the_next_step_of_each_state_is_that_of_the_overview() -> None:
    event = make_event(swiss_rounds=1)
    steps: list[tuple[object, ...]] = []

    def look() -> None:
        fresh = Event.objects.get(pk=event.pk)
        step = row_of(event).step
        assert step == get_overview(fresh).step
        steps.append((step.url_name, *step.args[1:]))

    look()
    players = add_players(event, 4)
    look()
    events.open_check_in(event, organizer())
    registration.check_in(players[0], organizer())
    registration.withdraw(players[3], organizer())
    look()
    events.start_event(event, organizer())
    look()
    published_round = publish_next(event)
    look()
    for match in open_matches(published_round):
        win(match)
    look()
    events.finish_event(event, organizer())
    look()
    assert steps == [
        ("console_step", "open-check-in"),
        ("console_step", "open-check-in"),
        ("console_start",),
        ("console_pair",),
        ("console_round", 1, 1),
        ("console_step", "finish"),
        ("report",),
    ]


def test_the_page_takes_as_many_queries_for_one_event_as_for_many() -> None:
    first = started_event(4, swiss_rounds=2)
    publish_next(first)
    user = first.staff.get().user
    client = Client()
    client.force_login(user)
    client.get(reverse("console"))

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(reverse("console")).status_code == 200
        return len(queries)

    alone = count()
    for number in range(3):
        another = started_event(6, name=f"Night {number}", swiss_rounds=2)
        publish_next(another)
    events.archive_event(make_event(name="Old"), organizer())
    assert count() == alone
