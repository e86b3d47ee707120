"""The language of a reader: the chosen one, the browser's, or that of the event."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.scenarios.factories import make_user, organizer, publish_next, started_event
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.languages.models import AccountLanguage
from tournament.languages.selectors import get_account_language
from tournament.log.models import LogEntry
from tournament.registration.services import contact
from tournament.setup.services import events
from tournament.web.public_page import page_cache

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    page_cache.clear()


@pytest.fixture
def event(pseudo: str) -> Event:
    """An event whose printouts, venue screen and emails are in the other language."""
    event = started_event(4, swiss_rounds=2)
    publish_next(event)
    return events.update_event(event, organizer(), {"language": pseudo})


def language_of(client: Client, path: str, **headers: str) -> str:
    page = client.get(path, headers=headers)
    assert page.status_code == 200
    (language,) = re.findall(r'<html\s+lang="([\w-]+)"\s+dir="ltr"', page.text)
    return str(language)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("en-xa", "en-xa"),
        ("xx, en-XA;q=0.5", "en-xa"),
        ("en-US,en;q=0.9", "en"),
        ("tlh", "en"),
        ("*", "en"),
        ("," * 10_000, "en"),
    ],
)
def test_browser_is_answered_in_the_first_language_that_there_is(client, pseudo, header, language):
    assert language_of(client, "/language/", **{"accept-language": header}) == language


def test_answers_vary_by_language(client, pseudo):
    assert "Accept-Language" in client.get("/")["Vary"]


def test_visitor_chooses_a_language_and_returns_to_the_page(client, pseudo):
    answer = client.post("/language/", {"language": pseudo, "next": "/leagues/?q=1"})
    assert (answer.status_code, answer["Location"]) == (302, "/leagues/?q=1")
    assert language_of(client, "/leagues/", **{"accept-language": "en"}) == pseudo


@pytest.mark.parametrize("address", ["https://elsewhere.example/", "//elsewhere.example", "", "javascript:1"])
def test_no_choice_leads_to_another_site(client, pseudo, address):
    assert client.post("/language/", {"language": "en", "next": address})["Location"] == "/"


@pytest.mark.parametrize("language", ["", "tlh", "../en", "e" * 600])
def test_language_that_there_is_not_is_refused(client, language):
    answer = client.post("/language/", {"language": language})
    assert (answer.status_code, client.cookies.get("ringside-language")) == (422, None)


def test_account_keeps_its_language_and_brings_it_to_the_next_device(client, pseudo):
    user = make_user()
    client.force_login(user)
    client.post("/language/", {"language": pseudo})
    assert get_account_language(user) == pseudo
    device = Client()
    device.post("/sign-in/", {"login": user.email, "password": "correct horse"})
    assert language_of(device, "/language/") == pseudo


def test_language_of_an_account_that_is_gone_counts_no_more():
    user = make_user()
    AccountLanguage.objects.create(user=user, language="tlh")
    assert get_account_language(user) is None


def test_public_page_speaks_the_language_of_the_event_where_nothing_is_known(client, event, pseudo):
    path = f"/e/{event.slug}/pairings/"
    assert language_of(client, path) == pseudo
    assert language_of(client, path, **{"accept-language": "tlh"}) == pseudo
    assert language_of(client, path, **{"accept-language": "en"}) == "en"


@pytest.mark.django_db(transaction=True)
def test_kept_page_is_not_shown_to_readers_of_another_language(event, pseudo):
    path = f"/e/{event.slug}/pairings/"
    for _ in range(2):
        assert language_of(Client(), path, **{"accept-language": "en"}) == "en"
        assert language_of(Client(), path, **{"accept-language": pseudo}) == pseudo


def test_venue_screen_is_in_the_language_of_the_event_for_all_readers(client, event, pseudo):
    path = f"/e/{event.slug}/screen/pairings/"
    assert language_of(client, path, **{"accept-language": "en"}) == pseudo


def test_private_link_comes_in_the_language_of_the_event(event):
    player = Player.objects.filter(event=event).earliest("pk")
    player.email = "ann@example.org"
    assert contact.build_private_link_email(player).subject.startswith("⟦")


def test_change_of_the_language_stands_in_the_log(event):
    assert LogEntry.objects.filter(event=event).latest("pk").action == "event_changed"


def test_event_is_created_in_the_language_of_its_organizer(client, pseudo):
    client.force_login(make_user())
    page = client.get("/console/new/ufs/constructed/", headers={"accept-language": pseudo})
    assert f'<option value="{pseudo}" selected>' in " ".join(page.text.split())


def test_english_page_fetches_no_texts_of_scripts(client):
    assert 'src="/language/' not in client.get("/language/", headers={"accept-language": "en"}).text


def test_texts_of_scripts_are_kept_by_browsers_until_they_change(client):
    page = client.get("/language/", headers={"accept-language": "de"}).text
    answer = client.get("/language/" + page.split('src="/language/')[1].split('"')[0])
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert "immutable" in answer["Cache-Control"]
    assert client.get("/language/de.js?v=old")["Cache-Control"] == "no-cache"
    assert client.get("/language/tlh.js").status_code == 404
