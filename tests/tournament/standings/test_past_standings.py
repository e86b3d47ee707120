"""Standings after a past round.

They stay the same after later drops, late entries and corrections.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.scenarios.factories import organizer, play_round, started_event
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.standings.selectors.standings import calculate_standings, standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    running_event = started_event(4, swiss_rounds=3)
    play_round(running_event)
    return running_event


def list_visible_rows(event: Event, number: int) -> list[tuple[object, ...]]:
    lines = calculate_standings(event, after_round=number)
    return [(line.rank, line.player.number, line.row.points, line.cells, line.is_dropped) for line in lines]


def test_a_drop_a_late_entry_and_later_rounds_leave_a_past_standing_as_it_was(event: Event) -> None:
    before = list_visible_rows(event, 1)
    registration.add_player(event, organizer(), name="Late Lena", character="Ken")
    play_round(event)
    registration.drop(event.players.get(number=1), organizer())
    assert list_visible_rows(event, 1) == before
    assert len(calculate_standings(event)) == 5


def test_dropped_player_is_not_marked_in_standings_of_rounds_before_the_drop(
    client: Client, event: Event
) -> None:
    play_round(event)
    registration.drop(event.players.get(number=1), organizer())
    for number, is_marked in ((1, False), (2, True)):
        page = client.get(reverse("standings_round", args=[event.slug, number])).content.decode()
        assert ("badge-dropped" in page) is is_marked
        payload = client.get(f"/api/events/{event.slug}/standings/?after={number}").json()
        assert any(row["dropped_after"] == 2 for row in payload) is is_marked


def test_a_result_corrected_since_is_counted_and_named(client: Client, event: Event) -> None:
    play_round(event)
    match = Match.objects.filter(round__number=1, round__stage__event=event).order_by("table").first()
    results.enter_result(match, organizer(), p1_games=0, p2_games=2, reason="Slip misread")
    page = client.get(reverse("standings_round", args=[event.slug, 1])).content.decode()
    assert "These standings include later corrections" in page
    assert f"({match.p1} vs. {match.p2}), 0-2 since" in page
    points = {line.player.pk: line.row.points for line in standings(event, after_round=1)}
    assert (points[match.p1_id], points[match.p2_id]) == (0, 3)


@pytest.mark.both_databases
def test_nothing_is_named_where_nothing_was_corrected(client: Client, event: Event) -> None:
    play_round(event)
    page = client.get(reverse("standings_round", args=[event.slug, 1])).content.decode()
    assert "Changed since" not in page


def test_a_value_of_a_past_standing_leads_to_its_arithmetic_of_that_round(
    client: Client, event: Event
) -> None:
    play_round(event)
    first = standings(event, after_round=1)[0]
    record = reverse("player_record", args=[event.slug, first.player.number])
    page = client.get(reverse("standings_round", args=[event.slug, 1])).content.decode()
    assert f'href="{record}?after=1#worked-omw"' in page
    for query, rounds in (("?after=1", 1), ("", 2)):
        worked = client.get(record + query).context["worked"]
        assert [each.explanation.after_round for each in worked] == [rounds] * 4
        assert all(each.explanation.combined_value == each.explanation.value for each in worked)
    for query in ("?after=9", "?after=\0"):
        assert client.get(record + query).status_code == 404
