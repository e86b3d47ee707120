"""The invitation to register on the console while registration is open."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.scenarios.factories import add_players, make_event, started_event
from tournament.events.models.event import Event

pytestmark = pytest.mark.django_db


def overview(event: Event) -> str:
    client = Client()
    client.force_login(event.staff.get().user)
    return client.get(reverse("console_event", args=[event.slug])).content.decode()


def test_the_day_shows_the_address_that_phones_reach_and_its_code(settings):
    settings.BASE_URL = "http://192.168.1.20:8000"
    event = make_event()

    page = overview(event)

    assert f'value="http://192.168.1.20:8000/e/{event.slug}/register/"' in page
    assert f'src="/e/{event.slug}/register.png"' in page


def test_one_player_is_registered_in_the_singular():
    event = make_event()
    add_players(event, 1)

    assert "1 player is registered. Open check-in when the venue opens." in overview(event)


def test_no_player_is_invited_after_the_start():
    assert "Registration link" not in overview(started_event(4))


def test_the_code_is_a_public_picture():
    answer = Client().get(reverse("register_code", args=[make_event().slug]))

    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert answer.content.startswith(b"\x89PNG")


def test_there_is_no_code_before_registration_opens():
    event = make_event(open_registration=False)

    assert Client().get(reverse("register_code", args=[event.slug])).status_code == 404


def test_a_private_link_written_on_the_organizers_own_machine_is_one_for_phones(settings):
    settings.BASE_URL = "http://192.168.1.20:8000"
    player = add_players(make_event(), 1)[0]

    page = Client().get(reverse("player", args=[player.token])).content.decode()

    assert f"http://192.168.1.20:8000/p/{player.token}/" in page
