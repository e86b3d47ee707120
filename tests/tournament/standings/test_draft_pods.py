"""Standings of one draft pod, on pages and in the API."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from tests.scenarios.factories import built_once, make_user, play_round, started_event
from tests.scenarios.html import html_of
from tests.tournament.booster_drafts.test_rounds_inside_pods import pods_event
from tournament.booster_drafts.selectors import list_pods
from tournament.events.models.event import Event
from tournament.standings.selectors.draft_pods import filter_table, map_draft_pods
from tournament.standings.selectors.table import standings_table

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def draft() -> Event:
    event = pods_event(12, size=4, swiss_rounds=2)
    play_round(event)
    return event


def names_of_pod(event: Event, number: int) -> set[str]:
    return {seat.player.name for pod in list_pods(event) if pod.number == number for seat in pod.seats}


def test_table_of_a_pod_has_its_players_with_the_ranks_of_the_whole_event(draft: Event) -> None:
    whole = {row.line.player.name: row.line.rank for row in standings_table(draft).rows}
    pods = map_draft_pods(draft)
    table = filter_table(standings_table(draft), {player for player, pod in pods.items() if pod == 2})
    assert {row.line.player.name for row in table.rows} == names_of_pod(draft, 2)
    assert [row.line.rank for row in table.rows] == sorted(whole[name] for name in names_of_pod(draft, 2))


@pytest.mark.parametrize("page", ["standings", "console_standings"])
def test_page_shows_one_pod_and_links_to_the_others(draft: Event, client: Client, page: str) -> None:
    client.force_login(make_user("ole@example.org", is_superuser=True))
    address = reverse(page, args=[draft.slug])
    html = html_of(client.get(address, {"pod": "3"}))
    table = html[html.index("<tbody") : html.index("</tbody>")]
    assert {name for name in names_of_pod(draft, 3) if name in table} == names_of_pod(draft, 3)
    assert not any(f">{name}<" in table for name in names_of_pod(draft, 1))
    assert [f"pod={number}" in html for number in (1, 2, 3, 4)] == [True, True, True, False]
    assert client.get(address, {"pod": "4"}).status_code == 404


def test_api_lists_one_pod_and_refuses_an_unknown_one(draft: Event, client: Client) -> None:
    address = reverse("api_standings", args=[draft.slug])
    rows = client.get(address, {"pod": 1}).json()
    assert {row["name"] for row in rows} == names_of_pod(draft, 1)
    answer = client.get(address, {"pod": 9})
    assert (answer.status_code, "no_such_pod" in answer.content.decode()) == (400, True)


def test_event_without_draft_has_no_pods() -> None:
    assert map_draft_pods(started_event(4)) == {}
