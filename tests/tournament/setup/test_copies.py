"""Copies of an event for its next night.

They have its settings, plan and staff, but no players or rounds.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from decks.shared.refusals import Refused
from tests.everyday import each_case
from tests.scenarios.factories import add_players, make_event, make_user, organizer, play_round, started_event
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event, StaffRole
from tournament.screens.models import EmbeddingSite
from tournament.setup.services import events
from tournament.setup.services.copies import FURTHER_FIELDS, copy_event, suggest_name, suggest_start
from tournament.setup.services.extra_round import add_round

pytestmark = pytest.mark.django_db

NEXT = datetime(2026, 5, 9, 9, 0, tzinfo=UTC)
# Values that a copy has of its own; everything else of an event is set up by its organizer and copied.
OWN = {
    "id", "slug", "name", "starts_at", "phase", "seed", "version", "is_demo", "archived_at",
    "exported_version", "created_at", "decklists_due_at",
}  # fmt: skip


def test_every_column_of_an_event_is_copied_or_its_own() -> None:
    columns = {field.name for field in Event._meta.concrete_fields}
    assert columns == OWN | set(FURTHER_FIELDS) | (set(events.EDITABLE_FIELDS) - {"name", "starts_at"} - OWN)


def test_a_copy_has_the_settings_and_no_players() -> None:
    event = make_event(cut="top", cut_size=4, capacity=16, hall="Blue room", language="de")
    Event.objects.filter(pk=event.pk).update(prizes=[{"place": 1, "words": "A mat"}], paper="Letter")
    event.refresh_from_db()
    add_players(event, 4)
    night = copy_event(event, organizer(), name="Spring Open", starts_at=NEXT, open_registration=True)
    columns = [field.name for field in Event._meta.concrete_fields]
    assert {name for name in columns if getattr(night, name) != getattr(event, name)} == {
        "id", "slug", "starts_at", "seed", "version", "created_at",
    }  # fmt: skip
    assert (night.slug, night.phase, night.players.count(), night.stages.count()) == (
        "spring-open-2026", "registration", 0, 0,
    )  # fmt: skip
    assert [words_of(line) for line in night.log.all()] == [
        "olga@example.org copied the event from Spring Open."
    ]


def test_a_copy_has_the_rounds_that_were_planned_not_those_that_were_played() -> None:
    event = started_event(6)
    assert event.swiss_rounds == 3
    add_round(event, organizer())
    assert Event.objects.get(pk=event.pk).swiss_rounds == 4
    copied_event = copy_event(event, organizer(), name="Next", starts_at=NEXT)
    assert (copied_event.swiss_rounds, copied_event.phase) == (None, "preparing")


def test_an_added_round_of_a_plan_is_not_copied() -> None:
    plan = [{"kind": "swiss", "rounds": 2}, {"kind": "single", "size": 2}]
    event = started_event(6, plan=plan)
    play_round(event)
    add_round(event, organizer())
    copied_event = copy_event(event, organizer(), name="Next", starts_at=NEXT)
    assert ([stage.get("rounds") for stage in copied_event.plan], copied_event.swiss_rounds) == ([2, None], 2)


def test_the_decklist_deadline_moves_with_the_start_by_the_clock_of_the_venue() -> None:
    start = datetime(2026, 10, 21, 17, 0, tzinfo=UTC)
    event = make_event(starts_at=start, decklists_required=True, decklists_due_at=start - timedelta(hours=25))
    # Summer time ends on 25 October.
    later = datetime(2026, 10, 28, 18, 0, tzinfo=UTC)
    copied_event = copy_event(event, organizer(), name="Next", starts_at=later)
    assert copied_event.decklists_due_at == later - timedelta(hours=25)


def test_the_suggested_start_is_the_same_hour_of_the_next_week_to_come() -> None:
    event = make_event(starts_at=datetime(2026, 10, 21, 17, 0, tzinfo=UTC))
    with time_machine.travel("2026-10-21T22:00+00:00", tick=False):
        assert suggest_start(event) == datetime(2026, 10, 28, 18, 0, tzinfo=UTC)
    with time_machine.travel("2026-11-20T22:00+00:00", tick=False):
        assert suggest_start(event) == datetime(2026, 11, 25, 18, 0, tzinfo=UTC)
    with time_machine.travel("2026-10-01T22:00+00:00", tick=False):
        assert suggest_start(event) == datetime(2026, 10, 28, 18, 0, tzinfo=UTC)


@each_case(
    ("name", "next_name"),
    [("Tuesday 12", "Tuesday 13"), ("Week #9", "Week #10"), ("Night 09", "Night 10"),
     ("Open 2026", "Open 2026"), ("Spring Open", "Spring Open")], around=rolled_back,
)  # fmt: skip
def test_the_suggested_name_has_the_next_number(name: str, next_name: str) -> None:
    assert suggest_name(Event(name=name)) == next_name


@pytest.mark.both_databases
def test_staff_come_along_only_where_asked() -> None:
    event = make_event()
    judge = make_user("judy@example.org")
    StaffRole.objects.create(event=event, user=judge, kind=StaffRole.Kind.JUDGE)
    EmbeddingSite.objects.create(event=event, origin="https://club.example")
    alone = copy_event(event, organizer(), name="Alone", starts_at=NEXT)
    with_staff = copy_event(event, organizer(), name="Together", starts_at=NEXT, with_staff=True)
    owner = ("olga@example.org", "owner")
    assert list(alone.staff.values_list("user__username", "kind")) == [owner]
    assert set(with_staff.staff.values_list("user__username", "kind")) == {
        owner,
        ("judy@example.org", "judge"),
    }
    assert [site.origin for site in with_staff.embedding_sites.all()] == ["https://club.example"]


def test_a_co_organizer_owns_the_copy_that_they_make() -> None:
    event = make_event()
    carla = make_user("carla@example.org")
    StaffRole.objects.create(event=event, user=carla, kind=StaffRole.Kind.ORGANIZER)
    client = Client()
    client.force_login(carla)
    answer = client.post(
        reverse("console_copy", args=[event.slug]),
        {"name": "Carla’s night", "starts_at": "2026-05-09T11:00", "with_staff": "on"},
    )
    copied_event = Event.objects.get(name="Carla’s night")
    assert (answer.status_code, answer["Location"]) == (
        302,
        reverse("console_event", args=[copied_event.slug]),
    )
    assert copied_event.starts_at == NEXT
    assert set(copied_event.staff.values_list("user__username", "kind")) == {
        ("olga@example.org", "owner"), ("carla@example.org", "owner"),
    }  # fmt: skip


def test_a_copy_without_a_name_is_refused_at_its_field() -> None:
    event = make_event()
    client = Client()
    client.force_login(event.staff.get().user)
    answer = client.post(reverse("console_copy", args=[event.slug]), {"name": " ", "starts_at": "soon"})
    assert (answer.status_code, sorted(answer.context["form"].errors)) == (422, ["name", "starts_at"])
    with pytest.raises(Refused) as refusal:
        copy_event(event, organizer(), name=" ", starts_at=NEXT)
    assert (refusal.value.code, Event.objects.count()) == ("name_missing", 1)


def test_the_api_copies_with_the_next_name_and_week() -> None:
    event = make_event(name="Tuesday 3", starts_at=timezone.now().replace(microsecond=0))
    client = Client()
    client.force_login(event.staff.get().user)
    answer = client.post(reverse("api_copies", args=[event.slug]), {}, content_type="application/json")
    body = answer.json()
    assert (answer.status_code, body["name"], body["phase"]) == (201, "Tuesday 4", "preparing")
    assert Event.objects.get(slug=body["slug"]).starts_local.replace(tzinfo=None) == (
        event.starts_local.replace(tzinfo=None) + timedelta(days=7)
    )
