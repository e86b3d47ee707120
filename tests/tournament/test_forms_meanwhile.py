"""Two people with one form open: each changes what he changed, neither overwrites the other unseen."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.tournament.factories import make_event, make_user, organizer
from tournament.models import Event
from tournament.services import events, registration, staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return make_event(capacity=8)


@pytest.fixture
def two(event: Event) -> tuple[Client, Client]:
    """The organizer and a co-organizer."""
    link = staff.invite(event, organizer(), kind="organizer")
    other = make_user("jo@example.org")
    staff.join(link, other)
    clients = Client(), Client()
    clients[0].force_login(organizer().user)
    clients[1].force_login(other)
    return clients


def opened(client: Client, address: str) -> dict[str, str]:
    """What the form of a page would send, untouched."""
    page = client.get(address).content.decode()
    form = next(f for f in re.findall(r"<form.*?</form>", page, re.S) if 'name="name"' in f)
    sent = {}
    for tag in re.findall(r"<input[^>]*>", form):
        facts = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if "name" in facts and (facts.get("type") != "checkbox" or " checked" in tag):
            sent[facts["name"]] = unescape(facts.get("value", ""))
    for name, text in re.findall(r'<textarea name="(\w+)"[^>]*>\n?(.*?)</textarea>', form, re.S):
        sent[name] = unescape(text)
    for name, choices in re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', form, re.S):
        sent[name] = re.search(r'value="([^"]*)" selected', choices)[1]
    return sent


def test_each_changes_what_he_changed(event: Event, two: tuple[Client, Client]) -> None:
    address = f"/console/{event.slug}/settings/"
    first, second = (opened(client, address) for client in two)
    assert two[0].post(address, {**first, "capacity": "12"}).status_code == 302
    assert two[1].post(address, {**second, "place": "The old mill"}).status_code == 302
    event.refresh_from_db()
    assert (event.capacity, event.place) == (12, "The old mill")


def test_what_both_changed_is_asked_about_and_then_taken(event: Event, two: tuple[Client, Client]) -> None:
    address = f"/console/{event.slug}/settings/"
    first, second = (opened(client, address) for client in two)
    two[0].post(address, {**first, "capacity": "12"})
    answer = two[1].post(address, {**second, "capacity": "10", "place": "The old mill"})
    event.refresh_from_db()
    assert (event.capacity, event.place) == (12, "Town hall")
    assert answer.context["form"].errors["capacity"] == [
        "Somebody changed this since you opened the page, to “12”. Send it again to have yours."
    ]
    page = answer.content.decode()
    assert 'name="initial-capacity" value="12"' in page
    two[1].post(address, {**second, "capacity": "10", "place": "The old mill", "initial-capacity": "12"})
    event.refresh_from_db()
    assert (event.capacity, event.place) == (10, "The old mill")


def test_what_both_changed_alike_is_no_question(event: Event, two: tuple[Client, Client]) -> None:
    address = f"/console/{event.slug}/settings/"
    first, second = (opened(client, address) for client in two)
    for client, sent in zip(two, (first, second), strict=True):
        assert client.post(address, {**sent, "capacity": "12"}).status_code == 302


def test_an_untouched_form_changes_nothing_whatever_others_did(
    event: Event, two: tuple[Client, Client]
) -> None:
    address = f"/console/{event.slug}/settings/"
    sent = opened(two[0], address)
    changes = {"notes": "Bring dice.", "decklists_required": True, "capacity": None, "time_zone": "UTC"}
    events.update_event(event, organizer(), changes)
    version = Event.objects.get(pk=event.pk).version
    assert two[0].post(address, sent).status_code == 302
    stands = Event.objects.get(pk=event.pk)
    assert ({name: getattr(stands, name) for name in changes}, stands.version) == (changes, version)


def test_two_scorekeepers_correct_one_player(event: Event, two: tuple[Client, Client]) -> None:
    registration.add_player(event, organizer(), name="An", email="ann@example.org")
    address = f"/console/{event.slug}/players/1/"
    first, second = (opened(client, address) for client in two)
    two[0].post(address, {**first, "name": "Ann"})
    two[1].post(address, {**second, "email": "ann.lee@example.org"})
    player = event.players.get()
    assert (player.name, player.email) == ("Ann", "ann.lee@example.org")


def test_a_capacity_below_those_who_are_in_is_said(event: Event, two: tuple[Client, Client]) -> None:
    for name in ("Ann", "Bob", "Cid"):
        registration.add_player(event, organizer(), name=name)
    address = f"/console/{event.slug}/settings/"
    page = two[0].post(address, {**opened(two[0], address), "capacity": "2"}, follow=True).content.decode()
    assert "3 players are in for 2 places. Nobody is put out; who comes now waits." in page
