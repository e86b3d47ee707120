"""A diversity event in which staff added players without a character.

Every page still opens and says so.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.everyday import each_case
from tests.scenarios.factories import built_once, make_event, organizer, play_round, sign_in_organizer
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.registration import services as registration
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    """Four players without a character, after the only round."""
    event = make_event(cut="diversity", cut_size=2, swiss_rounds=1)
    for name in ("Alice", "Bob", "Carol", "Dave"):
        registration.add_player(event, organizer(), name=name)
    events.start_event(event, organizer())
    play_round(event)
    return event


@each_case(
    "page",
    ["console_cut", "console_standings", "console_event", "cut", "standings", "event"],
    around=rolled_back,
)
def test_pages_open_without_characters(event: Event, client: Client, page: str) -> None:
    sign_in_organizer(client)
    assert client.get(reverse(page, args=[event.slug])).status_code == 200


def test_the_console_names_who_declared_none(event: Event, client: Client) -> None:
    sign_in_organizer(client)
    page = client.get(reverse("console_cut", args=[event.slug])).content.decode()
    [names] = re.findall(r"needs every character \(UFS 100\.5\.1\)\. Missing for: ([\w, ]+)\.", page)
    assert sorted(re.split(", | and ", names)) == ["Alice", "Bob", "Carol", "Dave"]


@pytest.mark.both_databases
def test_a_players_own_page_opens_without_a_character(event: Event) -> None:
    token = event.players.get(name="Alice").token
    assert Client().get(reverse("player", args=[token])).status_code == 200
