"""Two people with one form open.

Each keeps their own changes, and neither overwrites the other unseen.
"""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.scenarios.factories import built_once, make_event, make_user, organizer, sign_in_organizer
from tournament.events.models.event import Event
from tournament.leagues import services as leagues_services
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.staff import services as staff

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    """An event with a co-organizer."""
    event = make_event(capacity=8)
    link = staff.create_invitation(event, organizer(), kind="organizer")
    staff.join_staff(link, make_user("jo@example.org"))
    return event


@pytest.fixture
def two(event: Event) -> tuple[Client, Client]:
    """The organizer and the co-organizer."""
    clients = sign_in_organizer(), Client()
    clients[1].force_login(User.objects.get(username="jo@example.org"))
    return clients


def open_form(client: Client, address: str, has: str = "name") -> dict[str, str | list[str]]:
    """Return what the form of a page with a field `has` would send, untouched.

    Lines end as browsers end them.
    """
    page = client.get(address).content.decode()
    form = next(f for f in re.findall(r"<form.*?</form>", page, re.S) if f'name="{has}"' in f)
    opened_fields: dict[str, str | list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", form, re.S):
        facts = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if facts.get("type") == "checkbox" and "value" in facts:
            if " checked" in tag:
                opened_fields[facts["name"]] = [
                    *opened_fields.get(facts["name"], []),
                    unescape(facts["value"]),
                ]
        elif "name" in facts and (facts.get("type") != "checkbox" or " checked" in tag):
            opened_fields[facts["name"]] = as_sent(facts.get("value", ""))
    for name, text in re.findall(r'<textarea name="([^"]+)"[^>]*>\n?(.*?)</textarea>', form, re.S):
        opened_fields[name] = as_sent(text)
    for name, choices in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', form, re.S):
        opened_fields[name] = unescape(re.search(r'value="([^"]*)" selected', choices)[1])
    return opened_fields


def as_sent(text: str) -> str:
    return unescape(text).replace("\n", "\r\n")


def test_each_editor_saves_the_fields_they_changed(event: Event, two: tuple[Client, Client]) -> None:
    address = f"/console/{event.slug}/settings/"
    first = second = open_form(two[1], address)
    assert two[0].post(address, {**first, "capacity": "12"}).status_code == 302
    assert two[1].post(address, {**second, "place": "The old mill"}).status_code == 302
    event.refresh_from_db()
    assert (event.capacity, event.place) == (12, "The old mill")


def test_what_both_changed_is_asked_about_and_then_taken(event: Event, two: tuple[Client, Client]) -> None:
    address = f"/console/{event.slug}/settings/"
    first = second = open_form(two[1], address)
    two[0].post(address, {**first, "capacity": "12"})
    answer = two[1].post(address, {**second, "capacity": "10", "place": "The old mill"})
    event.refresh_from_db()
    assert (event.capacity, event.place) == (12, "Town hall")
    assert answer.context["form"].errors["capacity"] == [
        "Someone changed this after you opened the page. It is now “12”. Send yours again to replace it."
    ]
    page = answer.content.decode()
    assert 'name="initial-capacity" value="12"' in page
    two[1].post(address, {**second, "capacity": "10", "place": "The old mill", "initial-capacity": "12"})
    event.refresh_from_db()
    assert (event.capacity, event.place) == (10, "The old mill")


def test_what_both_changed_alike_is_no_question(event: Event, two: tuple[Client, Client]) -> None:
    address = f"/console/{event.slug}/settings/"
    first = second = open_form(two[1], address)
    for client, form_values in zip(two, (first, second), strict=True):
        assert client.post(address, {**form_values, "capacity": "12"}).status_code == 302


def test_an_untouched_form_changes_nothing_whatever_others_did(
    event: Event, two: tuple[Client, Client]
) -> None:
    address = f"/console/{event.slug}/settings/"
    opened_page = open_form(two[0], address)
    changes = {"notes": "Bring dice.", "decklists_required": True, "capacity": None, "time_zone": "UTC"}
    events.update_event(event, organizer(), changes)
    version = Event.objects.get(pk=event.pk).version
    assert two[0].post(address, opened_page).status_code == 302
    stands = Event.objects.get(pk=event.pk)
    assert ({name: getattr(stands, name) for name in changes}, stands.version) == (changes, version)


def test_lines_entered_by_the_api_are_no_change_by_another_scorekeeper(
    event: Event, two: tuple[Client, Client]
) -> None:
    events.update_event(event, organizer(), {"notes": "Bring dice.\nBring pens."})
    address = f"/console/{event.slug}/settings/"
    answer = two[0].post(address, {**open_form(two[0], address), "notes": "Bring dice."})
    event.refresh_from_db()
    assert (answer.status_code, event.notes) == (302, "Bring dice.")


BOTH_STAND = [
    ("pairing/", "first_table", {"first_table": "11"}, {"reserved_tables": "12, 14"},
     {"first_table": 11, "reserved_tables": [12, 14]}),
    ("pairing/", "first_table", {"reserved_tables": "12, 14"}, {"hall": "Mill"},
     {"hall": "Mill", "reserved_tables": [12, 14]}),
    ("clock/settings/", "warning", {"warning": "7"}, {"elimination": "40"},
     {"clock_options": {"warning": 7, "elimination": 40}}),
    ("rules/", "bans", {"bans": "Ken ●●"}, {"number:deck_size:min": "50"},
     {"overlay": {"bans": [{"name": "Ken", "dots": 2}],
                  "parameters": {"deck_size": {"min": 50}}}}),
    ("rules/", "bans", {"off": ["deck_size"]}, {"bans": "Ken"},
     {"overlay": {"bans": [{"name": "Ken"}], "off": ["deck_size"]}}),
]  # fmt: skip


@pytest.mark.parametrize(("page", "has", "first", "second", "stands"), BOTH_STAND)
def test_two_tabs_of_settings_keep_what_either_changed(
    event: Event,
    two: tuple[Client, Client],
    page: str,
    has: str,
    first: dict[str, str],
    second: dict[str, str],
    stands: dict[str, object],
) -> None:
    address = f"/console/{event.slug}/{page}"
    tabs = [open_form(two[1], address, has)] * 2
    for client, tab, change in zip(two, tabs, (first, second), strict=True):
        assert client.post(address, {**tab, **change}).status_code == 302
    event.refresh_from_db()
    assert {name: getattr(event, name) for name in stands} == stands


ASKED = [
    ("pairing/", "first_table", {"apart_rounds": "1-2"}, {"apart_rounds": "3"}, "apart_rounds", "1-2"),
    ("clock/settings/", "warning", {"warning": "7"}, {"warning": "8"}, "warning", "7"),
    ("prizes/", "prizes", {"prizes": "1: a cup\r\n2: a mug"}, {"prizes": "1: a hat"}, "prizes",
     "1: a cup\n2: a mug"),
    ("screen/", "views", {"views": ["clock", "pairings"]}, {"views": ["standings"]}, "views",
     "clock,pairings"),
]  # fmt: skip


@pytest.mark.parametrize(("page", "has", "first", "second", "field", "now"), ASKED)
def test_two_tabs_of_settings_that_changed_one_thing_are_asked_about_it(
    event: Event,
    two: tuple[Client, Client],
    page: str,
    has: str,
    first: dict[str, str],
    second: dict[str, str],
    field: str,
    now: str,
) -> None:
    address = f"/console/{event.slug}/{page}"
    tabs = [open_form(two[1], address, has)] * 2
    assert two[0].post(address, {**tabs[0], **first}).status_code == 302
    version = Event.objects.get(pk=event.pk).version
    answer = two[1].post(address, {**tabs[1], **second})
    assert answer.context["form"].errors[field] == [
        f"Someone changed this after you opened the page. It is now “{now}”. Send yours again to replace it."
    ]
    assert Event.objects.get(pk=event.pk).version == version
    options = {**tabs[1], **second, f"initial-{field}": as_sent(now)}
    assert two[1].post(address, options).status_code == 302
    assert Event.objects.get(pk=event.pk).version > version


def test_a_league_changed_in_two_tabs_keeps_both_changes(two: tuple[Client, Client]) -> None:
    league = leagues_services.create_league(
        organizer().user, name="Autumn", notes="", points={}, best_of=None
    )
    address = f"/leagues/{league.slug}/edit/"
    tabs = [open_form(two[0], address, "best_of")] * 2
    two[0].post(address, {**tabs[0], "best_of": "4"})
    two[0].post(address, {**tabs[1], "notes": "Every month."})
    league.refresh_from_db()
    assert (league.best_of, league.notes) == (4, "Every month.")


def test_two_scorekeepers_change_what_pairing_heeds_of_one_player(
    event: Event, two: tuple[Client, Client]
) -> None:
    registration.add_player(event, organizer(), name="Ann")
    address = f"/console/{event.slug}/players/1/pairing/"
    tabs = [open_form(two[1], address, "club")] * 2
    two[0].post(address, {**tabs[0], "club": "Dojo"})
    two[1].post(address, {**tabs[1], "fixed_table": "3"})
    player = event.players.get()
    assert (player.club, player.fixed_table) == ("Dojo", 3)


def test_two_scorekeepers_correct_one_player(event: Event, two: tuple[Client, Client]) -> None:
    registration.add_player(event, organizer(), name="An", email="ann@example.org")
    address = f"/console/{event.slug}/players/1/"
    first = second = open_form(two[1], address)
    two[0].post(address, {**first, "name": "Ann"})
    two[1].post(address, {**second, "email": "ann.lee@example.org"})
    player = event.players.get()
    assert (player.name, player.email) == ("Ann", "ann.lee@example.org")


def test_a_capacity_below_those_who_are_in_is_said(event: Event, two: tuple[Client, Client]) -> None:
    for name in ("Ann", "Bob", "Cid"):
        registration.add_player(event, organizer(), name=name)
    address = f"/console/{event.slug}/settings/"
    page = two[0].post(address, {**open_form(two[0], address), "capacity": "2"}, follow=True).content.decode()
    assert (
        "3 players are registered for 2 places. All of them stay. New players join the waiting list." in page
    )
