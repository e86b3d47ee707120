"""Printouts and pages of a round after publishing.

A worker prepares the printouts of the round and opens its pages.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from decks.jobs.models import Job
from tests.scenarios.factories import organizer, sign_in_organizer, started_event
from tournament.pairing.services.rounds import pair_next_round
from tournament.printing import first_visit, tasks
from tournament.printing.request import SHEET_JOB_KIND, SheetRequest, get_paper_size
from tournament.printing.services import request_sheet_pdf

pytestmark = pytest.mark.django_db
BASE = "http://testserver"


class FakeRun:
    """A run of the job with its payload."""

    def __init__(self, payload: dict[str, object]) -> None:
        self.payload = payload

    def read_number(self, name: str) -> object:
        """Return a number of the payload."""
        return self.payload[name]

    read_text = read_number


def test_the_print_button_finds_the_sheets_of_a_published_round(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = started_event(4)
    pair_next_round(event, organizer())
    sign_in_organizer(client)
    client.post(reverse("console_draft", args=[event.slug, 1, 1, "publish"]), {"confirm": "1"})
    (warming,) = Job.objects.filter(kind="warm_round")
    opened_addresses: list[str] = []
    monkeypatch.setattr(first_visit, "_open", lambda address, language: opened_addresses.append(address))
    tasks.warm_round(FakeRun(warming.payload))
    (prepared_job,) = Job.objects.filter(kind=SHEET_JOB_KIND)
    sheet_request = SheetRequest(event.pk, "round-pack", get_paper_size(event), 1, 1, base=BASE)
    assert request_sheet_pdf(organizer(), sheet_request) == prepared_job
    assert opened_addresses[0] == f"http://127.0.0.1:80/e/{event.slug}/"
    assert len(opened_addresses) == 3


def test_a_server_that_does_not_answer_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    event = started_event(2)

    def refuse(address: str, language: str) -> None:
        raise ConnectionRefusedError(address)

    monkeypatch.setattr(first_visit, "_open", refuse)
    first_visit.open_public_pages(event, BASE)
