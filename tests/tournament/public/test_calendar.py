"""Events as calendars to subscribe to."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client

from tests.scenarios.factories import make_event, organizer
from tournament.public.calendar import build_calendar
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

STARTS = datetime(2027, 3, 6, 9, 0, tzinfo=UTC)


def test_event_is_an_entry_with_its_start_in_utc_and_its_place() -> None:
    event = make_event(name="Cup; one, two", starts_at=STARTS, time_zone="Europe/Berlin", place="Hall A, 12")
    answer = Client().get(f"/e/{event.slug}/calendar.ics")
    lines = answer.content.decode().split("\r\n")
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    assert {"DTSTART:20270306T090000Z", "SUMMARY:Cup\\; one\\, two", "LOCATION:Hall A\\, 12"} <= set(lines)


def test_long_lines_are_folded_between_letters() -> None:
    event = make_event(name="Donau" * 20 + "ü" * 40)
    text = build_calendar([event], "https://x.example", STARTS)
    lines = text.split("\r\n")
    assert max(len(line.encode()) for line in lines) <= 75
    assert f"SUMMARY:{event.name}" in text.replace("\r\n ", "")


def test_calendar_of_all_events_leaves_out_those_in_preparation() -> None:
    event = make_event(name="Shown")
    events.create_event(organizer(), **_values(event), name="Hidden", open_registration=False)
    text = Client().get("/calendar.ics").content.decode()
    assert 'href="/calendar.ics"' in Client().get("/").content.decode()
    assert ("SUMMARY:Shown" in text, "SUMMARY:Hidden" in text) == (True, False)


def _values(event: object) -> dict[str, object]:
    names = ("starts_at", "time_zone", "game", "format", "rules_version", "match_form", "round_minutes")
    return {name: getattr(event, name) for name in names}
