"""Signed out in the meantime: the sent values are shown again.

No part of a page becomes a sign-in form.
"""

from __future__ import annotations

import pytest
from django.test import Client

from tests.scenarios.factories import make_event
from tournament.events.models.event import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return make_event()


def test_page_leads_to_sign_in(client: Client, event: Event) -> None:
    answer = client.get(f"/console/{event.slug}/")
    assert (answer.status_code, answer["Location"]) == (302, f"/sign-in/?next=/console/{event.slug}/")


def test_form_is_shown_again_with_the_way_back_to_its_page(client: Client, event: Event) -> None:
    form_values = {
        "name": "Ada <&>",
        "local_rules": "No bells",
        "initial-name": "Bea",
        "revision": "3",
        "password1": "x",
    }
    page = f"http://testserver/console/{event.slug}/settings/?part=2"
    answer = client.post(f"/console/{event.slug}/settings/", form_values, headers={"referer": page})
    html = answer.content.decode()
    assert answer.status_code == 403
    assert "Name: Ada &lt;&amp;&gt;\nLocal rules: No bells</textarea>" in html
    assert f'/sign-in/?next=/console/{event.slug}/settings/%3Fpart%3D2%26typed%3Dagain"' in html


@pytest.mark.parametrize("page", ["https://elsewhere.example/", "javascript:alert(1)", ""])
def test_way_back_never_leaves_the_site(client: Client, event: Event, page: str) -> None:
    answer = client.post(f"/console/{event.slug}/prizes/", {"prizes": "1: x"}, headers={"referer": page})
    assert f'/sign-in/?next=/console/{event.slug}/prizes/%3Ftyped%3Dagain"' in answer.content.decode()


@pytest.mark.parametrize("method", ["get", "post"])
def test_part_of_a_page_is_refused_in_words(client: Client, event: Event, method: str) -> None:
    answer = getattr(client, method)(f"/console/{event.slug}/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer["X-Ringside-Why"]) == (403, "signed-out")
    assert answer.content == b"You are signed out. Nothing was changed."


def test_part_of_a_page_whose_key_is_too_old_says_so(event: Event) -> None:
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post(f"/console/{event.slug}/prizes/", {"prizes": "x"}, headers={"HX-Request": "true"})
    assert (answer.status_code, answer["X-Ringside-Why"]) == (403, "form-too-old")
