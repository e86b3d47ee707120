"""Public pages, cached by version of the event.

They are rendered once for each version, and sent once to each visitor.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest
from django.test import Client

from decks.shared.cache import SingleFlightCache
from tests.scenarios.factories import (
    make_event,
    make_user,
    open_matches,
    organizer,
    publish_next,
    started_event,
    win,
)
from tests.scenarios.html import html_of
from tests.scenarios.public_pages import queries_of
from tournament.events.models.event import Event
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.web.public_page import page_cache

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """Nothing is kept from other tests, or for them."""
    page_cache.clear()
    yield
    page_cache.clear()


@pytest.fixture
def event() -> Event:
    """An event whose first round is being played."""
    event = started_event(4, swiss_rounds=2)
    publish_next(event)
    return event


def path_of(event: Event) -> str:
    """Return the path of the pairings of the event."""
    return f"/e/{event.slug}/pairings/"


def test_second_visitor_costs_one_query_and_gets_the_same_page(client: Client, event: Event) -> None:
    first = client.get(path_of(event))
    assert queries_of(lambda: Client().get(path_of(event))) == 1
    assert Client().get(path_of(event)).content == first.content


def test_page_is_new_after_every_change(client: Client, event: Event) -> None:
    before = client.get(path_of(event))
    win(open_matches(event.stages.get().rounds.get())[0])
    after = client.get(path_of(event))
    assert b"0 of 2 results are in" in before.content
    assert b"1 of 2 results are in" in after.content
    assert before["ETag"] != after["ETag"]


def test_page_that_the_browser_has_is_not_sent_again(client: Client, event: Event) -> None:
    tag = client.get(path_of(event))["ETag"]
    again = client.get(path_of(event), headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert again["ETag"] == tag


@pytest.mark.parametrize("path", ["pairings/", "version"])
@pytest.mark.parametrize("tags", ["{}", "W/{}", '"another", W/{}', "*"])
def test_tag_that_the_browser_has_in_any_form_is_compared(
    client: Client, event: Event, path: str, tags: str
) -> None:
    tag = client.get(f"/e/{event.slug}/{path}")["ETag"]
    again = client.get(f"/e/{event.slug}/{path}", headers={"If-None-Match": tags.format(tag)})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert again["Cache-Control"] == "no-cache"


@pytest.mark.parametrize("path", ["pairings/", "version"])
@pytest.mark.parametrize("tags", ["", "nonsense", '"another"', "no{}"])
def test_other_tags_are_answered_with_the_page(client: Client, event: Event, path: str, tags: str) -> None:
    tag = client.get(f"/e/{event.slug}/{path}")["ETag"]
    again = client.get(f"/e/{event.slug}/{path}", headers={"If-None-Match": tags.format(tag)})
    assert (again.status_code, again["ETag"]) == (200, tag)


def test_page_is_sent_compressed_to_those_who_can_read_that(client: Client, event: Event) -> None:
    plain = client.get(path_of(event)).content
    packed_answer = client.get(path_of(event), headers={"Accept-Encoding": "br, gzip"})
    assert packed_answer["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed_answer.content) == plain
    assert {"Cookie", "Accept-Encoding"} <= {word.strip() for word in packed_answer["Vary"].split(",")}


def test_visitor_with_a_session_gets_a_page_of_their_own(client: Client, event: Event) -> None:
    client.get(path_of(event))
    client.force_login(make_user("judge@example.org"))
    own = client.get(path_of(event))
    assert b"Sign out" in own.content
    assert "ETag" not in own
    assert b"Sign out" not in Client().get(path_of(event)).content


def test_player_who_registered_here_is_marked_for_themselves_alone(client: Client) -> None:
    event = make_event()
    Client().get(f"/e/{event.slug}/players/")
    client.post(f"/e/{event.slug}/register/", {"name": "Alice", "email": "alice@example.org"})
    assert b"is-me" in client.get(f"/e/{event.slug}/players/").content
    assert b"is-me" not in Client().get(f"/e/{event.slug}/players/").content


def test_visitor_who_chose_dark_gets_their_own_cached_page(client: Client, event: Event) -> None:
    plain = client.get(path_of(event))
    client.cookies["ringside-theme"] = "dark"
    dark = html_of(client.get(path_of(event)))
    dark_page = html_of(plain).replace('class="">', 'class="" data-theme="dark">', 1)
    assert dark == dark_page
    assert queries_of(lambda: client.get(path_of(event))) == 1
    assert Client().get(path_of(event)).content == plain.content


@pytest.mark.parametrize("value", ["purple", '"><script>', "", "off"])
def test_themes_that_cannot_be_chosen_are_left_out(client: Client, event: Event, value: str) -> None:
    client.cookies["ringside-theme"] = value
    assert '<html lang="en" dir="ltr" class="">' in html_of(client.get(path_of(event)))


def test_visitor_who_saw_a_form_before_reads_what_is_kept_but_adds_nothing(event: Event) -> None:
    visitor = Client()
    visitor.cookies["csrftoken"] = "a" * 32
    visitor.get(path_of(event))
    assert page_cache.keys() == []
    page_content = Client().get(path_of(event)).content
    assert queries_of(lambda: visitor.get(path_of(event))) == 1
    assert visitor.get(path_of(event)).content == page_content


def test_forms_and_searches_are_never_kept(client: Client) -> None:
    event = make_event()
    client.get(f"/e/{event.slug}/register/")
    registration.add_player(event, organizer(), name="Bob")
    registration.add_player(event, organizer(), name="Carol")
    events.start_event(event, organizer())
    publish_next(event)
    Client().get(f"{path_of(event)}?q=bob")
    assert page_cache.keys() == []


def test_order_by_name_and_by_table_are_two_pages(client: Client, event: Event) -> None:
    by_table = client.get(path_of(event)).content
    assert client.get(f"{path_of(event)}?by=name").content != by_table


def test_pages_used_longest_ago_make_room() -> None:
    small: SingleFlightCache[tuple[int, int, str], bytes] = SingleFlightCache(256)
    for version in range(300):
        small.put((1, version, "/"), b"page")
        small.get((1, 0, "/"))
    assert small.get((1, 0, "/")) == b"page"
    assert small.get((1, 1, "/")) is None
    assert small.get((1, 299, "/")) == b"page"
