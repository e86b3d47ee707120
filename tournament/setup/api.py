"""API of events: list, create, change settings, open/close phases, start, finish."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import Q
from django.http import Http404
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import generics, serializers
from rest_framework.permissions import IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, StrictView, optional_text, read_body, refuse_body
from tournament.access.permissions import Actor, Right
from tournament.events.models.event import Event
from tournament.events.selectors import IS_PUBLIC
from tournament.setup.services import copies, events
from tournament.setup.services.extra_round import MOST_ROUNDS, add_round
from tournament.web import api as web_api
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView


class StartSerializer(StrictSerializer):
    """Options for starting an event."""

    drop_missing = serializers.BooleanField(default=False)


@extend_schema_view(
    get=extend_schema(
        summary="List the public events, except archived ones, and those you help run",
        responses={200: web_api.EventSerializer(many=True), **READ_REFUSALS},
    ),
    post=extend_schema(
        summary="Create an event that you own", responses={201: web_api.EventSerializer, **REFUSALS}
    ),
)
class Events(StrictView, generics.ListCreateAPIView):
    """All events."""

    serializer_class = web_api.EventSerializer
    permission_classes = [IsAuthenticatedOrReadOnly]

    def get_queryset(self) -> Any:
        public = IS_PUBLIC & Q(archived_at=None)
        user = self.request.user
        return Event.objects.filter(
            public | Q(staff__user=user) if user.is_authenticated else public
        ).distinct()

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        values = read_body(web_api.EventSerializer, request)
        event = events.create_event(Actor.of_user(request.user), **values)
        return Response(self.get_serializer(event).data, status=201)


class CopySerializer(StrictSerializer):
    """A copy of an event.

    Without a name or start it has the next number and the next week.
    """

    name = serializers.CharField(max_length=120, required=False)
    starts_at = serializers.DateTimeField(required=False)
    with_staff = serializers.BooleanField(default=False)
    open_registration = serializers.BooleanField(default=False)


class Copies(EventView):
    """Copies of an event."""

    @extend_schema(
        summary="Copy an event: settings and, if asked, staff, but no players and rounds",
        request=CopySerializer,
        responses={201: web_api.EventSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        values = read_body(CopySerializer, request)
        values.setdefault("name", copies.suggest_name(event))
        values.setdefault("starts_at", copies.suggest_start(event))
        copied_event = copies.copy_event(event, self.actor, **values)
        return Response(web_api.EventSerializer(copied_event).data, status=201)


class OneEvent(EventView):
    """One event."""

    @extend_schema(summary="Show an event", responses={200: web_api.EventSerializer, **READ_REFUSALS})
    def get(self, request: Request, slug: str) -> Response:
        return Response(web_api.EventSerializer(self.event()).data)

    @extend_schema(
        summary="Change the settings of an event",
        request=web_api.EventSerializer(partial=True),
        responses={200: web_api.EventSerializer, **REFUSALS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        serializer = web_api.EventSerializer(event, data=request.data, partial=True)
        serializer.is_valid(raise_exception=True)
        values = {
            name: value
            for name, value in serializer.validated_data.items()
            if name in serializer.initial_data
        }
        events.update_event(event, self.actor, values)
        return Response(web_api.EventSerializer(event).data)


StepTable = dict[str, tuple[Right, Callable[[Event, Actor, Request], Any]]]


def _start_event(event: Event, actor: Actor, request: Request) -> None:
    events.start_event(event, actor, **read_body(StartSerializer, request))


EVENT_STEPS: StepTable = {
    "open-registration": (Right.MANAGE, lambda e, a, r: events.open_registration(e, a)),
    "open-check-in": (Right.MANAGE, lambda e, a, r: events.open_check_in(e, a)),
    "close-check-in": (Right.MANAGE, lambda e, a, r: events.close_check_in(e, a)),
    "start": (Right.PAIR, _start_event),
    "finish": (Right.MANAGE, lambda e, a, r: events.finish_event(e, a)),
    "archive": (Right.MANAGE, lambda e, a, r: events.archive_event(e, a)),
    "unarchive": (Right.MANAGE, lambda e, a, r: events.unarchive_event(e, a)),
}

STEP_NAME = OpenApiParameter("step", str, OpenApiParameter.PATH, enum=sorted(EVENT_STEPS))


class EventStep(EventView):
    """A step of the event."""

    @extend_schema(
        summary="Open or close registration or check-in, start, finish, archive or unarchive the event",
        parameters=[STEP_NAME],
        request=StartSerializer,
        responses={200: web_api.EventSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, step: str) -> Response:
        if step not in EVENT_STEPS:
            raise Http404
        right, run = EVENT_STEPS[step]
        event = self.event(right)
        if step != "start":
            refuse_body(request)
        run(event, self.actor, request)
        return Response(web_api.EventSerializer(event).data)


class ExtraRoundSerializer(StrictSerializer):
    """`number` is the round to add.

    If it was added meanwhile, nothing changes. Leave it out for the next.
    """

    number = serializers.IntegerField(
        source="seen_number", required=False, min_value=1, max_value=MOST_ROUNDS * 6
    )
    reason = optional_text(400, source="why")


class ExtraRound(EventView):
    """An extra round."""

    @extend_schema(
        summary="Add a Swiss round after the planned ones",
        request=ExtraRoundSerializer,
        responses={200: web_api.EventSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        add_round(event, self.actor, **read_body(ExtraRoundSerializer, request))
        event.refresh_from_db()
        return Response(web_api.EventSerializer(event).data)
