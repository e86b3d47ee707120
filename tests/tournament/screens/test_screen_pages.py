"""The venue screen at the edges of an event.

These are before anyone may see it, and when it is over.
"""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.scenarios.factories import add_players, make_event, organizer, play_round, started_event
from tests.scenarios.html import html_of
from tests.scenarios.sentences import EVENT_IS_OVER
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.results.services import results
from tournament.screens.selectors import build_screen
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


def large(page: str) -> list[str]:
    """Event, headline and state as the head of the screen has them."""
    head = page[page.index("<header") : page.index("</header>")]
    return [
        re.sub(r"<[^>]+>", "", found_word).strip()
        for found_word in re.findall(r"<(?:p|h1) .*?</(?:p|h1)>", head)
    ]


@pytest.mark.parametrize("views", ["pairings", "tables,clock", "hall"])
def test_a_screen_of_an_event_that_is_over_says_so_and_shows_how_it_stands(
    client: Client, views: str
) -> None:
    event = started_event(4, swiss_rounds=1)
    play_round(event)
    events.finish_event(event, organizer())
    page = html_of(client.get(f"/e/{event.slug}/screen/{views}/"))
    assert large(page) == [event.name, EVENT_IS_OVER]
    assert re.findall(r'data-view="(\w+)"', page) == ["standings"]


@pytest.mark.parametrize("slug", ["spring-open", "no-such-event"])
def test_a_screen_that_starts_before_the_event_is_public_waits_for_it(client: Client, slug: str) -> None:
    event = make_event()
    Event.objects.filter(pk=event.pk).update(phase=Event.Phase.PREPARING)
    answer = client.get(f"/e/{slug}/screen/hall/")
    page = html_of(answer)
    assert answer.status_code == 404
    assert "tournament/screens/_gone.html" in {template.name for template in answer.templates}
    assert '<meta http-equiv="refresh" content="10">' in page


def test_a_view_that_no_screen_has_is_an_ordinary_slip_in_the_address(client: Client) -> None:
    page = html_of(client.get(f"/e/{make_event().slug}/screen/juggling/"))
    assert "Page not found" in page


def test_screen_counts_open_tables_of_earlier_rounds_of_a_bracket() -> None:
    event = make_event(plan=[{"kind": "single"}])
    add_players(event, 8)
    events.start_event(event, organizer())
    first = Match.objects.filter(round__stage__event=event).order_by("bracket_match")
    for match in first[:2]:
        results.enter_result(match, organizer(), p1_games=2, p2_games=0)
    screen = build_screen(event, [])
    assert screen.round is not None
    assert (screen.round.number, screen.open_tables) == (2, 3)
