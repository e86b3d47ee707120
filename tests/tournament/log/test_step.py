"""The event that a step leaves to its caller."""

from __future__ import annotations

import pytest

from tests.scenarios.factories import make_event, organizer
from tournament.events.models.event import Event
from tournament.log.step import increment_version, step

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def values_of(event: Event) -> dict[str, object]:
    return {field.attname: getattr(event, field.attname) for field in Event._meta.concrete_fields}


def test_event_of_a_caller_has_the_values_that_a_step_wrote_by_another_instance() -> None:
    event = make_event()
    version = event.version
    with step(event, organizer()) as recorder:
        recorder.update(Event.objects.get(pk=event.pk), name="Harbour Cup")
        recorder.log("event_changed")
    assert (event.name, event.version) == ("Harbour Cup", version + 1)
    assert values_of(event) == values_of(Event.objects.get(pk=event.pk))


def test_event_of_a_caller_has_the_values_that_a_step_wrote_for_many_rows() -> None:
    event = make_event()
    with step(event, organizer()) as recorder:
        recorder.update_all(Event, {event.pk: {"name": "Harbour Cup"}})
        recorder.log("event_changed")
    assert event.name == "Harbour Cup"
    assert values_of(event) == values_of(Event.objects.get(pk=event.pk))


def test_event_that_is_older_than_the_step_becomes_current() -> None:
    event = make_event()
    old_event = Event.objects.get(pk=event.pk)
    for place, each in (("Town hall", event), ("School", old_event)):
        with step(each, organizer()) as recorder:
            recorder.update(recorder.event, place=place)
            recorder.log("event_changed")
    assert old_event.version == event.version + 1
    assert values_of(old_event) == values_of(Event.objects.get(pk=event.pk))


def test_step_that_changes_nothing_leaves_the_version() -> None:
    event = make_event()
    version = event.version
    with step(event, organizer()):
        pass
    assert (event.version, Event.objects.get(pk=event.pk).version) == (version, version)


def test_version_that_something_else_raises_within_a_step_undoes_the_step() -> None:
    event = make_event()
    version = event.version
    with pytest.raises(AssertionError):
        change_beside_another_step(event)
    assert Event.objects.get(pk=event.pk).version == version


def change_beside_another_step(event: Event) -> None:
    with step(event, organizer()) as recorder:
        recorder.update(recorder.event, place="School")
        recorder.log("event_changed")
        increment_version(Event.objects.get(pk=event.pk))
