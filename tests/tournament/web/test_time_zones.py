"""Hours as players and visitors read them.

Every hour is as the clocks at the place of the event show it.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client

from tests.scenarios.factories import built_once, make_event, open_matches, organizer, started_event
from tests.scenarios.html import html_of
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.pairing.services import rounds

pytestmark = pytest.mark.django_db
AMENDED = datetime(2026, 5, 2, 11, 7, tzinfo=UTC)


@pytest.fixture
@built_once
def match() -> Match:
    """A table of a round in Berlin that was amended at seven past one there."""
    round_ = rounds.publish_round(rounds.pair_next_round(started_event(4), organizer()), organizer())
    Round.objects.filter(pk=round_.pk).update(amended_at=AMENDED)
    Match.objects.filter(round=round_).update(amended_at=AMENDED)
    return open_matches(round_)[0]


def test_player_reads_when_their_table_changed(client: Client, match: Match) -> None:
    assert "Changed 13:07" in html_of(client.get(f"/p/{match.p1.token}/"))


@pytest.mark.parametrize("page", ["pairings/1/", "matches/{match}/"])
def test_public_page_says_when_the_round_was_amended(client: Client, match: Match, page: str) -> None:
    event = match.round.stage.event
    text = html_of(client.get(f"/e/{event.slug}/{page.format(match=match.pk)}"))
    assert "at 13:07" in text


def test_the_calendar_shows_the_day_of_the_place(client: Client) -> None:
    event = make_event()
    Event.objects.filter(pk=event.pk).update(starts_at=datetime(2026, 5, 2, 23, 30, tzinfo=UTC))
    page = html_of(client.get("/"))
    assert '<span class="calendar-month">May</span><span class="calendar-day">3</span>' in page
