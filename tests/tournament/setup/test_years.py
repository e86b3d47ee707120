"""Times near the ends of the calendar are refused wherever an event comes in."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from django.core.exceptions import ValidationError
from django.db import models
from django.test import Client
from django.urls import reverse

from decks.shared.refusals import Refused
from tests.everyday import each_case, each_nth
from tests.scenarios.factories import make_event, organizer, sign_in_organizer
from tests.scenarios.rollback import rolled_back
from tests.tournament.setup.test_concurrent_forms import open_form
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.archive.tables import list_archived_models
from tournament.archive.values import clean_value, own_fields
from tournament.events.models.event import Event

pytestmark = pytest.mark.django_db

FAR = ("0001-01-01T00:00", "1899-12-31T12:00", "3000-01-01T12:00", "9999-12-31T23:59")
NEAR = ("1900-01-01T00:00", "2999-12-31T23:59")
ZONES = ("America/New_York", "Pacific/Kiritimati", "Asia/Tokyo", "UTC")
FIELDS = ("starts_at", "decklists_due_at")


CASES = each_nth(7, [(field, zone, day) for field in FIELDS for zone in ZONES for day in FAR])


@pytest.fixture
def event() -> Event:
    return make_event()


@pytest.fixture
def desk(event: Event) -> Client:
    return sign_in_organizer()


@pytest.fixture
def form(event: Event, desk: Client) -> dict[str, str]:
    """Return what the form of the settings shows."""
    return open_form(desk, f"/console/{event.slug}/settings/")


@each_case("field, zone, day", CASES, around=rolled_back)
def test_form_refuses_a_far_year_at_its_field(
    event: Event, desk: Client, form: dict[str, str], field: str, zone: str, day: str
) -> None:
    answer = desk.post(f"/console/{event.slug}/settings/", {**form, "time_zone": zone, field: day})
    assert list(answer.context["form"].errors) == [field]
    assert Event.objects.get(pk=event.pk).version == event.version


@each_case("day", FAR, around=rolled_back)
def test_copy_refuses_a_far_year_at_its_field(event: Event, desk: Client, day: str) -> None:
    answer = desk.post(reverse("console_copy", args=[event.slug]), {"name": "Copy", "starts_at": day})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["starts_at"])
    assert Event.objects.count() == 1


@each_case("field, zone, day", CASES, around=rolled_back)
def test_api_refuses_a_far_year_by_its_code(
    event: Event, desk: Client, field: str, zone: str, day: str
) -> None:
    for method, address, values in (
        (desk.patch, f"/api/events/{event.slug}/", {"time_zone": zone, field: f"{day}:00Z"}),
        (desk.post, f"/api/events/{event.slug}/copies/", {"starts_at": f"{day}:00Z"}),
    ):
        answer = method(address, values, content_type="application/json")
        codes = [problem["code"] for problem in answer.json()["problems"]]
        assert (answer.status_code, codes) == (400, ["year_out_of_range"])


@each_case("zone, day", each_nth(3, [(zone, day) for zone in ZONES for day in NEAR]), around=rolled_back)
def test_years_between_are_saved_and_shown(
    event: Event, desk: Client, form: dict[str, str], zone: str, day: str
) -> None:
    address = f"/console/{event.slug}/settings/"
    changed_values = {"time_zone": zone, "starts_at": day, "decklists_due_at": day}
    assert desk.post(address, {**form, **changed_values}).status_code == 302
    assert open_form(desk, address)["starts_at"] == day
    pages = ("/", f"/e/{event.slug}/", f"/api/events/{event.slug}/")
    assert [desk.get(page).status_code for page in pages] == [200, 200, 200]


@each_case("day", FAR)
def test_archive_with_a_far_year_is_refused_in_every_column(day: str) -> None:
    accepted_fields = []
    for model in (Event, *list_archived_models()):
        for field in own_fields(model):
            if isinstance(field, models.DateField):
                value = f"{day}:00+00:00" if isinstance(field, models.DateTimeField) else day[:10]
                with suppress(ValidationError):
                    clean_value(field, value)
                    accepted_fields.append(f"{model.__name__}.{field.name}")
    assert accepted_fields == []


def test_archive_whose_event_starts_in_a_far_year_is_refused_as_a_whole(event: Event) -> None:
    document = json.loads(json.dumps(export_event(event)))
    document["event"]["starts_at"] = datetime(9999, 12, 31, 23, 59, tzinfo=UTC).isoformat()
    with pytest.raises(Refused):
        restore_event(json.dumps(document), organizer())
    assert Event.objects.count() == 1
