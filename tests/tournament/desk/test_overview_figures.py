"""The figures on the first page of the console.

They count who is in the stage that is being played.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client

from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    open_matches,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
    win,
)
from tests.scenarios.public_pages import text_of
from tournament.brackets.services import cut as cuts
from tournament.brackets.services import stages
from tournament.desk.selectors import get_overview
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.registration import services as registration
from tournament.results.services import drops
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

TWO_SWISS = [{"kind": "swiss", "rounds": 1}, {"kind": "swiss", "rounds": 2, "size": 4}]
INTO_A_BRACKET = [{"kind": "swiss", "rounds": 1}, {"kind": "single", "size": 4}]


def figures(event: Event) -> dict[str, object]:
    overview = get_overview(Event.objects.get(pk=event.pk))
    lists = {
        "without_list": len(overview.players_without_list),
        "lists_to_correct": len(overview.lists_to_correct),
    }
    absent_counts = {"missing": len(overview.missing_players), "waiting": overview.waiting_count}
    return {
        "playing": overview.players, "of": overview.stage_players, "dropped": overview.dropped_count,
        "checked_in": overview.checked_in_count, **absent_counts, **lists,
    }  # fmt: skip


@built_once
def after_first_stage(plan: list[dict[str, object]]) -> Event:
    """Return an event of eight players after round 1, with one who has dropped.

    Three players are checked in, and one is waiting.
    """
    event = make_event(plan=plan, capacity=8, decklists_required=True)
    people = add_players(event, 8)
    registration.add_player(event, organizer(), name="Waiting")
    events.open_check_in(event, organizer())
    for player in people[:3]:
        registration.check_in(player, organizer())
    events.start_event(event, organizer())
    play_round(event)
    last = event.players.select_related("event").get(number=8)
    registration.drop(last, organizer())
    return event


def test_in_the_first_stage_all_active_players_are_counted() -> None:
    assert figures(after_first_stage(TWO_SWISS)) == {
        "playing": 7, "of": None, "dropped": 1, "checked_in": 3, "missing": 4, "waiting": 1,
        "without_list": 7, "lists_to_correct": 0,
    }  # fmt: skip


def test_in_a_second_stage_only_who_came_into_it_is_counted() -> None:
    event = after_first_stage(TWO_SWISS)
    stages.begin_next_stage(event, organizer())
    here = list(
        event.stages.get(position=2).entrants.order_by("seed").values_list("player__number", flat=True)
    )
    in_hall = sum(number <= 3 for number in here)
    assert figures(event) == {
        "playing": 4, "of": 4, "dropped": 0, "checked_in": in_hall, "missing": 4 - in_hall, "waiting": 0,
        "without_list": 4, "lists_to_correct": 0,
    }  # fmt: skip
    publish_next(event)
    registration.drop(event.players.select_related("event").get(number=here[0]), organizer())
    assert (figures(event)["playing"], figures(event)["dropped"]) == (3, 1)


def test_in_a_bracket_who_is_beaten_plays_no_more() -> None:
    event = after_first_stage(INTO_A_BRACKET)
    cuts.make_cut(event, organizer())
    assert (figures(event)["playing"], figures(event)["of"]) == (4, 4)
    first = event.stages.get(kind="single").rounds.get(number=1)
    win(open_matches(first)[0])
    assert figures(event)["playing"] == 3
    for match in Match.objects.select_related("round__stage__event", "p1", "p2").filter(outcome=""):
        win(match)
    assert (figures(event)["playing"], figures(event)["of"]) == (2, 4)


@pytest.mark.parametrize("plan", [TWO_SWISS, INTO_A_BRACKET, [{"kind": "single"}]])
def test_when_the_event_is_over_the_closing_report_comes_next(plan: list[dict[str, object]]) -> None:
    event = make_event(plan=plan)
    Event.objects.filter(pk=event.pk).update(phase=Event.Phase.FINISHED)
    step = get_overview(Event.objects.get(pk=event.pk)).step
    assert (step.url_name, step.is_link) == ("report", True)


def test_after_the_end_the_day_counts_who_took_part(client: Client) -> None:
    event = started_event(4, swiss_rounds=1)
    play_round(event)
    dropped_player = event.players.order_by("number").last()
    drops.drop(dropped_player, organizer())
    events.finish_event(event, organizer())
    sign_in_organizer(client)
    page = text_of(client.get(f"/console/{event.slug}/"))
    assert "4 Players" in page
    assert "1 Dropped" in page
    assert "registered" not in page


def test_my_events_show_the_time_at_the_place(client: Client) -> None:
    event = make_event(starts_at=datetime(2026, 12, 12, 9, 0, tzinfo=UTC), time_zone="Europe/Berlin")
    sign_in_organizer(client)
    page = text_of(client.get("/console/"))
    assert "Sat 12 Dec 2026, 10:00 (CET)" in page
    assert event.name in page


@pytest.mark.parametrize(
    ("phase", "title"),
    [("check_in", "Start the event"), ("swiss", "Pair a round"), ("finished", "Finish the event")],
)
def test_overview_links_to_the_how_to_of_its_phase(phase: str, title: str, client: Client) -> None:
    event = make_event()
    Event.objects.filter(pk=event.pk).update(phase=phase)
    sign_in_organizer(client)
    assert f"How to: {title}" in text_of(client.get(f"/console/{event.slug}/"))
