"""The build time, which has the clock of a round.

It can be started, paused, extended and ended until round 1 is published.
"""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.test import Client

from decks.shared.refusals import Conflict, Refused
from tests.scenarios.factories import add_players, make_event, make_user, organizer
from tests.tournament.booster_drafts.test_pods import draft_event, undo_last
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.booster_drafts import services as pods
from tournament.booster_drafts.models import PodSeat
from tournament.clock import services
from tournament.clock.build_time import BuildTime, find_build_time
from tournament.clock.models import BuildClockEntry
from tournament.clock.selectors import find_timed, get_build_clock, get_event_clock
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.round import Round
from tournament.log.models import LogEntry
from tournament.pairing.services import rounds
from tournament.setup.services.copies import copy_event

pytestmark = pytest.mark.django_db


def build_time_of(event: Event) -> BuildTime:
    timed_round = find_timed(event)
    assert isinstance(timed_round, BuildTime)
    return timed_round


def codes(event: Event) -> list[str]:
    return [entry.code for entry in LogEntry.objects.filter(event=event).order_by("pk")]


@pytest.mark.parametrize(("key", "minutes"), [("draft", 60), ("sealed", 40)])
def test_start_clock_without_minutes_takes_those_of_the_format(key: str, minutes: int) -> None:
    event = make_event(format=key)

    services.start_clock(build_time_of(event), organizer())

    clock = get_event_clock(event)
    assert clock is not None
    assert (clock.is_build, clock.length, clock.phase) == (True, minutes * 60, "running")
    assert clock.to_json()["round"] is None
    assert codes(event)[-1] == "clock_started.build"


def test_clock_of_the_build_time_pauses_extends_and_ends() -> None:
    event = draft_event(4)
    timed_round = build_time_of(event)
    services.start_clock(timed_round, organizer(), minutes=30)
    services.pause_clock(timed_round, organizer())
    services.resume_clock(timed_round, organizer())
    services.change_time(timed_round, organizer(), minutes=5)
    services.change_time(timed_round, organizer(), minutes=-2)

    entries = list(BuildClockEntry.objects.filter(event=event))
    clock = get_build_clock(event, entries[0].at + timedelta(minutes=10))
    assert clock is not None
    assert clock.remaining_seconds is not None
    assert 0 <= clock.remaining_seconds - 23 * 60 <= 5
    services.call_time(timed_round, organizer())

    end_result = get_build_clock(event)
    assert end_result is not None
    assert end_result.is_over
    assert codes(event)[-6:] == [
        "clock_started.build",
        "clock_paused.build",
        "clock_resumed.build",
        "time_changed.build",
        "time_changed.less_build",
        "time_called.build",
    ]


@pytest.mark.both_databases
def test_undo_started_build_clock_stops_it_and_it_starts_again() -> None:
    event = draft_event(4)
    services.start_clock(build_time_of(event), organizer())

    undo_last(event)

    assert get_event_clock(event) is None
    services.start_clock(build_time_of(event), organizer(), minutes=20)
    clock = get_event_clock(event)
    assert clock is not None
    assert clock.length == 1200


@pytest.mark.parametrize("minutes", [0, -1, 601])
def test_start_clock_with_impossible_minutes_refuses(minutes: int) -> None:
    with pytest.raises(Refused) as refusal:
        services.start_clock(build_time_of(draft_event(4)), organizer(), minutes=minutes)

    assert refusal.value.code == "minutes_wrong"


def test_build_time_ends_with_the_publication_of_round_one() -> None:
    event = draft_event(4)
    timed_round = build_time_of(event)
    services.start_clock(timed_round, organizer())
    draft = rounds.pair_next_round(event, organizer())
    assert find_build_time(event) is not None

    rounds.publish_round(draft, organizer())

    assert find_build_time(event) is None
    assert isinstance(find_timed(event), Round)
    with pytest.raises(Conflict) as refusal:
        services.pause_clock(timed_round, organizer())
    assert refusal.value.code == "build_time_gone"


def test_constructed_event_has_no_build_time() -> None:
    assert find_timed(make_event()) is None


def test_archive_brings_pods_and_build_time_back_and_undoes_them() -> None:
    event = draft_event(12)
    pods.seat_pods(event, organizer())
    services.start_clock(build_time_of(event), organizer(), minutes=25)
    document = json.loads(json.dumps(export_event(event)))

    back = restore_event(json.dumps(document), organizer())

    seats = [(row["player"], row["pod"], row["seat"]) for row in document["pod_seats"]]
    assert list(back.pod_seats.values_list("player__number", "pod", "seat")) == seats
    assert back.pod_seating.seed == event.pod_seating.seed
    clock = get_event_clock(back)
    assert clock is not None
    assert clock.length == 1500
    undo_entry = LogEntry.objects.filter(event=back, action="pods_seated").first()
    assert undo_entry is not None


def test_archive_without_pods_is_restored() -> None:
    document = json.loads(json.dumps(export_event(draft_event(4))))
    for name in ("pod_seating", "pod_seats", "build_clock"):
        del document[name]

    back = restore_event(json.dumps(document), organizer())

    assert not PodSeat.objects.filter(event=back).exists()


@pytest.mark.both_databases
def test_copy_of_a_draft_keeps_rounds_inside_pods_and_no_seats() -> None:
    event = draft_event(12, pairing_options={"inside_pods": True})
    pods.seat_pods(event, organizer())

    copied_event = copy_event(event, organizer(), name="Next", starts_at=event.starts_at)

    assert copied_event.pairing_options["inside_pods"] is True
    assert not copied_event.pod_seats.exists()


def staff_client(event: Event) -> Client:
    user = make_user("sam@example.org")
    StaffRole.objects.create(event=event, user=user, kind=StaffRole.Kind.ORGANIZER)
    client = Client()
    client.force_login(user)
    return client


def test_api_seats_pods_and_starts_the_build_time() -> None:
    event = draft_event(12)
    client = staff_client(event)
    address = f"/api/events/{event.slug}"

    answer = client.post(f"{address}/draft-pods/", {"size": 6}, content_type="application/json")
    assert answer.status_code == 200
    assert len(answer.json()["seats"]) == 12
    one, two = answer.json()["seats"][:2]
    swapped_part = client.post(
        f"{address}/draft-pods/swap/",
        {"one": one["player"], "two": two["player"]},
        content_type="application/json",
    )
    assert [seat["player"] for seat in swapped_part.json()["seats"][:2]] == [two["player"], one["player"]]
    started_process = client.post(f"{address}/clock/start/", {"minutes": 45}, content_type="application/json")
    assert (started_process.json()["is_build"], started_process.json()["length"]) == (True, 2700)
    response = client.post(f"{address}/draft-pods/", {}, content_type="application/json")
    assert (response.status_code, response.json()["problems"][0]["code"]) == (400, "draft_has_begun")
    assert Client().get(f"{address}/draft-pods/").json()["first"] == "left"


def test_api_without_pods_says_nothing_is_passed() -> None:
    event = make_event(format="sealed")
    add_players(event, 2)

    answer = Client().get(f"/api/events/{event.slug}/draft-pods/").json()

    assert answer == {"first": None, "packs": 0, "seed": None, "seats": []}
