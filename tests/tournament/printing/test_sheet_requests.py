"""One shape of what is asked to be printed.

Address, API, job and rows lead to each other.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict
from django.utils import timezone

from decks.jobs.handlers import JobFailed
from decks.jobs.models import Job
from tests.everyday import each_case
from tests.scenarios.factories import organizer, publish_next, started_event
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.printing.registry import SHEETS
from tournament.printing.request import SHEET_JOB_KIND, SheetRequest
from tournament.printing.selectors import load_print_request
from tournament.printing.services import read_job_payload, request_sheet_pdf

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    event = started_event(4)
    publish_next(event)
    return event


def make_request(event: Event, **values: Any) -> SheetRequest:
    return SheetRequest(event.pk, "registration", "A4", **values)


@each_case(
    ("query", "values"),
    [
        ("", {}),
        ("round=1-1", {"stage": 1, "round": 1}),
        ("stage=1&round=1", {"stage": 1, "round": 1}),
        ("player=3", {"player": 3}),
        ("player=all", {}),
        ("player=blank", {"blank": True}),
        ("round=1-1&player=blank", {"stage": 1, "round": 1, "blank": True}),
    ],
    around=rolled_back,
)
def test_address_is_read_and_written(event: Event, query: str, values: dict[str, object]) -> None:
    sheet_request = SheetRequest.from_query(event, "registration", QueryDict(query))
    assert sheet_request == make_request(event, **values)
    assert (
        SheetRequest.from_query(event, "registration", QueryDict(sheet_request.to_query())) == sheet_request
    )
    assert SheetRequest.from_payload(sheet_request.to_payload()) == sheet_request


@each_case(
    "query",
    ["round=1-", "round=-1", "round=a-b", "stage=1", "player=x", "player=٣", "paper=A3"],
    around=rolled_back,
)
def test_address_that_names_nothing_is_refused(event: Event, query: str) -> None:
    with pytest.raises(ValueError, match=r"^\S*$"):
        SheetRequest.from_query(event, "registration", QueryDict(query))


def test_rows_lead_back_to_what_was_asked_with_the_round_that_it_is_about(event: Event) -> None:
    print_request = load_print_request(
        SHEETS["registration"], event, make_request(event, player=2), timezone.now()
    )
    assert print_request.player == event.players.get(number=2)
    assert print_request.to_request("registration") == make_request(event, player=2, stage=1, round=1)


def test_job_carries_the_request_and_one_of_the_same_state_is_used_again(event: Event) -> None:
    request = make_request(event, stage=1, round=1, base="https://example.org")
    job = request_sheet_pdf(organizer(), request)
    assert (job.kind, SheetRequest.from_payload(job.payload)) == (SHEET_JOB_KIND, request)
    sheet, print_request = read_job_payload(job.payload, timezone.now())
    assert print_request.to_request(sheet.key) == request
    assert job.key == request.job_key(Event.objects.get(pk=event.pk).version)
    assert request.job_key(1) != make_request(event, stage=1, round=1, base="https://example.com").job_key(1)


def test_job_of_before_that_says_less_is_still_read(event: Event) -> None:
    payload = {"event": event.pk, "sheet": "slips", "stage": None, "round": None, "paper": "A4"}
    _, print_request = read_job_payload(payload, timezone.now())
    assert (
        print_request.shown_round.number,
        print_request.player,
        print_request.is_blank,
        print_request.base,
    ) == (
        1,
        None,
        False,
        "",
    )


@each_case(
    "payload", [{}, {"event": "1"}, {"sheet": 3}, {"round": "1"}, {"player": True}], around=rolled_back
)
def test_job_with_values_of_another_kind_is_refused(event: Event, payload: dict[str, object]) -> None:
    whole = {"event": event.pk, "sheet": "slips", **payload} if payload else {}
    with pytest.raises(ValueError, match=r"^\w+$"):
        SheetRequest.from_payload(whole)


@pytest.mark.parametrize(
    ("payload", "code"),
    [
        ({"event": 0}, "event_gone"),
        ({"stage": 1, "round": 9}, "round_gone"),
        ({"sheet": "registration", "player": 99}, "player_gone"),
    ],
)
def test_job_about_what_is_gone_says_so(event: Event, payload: dict[str, object], code: str) -> None:
    job = Job(payload={**SheetRequest(event.pk, "slips", "A4").to_payload(), **payload})
    with pytest.raises(JobFailed) as excinfo:
        read_job_payload(job.payload, timezone.now())
    assert excinfo.value.why.code == code
