"""One definition of a dispute: every page and the API agree on any two reports."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests import machine
from tests.scenarios.factories import open_matches, organizer, publish_next, sign_in_organizer, started_event
from tests.scenarios.public_pages import get
from tournament.desk.selectors import get_overview
from tournament.events.models.event import Event
from tournament.events.models.round import Match, ResultReport
from tournament.judging.selectors import judge_dashboard
from tournament.my_page.selectors import find_next_task
from tournament.pairing.selectors.pairings import load_round_view
from tournament.results.selectors import list_my_matches, list_open_tables
from tournament.results.services import results

pytestmark = pytest.mark.django_db

SAYS: list[dict[str, Any] | None] = [
    None,
    {"p1_games": 2},
    {"p1_games": 2, "ending": "concession"},
    {"p1_games": 2, "ending": "head_shot"},
    {"p1_games": 2, "ending": "head_shot", "details": {"quickenings": 3}},
    {"p2_games": 2},
]

# One report alone, two that differ in the details or in the ending, and two that agree.
DAILY_CLAIMS = [(SAYS[0], SAYS[5]), (SAYS[4], SAYS[3]), (SAYS[1], SAYS[2]), (SAYS[5], SAYS[5])]


@pytest.fixture
def event() -> Event:
    return started_event(4, game="highlander", format="standard", rules_version="1.7",
                         match_form="one_game_30min")  # fmt: skip


def give_reports(match: Match, reports: tuple[dict[str, Any] | None, ...]) -> None:
    ResultReport.objects.filter(match=match).delete()
    for player, values in zip((match.p1, match.p2), reports, strict=True):
        if values is not None:
            ResultReport.objects.create(match=match, player=player, reported_at=timezone.now(), **values)


def where_it_is_disputed(event: Event, match: Match, client: Client) -> dict[str, bool]:
    api = client.get(f"/api/events/{event.slug}/tables/").json()
    rows = {row["match"]["id"]: row["is_disputed"] for row in api}
    page = client.get(f"/console/{event.slug}/matches/{match.pk}/")
    rounds, open_tables = [match.round], list_open_tables(event, timezone.now())
    return {
        "desk": match in get_overview(event).disputes,
        "judge": match in judge_dashboard(event).disputes,
        "tables": match in [row.match for row in open_tables if row.match.is_disputed],
        "round": match in [row.match for row in load_round_view(match.round).rows if row.match.is_disputed],
        "api": rows[match.pk],
        "match": "Disputed" in page.content.decode(),
        **{
            player.name: find_next_task(player, list_my_matches(player), None, rounds).kind == "disputed"
            for player in (match.p1, match.p2)
        },
    }


def test_every_page_says_the_same_of_any_two_reports(event: Event, client: Client) -> None:
    match = open_matches(publish_next(event))[0]
    sign_in_organizer(client)
    wrong = []
    for claims in product(SAYS, repeat=2) if machine.whole() else DAILY_CLAIMS:
        give_reports(match, claims)
        is_expected = None not in claims and claims[0] != claims[1]
        disputed_places = where_it_is_disputed(event, match, client)
        wrong += [
            (claims, place) for place, is_disputed in disputed_places.items() if is_disputed != is_expected
        ]
    assert wrong == []


def test_match_with_a_result_is_not_disputed(event: Event) -> None:
    match = open_matches(publish_next(event))[0]
    give_reports(match, (SAYS[1], SAYS[5]))
    results.enter_result(match, organizer(), p1_games=1, reason="asked both")
    assert not Match.objects.get(pk=match.pk).is_disputed


def test_reports_that_agree_after_the_result_was_taken_back_ask_to_confirm(event: Event) -> None:
    match = open_matches(publish_next(event))[0]
    for player in (match.p1, match.p2):
        results.report_result(match, player, p1_games=1)
    results.clear_result(match, organizer())
    player = match.p1
    assert find_next_task(player, list_my_matches(player), None, [match.round]).kind == "confirm"
    results.report_result(match, player, p1_games=1)
    assert Match.objects.get(pk=match.pk).outcome == "p1"


def test_player_confirms_only_what_the_page_showed(event: Event, client: Client) -> None:
    match = open_matches(publish_next(event))[0]
    results.report_result(match, match.p1, p1_games=1)
    seen_mark = match.reports.get().reported_at.isoformat()
    results.report_result(match, match.p1, p1_games=1, ending="head_shot")
    form_values = {"match": match.pk, "score": "0-1-0", "seen": seen_mark}
    answer = client.post(f"/p/{match.p2.token}/confirm/", form_values, follow=True)
    assert [str(message) for message in answer.context["messages"]] == [
        f"{match.p1} changed the report after you opened it. Check it again before you confirm."
    ]
    assert not Match.objects.get(pk=match.pk).is_finished
    client.post(
        f"/p/{match.p2.token}/confirm/", {**form_values, "seen": match.reports.get().reported_at.isoformat()}
    )
    confirmed_match = Match.objects.get(pk=match.pk)
    assert (confirmed_match.outcome, confirmed_match.ending) == ("p1", "head_shot")


@pytest.mark.both_databases
def test_both_see_how_the_other_says_it_ended(event: Event, client: Client) -> None:
    match = open_matches(publish_next(event))[0]
    give_reports(match, (SAYS[1], SAYS[2]))
    page = get(client, f"/p/{match.p1.token}/")
    assert f"{match.p1} won 2-0 ({match.p2} conceded)" in page
