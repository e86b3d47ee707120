"""An archived event.

It leaves the lists of events, its pages stay, and it can be brought back.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import make_event, make_user, organizer
from tests.scenarios.log_words import words_of
from tournament.desk.my_events import list_my_events
from tournament.events.models.event import Event, StaffRole
from tournament.log.services import undo_step
from tournament.public.selectors import list_home_events
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


def signed_in(event: Event) -> Client:
    client = Client()
    client.force_login(event.staff.get().user)
    return client


def names_of(event: Event) -> tuple[list[str], list[str]]:
    mine = list_my_events(event.staff.get().user)
    return [row.event.name for row in mine.current_events], [row.event.name for row in mine.archived_events]


def test_an_archived_event_leaves_the_lists_and_its_pages_stay() -> None:
    event = make_event()
    client = signed_in(event)
    answer = client.post(reverse("console_archive", args=[event.slug]))
    assert (answer.status_code, answer["Location"]) == (302, reverse("console"))
    assert names_of(event) == ([], ["Spring Open"])
    home = list_home_events()
    assert (home.now, home.upcoming_events, home.past_events) == ([], [], [])
    assert Client().get(reverse("api_events")).json()["results"] == []
    assert [each["slug"] for each in client.get(reverse("api_events")).json()["results"]] == [event.slug]
    assert Client().get(reverse("event", args=[event.slug])).status_code == 200
    assert client.get(reverse("console_event", args=[event.slug])).status_code == 200


def test_an_archived_event_is_brought_back_from_its_fold() -> None:
    event = make_event()
    events.archive_event(event, organizer())
    client = signed_in(event)
    address = reverse("console_archive", args=[event.slug])
    assert f'action="{address}"' in client.get(reverse("console")).content.decode()
    client.post(address, {"back": "1"})
    assert names_of(event) == (["Spring Open"], [])
    assert [words_of(line) for line in event.log.all()][:2] == [
        "olga@example.org brought the archived event back.",
        "olga@example.org archived the event.",
    ]


def test_archiving_twice_is_one_step_and_can_be_undone() -> None:
    event = make_event()
    before = state_of(event)
    for _ in range(2):
        events.archive_event(event, organizer())
    undo_step(event.log.get(action="event_archived"), organizer())
    assert state_of(event) == before


def test_the_api_archives_and_brings_back() -> None:
    event = make_event()
    client = signed_in(event)
    for step, is_archived in (("archive", True), ("unarchive", False)):
        answer = client.post(
            reverse("api_step", args=[event.slug, step]), {}, content_type="application/json"
        )
        assert (answer.status_code, answer.json()["archived_at"] is not None) == (200, is_archived)


def test_a_judge_sees_the_fold_without_a_button() -> None:
    event = make_event()
    judge = make_user("judy@example.org")
    StaffRole.objects.create(event=event, user=judge, kind=StaffRole.Kind.JUDGE)
    events.archive_event(event, organizer())
    client = Client()
    client.force_login(judge)
    page = client.get(reverse("console")).content.decode()
    assert event.name in page
    assert reverse("console_archive", args=[event.slug]) not in page
