"""Seat the pods of a booster draft, and change them by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from decks.shared.refusals import Refused
from rules.limited import FEWEST_IN_POD, MOST_IN_POD, DraftPods
from tournament.access.permissions import Actor
from tournament.booster_drafts.models import PodSeat, PodSeating
from tournament.booster_drafts.selectors import get_draft_pods, has_draft_begun, list_draft_players
from tournament.engine.booster_pods import seat_booster_pods
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.log.step import Recorder, step
from tournament.shared.hashes import derive_seed

Phase = Event.Phase

MOST_PODS = 999


def seat_pods(event: Event, actor: Actor, *, size: int | None = None) -> None:
    """Seat all present players in pods at random.

    They replace the players who sat there before. `size` is the number of players per pod where it is another
    than the format's. Raises Refused once the draft has begun.
    """
    with _changing_pods(event, actor) as (recorder, pods):
        if has_draft_begun(recorder.event):
            raise Refused("draft_has_begun")
        usual = pods.usual if size is None else size
        if not FEWEST_IN_POD <= usual <= MOST_IN_POD:
            raise Refused("pod_size_wrong", field="size", fewest=FEWEST_IN_POD, most=MOST_IN_POD)
        ids = dict(list_draft_players(recorder.event).values_list("number", "pk"))
        if len(ids) < FEWEST_IN_POD:
            raise Refused("too_few_for_pods")
        seating = _record_seating(recorder, usual)
        seats = seat_booster_pods(
            ids, seed=seating.seed, least=min(pods.least, usual), most=max(pods.most, usual), usual=usual
        )
        rows = [
            {"event_id": recorder.event.pk, "player_id": ids[number], "pod": pod, "seat": seat}
            for pod, numbers in enumerate(seats, 1)
            for seat, number in enumerate(numbers, 1)
        ]
        recorder.insert(PodSeat, rows)
        code = "pods_seated" if seating.attempt == 1 else "pods_seated.again"
        recorder.log(code, players=len(ids), pods=len(seats))


def _record_seating(recorder: Recorder, size: int) -> PodSeating:
    """Remove the previous seats and seating, and write a new seating.

    The new one has a seed of its own.
    """
    event = recorder.event
    before = PodSeating.objects.filter(event=event).first()
    attempt = before.attempt + 1 if before else 1
    recorder.remove(PodSeat.objects.filter(event=event))
    if before is not None:
        recorder.delete(before)
    seed = derive_seed(event.seed, "booster pods", attempt)
    return recorder.create(
        PodSeating(event=event, seed=seed, attempt=attempt, size=size, seated_at=recorder.now)
    )


def add_to_pod(event: Event, actor: Actor, number: int, pod: int) -> None:
    """Give a player the last seat of a pod; the next number makes a new pod.

    Raises Refused.
    """
    with _changing_pods(event, actor) as (recorder, _):
        player = _find_player(recorder.event, number)
        if PodSeat.objects.filter(player=player).exists():
            raise Refused("already_in_a_pod", field="player", player=player.name)
        seats = PodSeat.objects.filter(event=recorder.event)
        last_pod = seats.order_by("-pod").values_list("pod", flat=True).first() or 0
        if not 1 <= pod <= min(last_pod + 1, MOST_PODS):
            raise Refused("no_such_pod", field="pod", pod=pod, last=last_pod)
        last_seat = seats.filter(pod=pod).order_by("-seat").values_list("seat", flat=True).first() or 0
        recorder.create(PodSeat(event=recorder.event, player=player, pod=pod, seat=last_seat + 1))
        recorder.log("pod_seat_given", player=player, pod=pod, seat=last_seat + 1)


def remove_from_pod(event: Event, actor: Actor, number: int) -> None:
    """Take a player out of their pod; the players behind move up. Raises Refused."""
    with _changing_pods(event, actor) as (recorder, _):
        removed_seat = _find_seat(recorder.event, number)
        behind = list(
            PodSeat.objects.filter(event=recorder.event, pod=removed_seat.pod, seat__gt=removed_seat.seat)
        )
        recorder.delete(removed_seat)
        for seat in behind:
            recorder.update(seat, seat=seat.seat - 1)
        recorder.log("pod_seat_taken", player=removed_seat.player, pod=removed_seat.pod)


def swap_seats(event: Event, actor: Actor, one: int, two: int) -> None:
    """Swap the seats of two players, named by their numbers. Raises Refused."""
    with _changing_pods(event, actor) as (recorder, _):
        first, second = _find_seat(recorder.event, one), _find_seat(recorder.event, two)
        if first.pk == second.pk:
            raise Refused("same_pod_seat", player=first.player.name)
        for seat in (first, second):
            recorder.delete(seat)
        for player, place in ((first.player, second), (second.player, first)):
            recorder.create(PodSeat(event=recorder.event, player=player, pod=place.pod, seat=place.seat))
        recorder.log("pod_seats_swapped", one=first.player, two=second.player)


@contextmanager
def _changing_pods(event: Event, actor: Actor) -> Iterator[tuple[Recorder, DraftPods]]:
    with step(event, actor) as recorder:
        pods = get_draft_pods(recorder.event)
        if pods is None:
            raise Refused("format_without_pods")
        if recorder.event.phase not in (Phase.CHECK_IN, Phase.SWISS, Phase.CUT):
            raise Refused("pods_not_now", phase=recorder.event.get_phase_display())
        if Round.objects.filter(stage__event=event).exclude(state=Round.State.FINISHED).exists():
            raise Refused("pods_during_round")
        yield recorder, pods


def _find_player(event: Event, number: int) -> Player:
    player = list_draft_players(event).filter(number=number).first()
    if player is None:
        raise Refused("not_for_a_pod", field="player", number=number)
    return player


def _find_seat(event: Event, number: int) -> PodSeat:
    seat = PodSeat.objects.select_related("player").filter(event=event, player__number=number).first()
    if seat is None:
        raise Refused("not_in_a_pod", field="player", number=number)
    return seat
