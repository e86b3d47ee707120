"""Streams and embedding: the view for streams, and pages within other sites.

The picture of a link and the rows of a large venue are covered too.
"""

from __future__ import annotations

import io

import pytest
from django.test import Client
from PIL import Image

from tests.everyday import each_case
from tests.scenarios.factories import add_players, built_once, make_event, organizer, publish_next
from tests.scenarios.public_pages import text_of
from tests.scenarios.rollback import rolled_back
from tests.tournament.desk.test_console_pages import signed_in
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.screens.services import allow_embedding
from tournament.setup.services import events
from tournament.templatetags.states import screen_density

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    """Four players in round 1."""
    event = make_event()
    add_players(event, 4)
    events.start_event(event, organizer())
    publish_next(event)
    event.refresh_from_db()
    return event


def test_stream_shows_the_parts_that_its_address_names(event: Event) -> None:
    match = Match.objects.select_related("p1", "p2").get(table=2)
    page = Client().get(f"/e/{event.slug}/stream/round,table,score/?table=2")
    text = text_of(page)
    assert (f"Table 2 {match.p1} vs. {match.p2}" in text, "Round 1" in text) == (True, True)
    assert page.context["stream"].parts == ["round", "table", "score"]
    first = Client().get(f"/e/{event.slug}/stream/standings,table/?rows=2")
    assert (first.context["stream"].table.number, first.content.count(b"stream-rank")) == (1, 2)
    assert Client().get(f"/e/{event.slug}/stream/weather/").status_code == 404


def test_stream_of_an_event_that_is_not_public_is_empty_and_looks_again(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(phase=Event.Phase.PREPARING)
    page = Client().get(f"/e/{event.slug}/stream/round/")
    assert (page.status_code, b'http-equiv="refresh"' in page.content) == (404, True)
    assert "tournament/screens/stream_gone.html" in [template.name for template in page.templates]


def test_only_the_sites_that_the_organizer_named_embed_a_page(event: Event) -> None:
    address = f"/e/{event.slug}/embed/standings/"
    assert Client().get(address).status_code == 404
    sites = ["https://Club.example/events", "shop.example:8443"]
    assert allow_embedding(event, organizer(), sites) == [
        "https://club.example",
        "https://shop.example:8443",
    ]
    answers = [Client().get(f"/e/{event.slug}/{page}/") for page in ("embed/standings", "standings")]
    policies = [answer["Content-Security-Policy"].partition("frame-ancestors ")[2] for answer in answers]
    assert [policy.partition(";")[0] for policy in policies] == [
        "https://club.example https://shop.example:8443",
        "'none'",
    ]
    assert [answer.headers.get("X-Frame-Options") for answer in answers] == [None, "DENY"]
    pages = {view: Client().get(f"/e/{event.slug}/embed/{view}/") for view in ("pairings", "tables", "clock")}
    assert {view: answer.status_code for view, answer in pages.items()} == {
        "pairings": 200,
        "tables": 200,
        "clock": 404,
    }
    assert "Alice" in text_of(pages["pairings"])


@each_case(
    "site", ["javascript:alert(1)", "https://a b", "*", "https://x;script-src", "'self'"], around=rolled_back
)
def test_what_is_no_site_is_refused_and_changes_nothing(event: Event, site: str) -> None:
    form_values = {"sites": f"https://club.example\n{site}"}
    client = signed_in(event, "organizer")
    assert client.post(f"/console/{event.slug}/embedding/", form_values).status_code == 422
    assert not event.embedding_sites.exists()


@pytest.mark.both_databases
def test_organizer_names_sites_takes_them_back_and_copies_the_code(event: Event) -> None:
    client = signed_in(event, "organizer")
    address = f"/console/{event.slug}/embedding/"
    form_values = {"sites": "https://club.example", "seen.sites": ""}
    assert client.post(address, form_values).status_code == 302
    assert "/embed/pairings/" in client.get(address).content.decode()
    assert [event.log.latest("pk").action, event.embedding_sites.get().origin] == [
        "embedding_changed",
        "https://club.example",
    ]
    allow_embedding(event, organizer(), [])
    assert not event.embedding_sites.exists()


def test_link_to_an_event_carries_title_description_and_a_picture_of_the_moment(event: Event) -> None:
    page = Client().get(f"/e/{event.slug}/").content.decode()
    assert f'property="og:title" content="{event.name}"' in page
    assert f"/e/{event.slug}/picture.png?v={event.version}" in page
    answer = Client().get(f"/e/{event.slug}/picture.png")
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)
    again = Client().get(f"/e/{event.slug}/picture.png", headers={"If-None-Match": answer["ETag"]})
    assert (answer["Content-Type"], again.status_code) == ("image/png", 304)


def test_rows_of_a_large_venue_are_close_enough_for_four_turns() -> None:
    assert [screen_density(range(count)) for count in (12, 13, 72, 200)] == [
        "is-few",
        "is-some",
        "is-some",
        "is-many",
    ]
