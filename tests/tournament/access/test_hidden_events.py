"""Events in preparation.

At any address, such an event cannot be distinguished from one that does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from django.template.backends.django import Template
from django.test import Client

from tests import machine
from tests.fixtures.databases import clear_row_caches
from tests.scenarios.factories import SETTINGS
from tests.tournament.access.marked_event import MarkedEvent
from tests.tournament.access.test_bodies import GUEST, client_of, read, silent
from tests.tournament.access.test_rights import ELSEWHERE, routes
from tournament.access.permissions import NO_EVENT

pytestmark = pytest.mark.django_db
__all__ = ["silent"]

EVENT_ADDRESS = re.compile(r"<slug:slug>|<slug:event>")
# The part of a page that differs each time: the key of its forms.
KEY = re.compile(r"\b\w{64}\b")


def answer(client: Client, method: str, route: str, address: str, slug: str) -> tuple[int, str]:
    """Return status and body, without the name of the event in the address."""
    status, body = read(client, method, route, address)
    return status, KEY.sub("", body.replace(slug, "SLUG").replace(slug.upper(), "SLUG"))


def describe_page(template: Template, context: Mapping[str, Any] | None = None, request: Any = None) -> str:
    """Say of what a page is made instead of making it."""
    return f"{template.template.name} { ({name: str(value) for name, value in (context or {}).items()}) }"


@pytest.fixture(autouse=True)
def no_described_page_is_kept() -> Iterator[None]:
    """Clear what was kept of pages that were not made."""
    yield
    clear_row_caches()


PUBLIC = pytest.param("public", marks=pytest.mark.whole("a keeper may look at more pages"))


@pytest.mark.parametrize("identity", [PUBLIC, GUEST, "keeper"])
def test_hidden_event_answers_like_one_that_does_not_exist(
    identity: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    marked_event = MarkedEvent()
    hidden_text, missing_slug = marked_event.hidden_event.slug, "x" * len(marked_event.hidden_event.slug)
    client, texts = client_of(identity, marked_event), []
    if not machine.whole():
        monkeypatch.setattr(Template, "render", describe_page)
    for route, methods in sorted(routes().items()):
        if "leagues/" in route or not EVENT_ADDRESS.search(route):
            continue
        address = next(marked_event.addresses(route))
        for method in methods:
            first, second = (
                answer(client, method, route, address.replace(marked_event.event.slug, slug), slug)
                for slug in (hidden_text, missing_slug)
            )
            if first != second:
                texts.append(f"{method} {route}: {first} {second}"[:300])
    assert texts == []


def test_hidden_event_cannot_be_put_into_a_league_by_others() -> None:
    marked_event = MarkedEvent()
    client = client_of(ELSEWHERE, marked_event)
    league = client.post("/api/leagues/", {"name": "Mine"}, content_type="application/json").json()
    answers = [
        client.post(
            f"/api/leagues/{league['slug']}/events/", {"event": slug}, content_type="application/json"
        )
        for slug in (marked_event.hidden_event.slug, "there-is-none")
    ]
    assert [(each.status_code, each.json()) for each in answers] == [(404, answers[0].json())] * 2
    assert answers[0].json()["problems"][0]["sentence"] == NO_EVENT


def test_sheet_of_a_hidden_event_answers_like_one_that_does_not_exist() -> None:
    marked_event = MarkedEvent()
    job = marked_event.jobs[0]
    job.payload = {**job.payload, "event": marked_event.hidden_event.pk}
    job.save()
    for identity in ("public", ELSEWHERE):
        client = client_of(identity, marked_event) if identity == "public" else Client()
        for page in ("", "sheet.pdf"):
            address, nothing = (
                f"/print/jobs/{key}/{page}" for key in (job.pk, "00000000-0000-4000-8000-000000000000")
            )
            (status, body), (wanted_status, sheet_path) = (
                read(client, "get", "print", a) for a in (address, nothing)
            )
            # The page names its own address, so that a reader comes back from choosing a language.
            assert (status, body.replace(address, nothing)) == (wanted_status, sheet_path)


def test_hidden_event_is_shown_to_its_own_staff() -> None:
    marked_event = MarkedEvent()
    client = Client()
    client.force_login(marked_event.olga.user)
    response = client.get(f"/console/{marked_event.hidden_event.slug}/log/")
    assert (response.status_code, SETTINGS["name"] in response.content.decode()) == (200, False)
