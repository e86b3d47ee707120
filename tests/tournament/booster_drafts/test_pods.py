"""Seating of pods.

Pods are seated at random, changed by hand, undone, and closed once the draft has begun.
"""

from __future__ import annotations

import pytest

from decks.shared.refusals import Refused
from tests.scenarios.factories import add_players, built_once, make_event, organizer
from tournament.booster_drafts import services
from tournament.booster_drafts.models import PodSeat, PodSeating
from tournament.booster_drafts.selectors import find_seat_of, list_pods, list_unseated_players
from tournament.clock import selectors as clock
from tournament.clock import services as clock_services
from tournament.events.models.event import Event
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

Seats = dict[str, tuple[int, int]]


@built_once
def draft_event(players: int = 12, **values: object) -> Event:
    event = make_event(format="draft", **values)
    add_players(event, players)
    events.start_event(event, organizer())
    return Event.objects.get(pk=event.pk)


def seats_of(event: Event) -> Seats:
    rows = PodSeat.objects.filter(event=event).values_list("player__name", "pod", "seat")
    return {name: (pod, seat) for name, pod, seat in rows}


def undo_last(event: Event) -> None:
    undo_step(LogEntry.objects.filter(event=event).first(), organizer())


def test_seat_pods_of_twelve_makes_two_pods_of_six() -> None:
    event = draft_event()

    services.seat_pods(event, organizer())

    seats = seats_of(event)
    assert sorted(seats.values()) == [(pod, seat) for pod in (1, 2) for seat in range(1, 7)]
    assert PodSeating.objects.get(event=event).attempt == 1
    entry = LogEntry.objects.filter(event=event).first()
    assert entry is not None
    assert (entry.code, entry.params) == ("pods_seated", {"players": 12, "pods": 2})


@pytest.mark.both_databases
def test_seat_pods_twice_draws_again_with_another_seed() -> None:
    event = draft_event()
    services.seat_pods(event, organizer())
    first, seed = seats_of(event), PodSeating.objects.get(event=event).seed

    services.seat_pods(event, organizer(), size=4)

    seating = PodSeating.objects.get(event=event)
    assert (seating.attempt, seating.size) == (2, 4)
    assert seating.seed != seed
    assert seats_of(event) != first
    assert max(pod for pod, _ in seats_of(event).values()) == 3


def test_seat_pods_during_check_in_seats_players_who_are_checked_in() -> None:
    event = make_event(format="draft")
    players = add_players(event, 8)
    events.open_check_in(event, organizer())
    event = Event.objects.get(pk=event.pk)
    for player in players[:5]:
        registration.check_in(player, organizer())

    services.seat_pods(event, organizer())

    assert set(seats_of(event)) == {player.name for player in players[:5]}
    assert list_unseated_players(event) == []


@pytest.mark.both_databases
def test_undo_seated_again_brings_the_first_seats_back() -> None:
    event = draft_event()
    services.seat_pods(event, organizer())
    first = seats_of(event)
    services.seat_pods(event, organizer())

    undo_last(event)

    assert seats_of(event) == first


def test_swap_seats_exchanges_two_players_and_undo_brings_them_back() -> None:
    event = draft_event()
    services.seat_pods(event, organizer())
    before = seats_of(event)
    one, two = event.players.get(name="Alice"), event.players.get(name="Bob")

    services.swap_seats(event, organizer(), one.number, two.number)

    after = seats_of(event)
    assert (after["Alice"], after["Bob"]) == (before["Bob"], before["Alice"])
    undo_last(event)
    assert seats_of(event) == before


@pytest.mark.both_databases
def test_remove_from_pod_moves_players_behind_up_and_undo_brings_them_back() -> None:
    event = draft_event(8)
    services.seat_pods(event, organizer())
    before = seats_of(event)
    second = next(name for name, seat in before.items() if seat == (1, 2))

    services.remove_from_pod(event, organizer(), event.players.get(name=second).number)

    assert sorted(seats_of(event).values()) == [(1, seat) for seat in range(1, 8)]
    assert [player.name for player in list_unseated_players(event)] == [second]
    undo_last(event)
    assert seats_of(event) == before


@pytest.mark.both_databases
def test_add_to_pod_gives_a_late_player_the_last_seat() -> None:
    event = draft_event(8)
    services.seat_pods(event, organizer())
    late = registration.add_player(event, organizer(), name="Late")

    services.add_to_pod(event, organizer(), late.number, 1)

    assert seats_of(event)["Late"] == (1, 9)
    with pytest.raises(Refused) as refusal:
        services.add_to_pod(event, organizer(), late.number, 2)
    assert refusal.value.code == "already_in_a_pod"


@pytest.mark.parametrize(
    ("number", "pod", "code"), [(99, 1, "not_for_a_pod"), (9, 3, "no_such_pod"), (9, 0, "no_such_pod")]
)
def test_add_to_pod_unknown_player_or_pod_refuses(number: int, pod: int, code: str) -> None:
    event = draft_event(8)
    services.seat_pods(event, organizer())
    registration.add_player(event, organizer(), name="Late")

    with pytest.raises(Refused) as refusal:
        services.add_to_pod(event, organizer(), number, pod)

    assert refusal.value.code == code


def test_seat_pods_once_the_build_clock_runs_refuses() -> None:
    event = draft_event(8)
    services.seat_pods(event, organizer())
    build_time = clock.find_timed(event)
    assert build_time is not None
    clock_services.start_clock(build_time, organizer())

    with pytest.raises(Refused) as refusal:
        services.seat_pods(event, organizer())

    assert refusal.value.code == "draft_has_begun"


@pytest.mark.parametrize(("size", "code"), [(1, "pod_size_wrong"), (17, "pod_size_wrong")])
def test_seat_pods_of_an_impossible_size_refuses(size: int, code: str) -> None:
    with pytest.raises(Refused) as refusal:
        services.seat_pods(draft_event(8), organizer(), size=size)

    assert refusal.value.code == code


def test_seat_pods_of_a_sealed_event_refuses() -> None:
    event = make_event(format="sealed")
    add_players(event, 4)
    events.start_event(event, organizer())

    with pytest.raises(Refused) as refusal:
        services.seat_pods(Event.objects.get(pk=event.pk), organizer())

    assert refusal.value.code == "format_without_pods"


def test_seat_pods_before_check_in_refuses() -> None:
    event = make_event(format="draft")
    add_players(event, 8)

    with pytest.raises(Refused) as refusal:
        services.seat_pods(event, organizer())

    assert refusal.value.code == "pods_not_now"


def test_swap_seats_while_a_round_is_played_refuses() -> None:
    event = draft_event(8)
    services.seat_pods(event, organizer())
    rounds.pair_next_round(event, organizer())

    with pytest.raises(Refused) as refusal:
        services.swap_seats(event, organizer(), 1, 2)

    assert refusal.value.code == "pods_during_round"


def test_find_seat_of_says_who_gets_the_first_pack() -> None:
    event = draft_event(6)
    services.seat_pods(event, organizer())

    [pod] = list_pods(event)

    names = [seat.player.name for seat in pod.seats]
    for at, seat in enumerate(pod.seats):
        assert seat.left.name == names[(at + 1) % 6]
        assert seat.right.name == names[at - 1]
        assert seat.first == seat.left
    assert find_seat_of(event.players.get(name=names[4])) == pod.seats[4]
