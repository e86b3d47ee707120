"""Pods as pages, sheets and programs show them.

They have seats in order, and who passes to whom.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from decks.shared.json_shapes import Published
from rules.limited import LEFT, DraftPods
from tournament.booster_drafts.models import PodSeat
from tournament.engine.booster_pods import choose_pod_sizes, find_neighbors
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.events.name_order import sort_players
from tournament.events.selectors import get_limited_play

Phase = Event.Phase


@dataclass(frozen=True, slots=True)
class SeatView(Published):
    """One seat: who sits there, and their neighbors.

    `first` gets the first pack that is passed on.
    """

    PUBLISHED = {
        "pod": "pod",
        "seat": "seat",
        "player": "player.number",
        "name": "player.name",
        "left": "left.number",
        "right": "right.number",
    }
    pod: int
    seat: int
    player: Player
    left: Player
    right: Player
    first: Player

    @property
    def is_alone(self) -> bool:
        """Whether there is no one to pass to."""
        return self.left == self.player


@dataclass(frozen=True, slots=True)
class PodView:
    """One pod with its seats in order."""

    number: int
    seats: tuple[SeatView, ...]


def get_draft_pods(event: Event) -> DraftPods | None:
    """Return what the format says about pods; None if no packs are passed. No query."""
    limited = get_limited_play(event)
    return limited.pods if limited else None


def list_pods(event: Event) -> list[PodView]:
    """Return the pods of an event by number. One query."""
    rules = get_draft_pods(event)
    seats = list(event.pod_seats.select_related("player")) if rules else []
    is_left_first = rules is None or rules.first == LEFT
    by_pod: dict[int, list[PodSeat]] = {}
    for seat in seats:
        by_pod.setdefault(seat.pod, []).append(seat)
    return [PodView(pod, tuple(_view_seats(each, is_left_first))) for pod, each in by_pod.items()]


def _view_seats(seats: Sequence[PodSeat], is_left_first: bool) -> Iterable[SeatView]:
    players = {seat.seat: seat.player for seat in seats}
    for seat in seats:
        left, right = (players[number] for number in find_neighbors(players, seat.seat))
        first = left if is_left_first else right
        yield SeatView(seat.pod, seat.seat, seat.player, left, right, first)


def sort_seats(event: Event, pods: Iterable[PodView]) -> list[SeatView]:
    """Return all seats by the names of the players, as the event sorts names."""
    seats = {seat.player.pk: seat for pod in pods for seat in pod.seats}
    return [seats[player.pk] for player in sort_players(event, [seat.player for seat in seats.values()])]


def find_seat_of(player: Player) -> SeatView | None:
    """Return the seat of one player. One query for an event with pods, else none."""
    seats = (seat for pod in list_pods(player.event) for seat in pod.seats)
    return next((seat for seat in seats if seat.player == player), None)


def map_pods(event: Event) -> Mapping[int, int]:
    """Return the pod of each player by the ids of players. One query."""
    return dict(event.pod_seats.values_list("player_id", "pod"))


def count_largest_pod(event: Event, players: int) -> int:
    """Return how many players are in the largest pod.

    Before pods are seated, this is for a given number of players. One query for an event with pods, else
    none.
    """
    rules = get_draft_pods(event)
    if rules is None:
        return players
    seats = event.pod_seats.filter(player__in=_list_players_who_are_in(event))
    sizes = Counter(seats.values_list("pod", flat=True)).values()
    return max(
        sizes or choose_pod_sizes(players, least=rules.least, most=rules.most, usual=rules.usual), default=0
    )


def list_draft_players(event: Event) -> QuerySet[Player]:
    """Return the players who can sit in a pod.

    A player must be in, and checked in while check-in is open.
    """
    players = _list_players_who_are_in(event)
    return players.filter(checked_in_at__isnull=False) if event.phase == Phase.CHECK_IN else players


def _list_players_who_are_in(event: Event) -> QuerySet[Player]:
    return event.players.filter(status=Player.Status.REGISTERED, dropped_after__isnull=True)


def list_unseated_players(event: Event) -> list[Player]:
    """List players who could sit in a pod and do not. One query."""
    return sort_players(event, list_draft_players(event).filter(pod_seat__isnull=True))


def has_draft_begun(event: Event) -> bool:
    """Return whether the build clock was started or a round published.

    Two queries at most.
    """
    published_rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    return event.build_clock.filter(act="start").exists() or published_rounds.exists()
