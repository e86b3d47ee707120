"""API of draft pods: show, seat and change them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict, cast

from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, read_body
from decks.shared.dataclass_serializers import serializer_of
from rules.limited import DIRECTIONS, FEWEST_IN_POD, MOST_IN_POD
from tournament.access.permissions import Actor, Right
from tournament.booster_drafts import selectors, services
from tournament.booster_drafts.selectors import SeatView
from tournament.events.models.event import Event
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView


def _player_number(*, is_required: bool = True) -> serializers.IntegerField:
    return serializers.IntegerField(required=is_required, min_value=1, max_value=2**31 - 1)


SeatSerializer = serializer_of(
    SeatView, "SeatSerializer", "One seat of a pod. `left` and `right` are the numbers of the neighbors."
)


class PodsSerializer(StrictSerializer):
    """The pods of a booster draft, seat by seat. Empty before they are seated."""

    first = serializers.ChoiceField(DIRECTIONS, allow_null=True, help_text="Where the first pack goes.")
    packs = serializers.IntegerField(help_text="Packs that each player opens and passes.")
    seed = serializers.IntegerField(allow_null=True, help_text="The seed that decided who sits where.")
    seats = SeatSerializer(many=True)


class SeatPodsSerializer(StrictSerializer):
    """The number of players per pod, if it differs from that of the format."""

    size = serializers.IntegerField(required=False, min_value=FEWEST_IN_POD, max_value=MOST_IN_POD)


class SwapSerializer(StrictSerializer):
    """Two players who change seats, by their numbers."""

    one = _player_number()
    two = _player_number()


class AddSerializer(StrictSerializer):
    """A player who gets the last seat of a pod; the next number makes a new pod."""

    player = _player_number()
    pod = serializers.IntegerField(min_value=1, max_value=services.MOST_PODS)


class RemoveSerializer(StrictSerializer):
    """A player who leaves their pod."""

    player = _player_number()


class ChangeValues(TypedDict, total=False):
    """The request for a change of seats."""

    one: int
    two: int
    player: int
    pod: int


Change = Callable[[Event, Actor, ChangeValues], None]

CHANGES: dict[str, tuple[type[StrictSerializer], Change]] = {
    "swap": (SwapSerializer, lambda e, a, v: services.swap_seats(e, a, v["one"], v["two"])),
    "add": (AddSerializer, lambda e, a, v: services.add_to_pod(e, a, v["player"], v["pod"])),
    "remove": (RemoveSerializer, lambda e, a, v: services.remove_from_pod(e, a, v["player"])),
}


class PodChangeSerializer(StrictSerializer):
    """A change of a pod.

    `swap` reads `one` and `two`, `add` reads `player` and `pod`, `remove` reads `player`.
    """

    one = _player_number(is_required=False)
    two = _player_number(is_required=False)
    player = _player_number(is_required=False)
    pod = serializers.IntegerField(required=False, min_value=1, max_value=services.MOST_PODS)


def _pods_data(event: Event) -> dict[str, object]:
    rules, seating = selectors.get_draft_pods(event), getattr(event, "pod_seating", None)
    seats = [seat.to_json() for pod in selectors.list_pods(event) for seat in pod.seats]
    return {
        "first": rules.first if rules else None,
        "packs": rules.packs if rules else 0,
        "seed": seating.seed if seating else None,
        "seats": seats,
    }


class DraftPodSeats(EventView):
    """The pods of an event."""

    @extend_schema(
        summary="Show the pods of a booster draft", responses={200: PodsSerializer, **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(_pods_data(self.event()))

    @extend_schema(
        operation_id="events_draft_pods_seat",
        summary="Seat all players who are here in pods at random",
        request=SeatPodsSerializer,
        responses={200: PodsSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PAIR)
        values = read_body(SeatPodsSerializer, request)
        services.seat_pods(event, self.actor, size=values.get("size"))
        return Response(_pods_data(Event.objects.get(pk=event.pk)))


class DraftPodChange(EventView):
    """A change of single seats."""

    @extend_schema(
        operation_id="events_draft_pods_change",
        summary="Swap two players, add one to a pod, or take one out",
        parameters=[OpenApiParameter("change", str, OpenApiParameter.PATH, enum=sorted(CHANGES))],
        request=PodChangeSerializer,
        responses={200: PodsSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, change: str) -> Response:
        event = self.event(Right.PAIR)
        if change not in CHANGES:
            raise Http404
        serializer, run = CHANGES[change]
        run(event, self.actor, cast(ChangeValues, read_body(serializer, request)))
        return Response(_pods_data(event))
