"""Events, their steps, standings, cut, log and archive."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.db.models import Q
from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import generics
from rest_framework.permissions import IsAuthenticated, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournament.api import serializers as shapes
from tournament.api.base import READ_REFUSALS, REFUSALS, EventView
from tournament.models import Event
from tournament.permissions import Right
from tournament.selectors.archive import archive
from tournament.selectors.groups import standings_in_parts
from tournament.selectors.standings import system_of
from tournament.services import events
from tournament.services.actor import Actor
from tournament.services.archive import restore_event


@extend_schema_view(
    get=extend_schema(
        summary="Events that are public, and those you help to run",
        responses={200: shapes.EventSerializer(many=True)},
    ),
    post=extend_schema(
        summary="Create an event that you own", responses={201: shapes.EventSerializer, **REFUSALS}
    ),
)
class Events(generics.ListCreateAPIView):
    """All events."""

    serializer_class = shapes.EventSerializer
    permission_classes = [IsAuthenticatedOrReadOnly]

    def get_queryset(self) -> Any:
        public = ~Q(phase=Event.Phase.PREPARING)
        person = self.request.user
        return Event.objects.filter(
            public | Q(staff__user=person) if person.is_authenticated else public
        ).distinct()

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        asked = self.get_serializer(data=request.data)
        asked.is_valid(raise_exception=True)
        event = events.create_event(Actor.of_user(request.user), **asked.validated_data)
        return Response(self.get_serializer(event).data, status=201)


class OneEvent(EventView):
    """One event."""

    @extend_schema(summary="One event", responses={200: shapes.EventSerializer, **READ_REFUSALS})
    def get(self, request: Request, slug: str) -> Response:
        return Response(shapes.EventSerializer(self.event()).data)

    @extend_schema(
        summary="Change settings",
        request=shapes.EventSerializer(partial=True),
        responses={200: shapes.EventSerializer, **REFUSALS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        asked = shapes.EventSerializer(event, data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        values = {name: value for name, value in asked.validated_data.items() if name in asked.initial_data}
        events.update_event(event, self.actor, values)
        return Response(shapes.EventSerializer(event).data)


Steps = dict[str, tuple[Right, Callable[[Event, Actor, Request], Any]]]


def _start(event: Event, actor: Actor, request: Request) -> None:
    asked = shapes.StartSerializer(data=request.data)
    asked.is_valid(raise_exception=True)
    events.start_event(event, actor, **asked.validated_data)


STEPS: Steps = {
    "open-registration": (Right.MANAGE, lambda e, a, r: events.open_registration(e, a)),
    "open-check-in": (Right.MANAGE, lambda e, a, r: events.open_check_in(e, a)),
    "close-check-in": (Right.MANAGE, lambda e, a, r: events.close_check_in(e, a)),
    "start": (Right.PAIR, _start),
    "finish": (Right.MANAGE, lambda e, a, r: events.finish_event(e, a)),
}
STEP_NAME = OpenApiParameter("step", str, OpenApiParameter.PATH, enum=sorted(STEPS))


class EventStep(EventView):
    """A step of the event itself."""

    @extend_schema(
        summary="Open or close registration and check-in, start, finish",
        parameters=[STEP_NAME],
        request=shapes.StartSerializer,
        responses={200: shapes.EventSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, step: str) -> Response:
        if step not in STEPS:
            raise Http404
        right, act = STEPS[step]
        event = self.event(right)
        act(event, self.actor, request)
        return Response(shapes.EventSerializer(event).data)


AFTER = OpenApiParameter("after", int, description="Standings after this round; the present ones without it.")


class Standings(EventView):
    """The standings of the Swiss rounds."""

    @extend_schema(
        summary="Standings, exact; of a stage in groups one group after the other",
        parameters=[AFTER],
        responses={200: shapes.StandingSerializer(many=True), **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        after = request.query_params.get("after", "")
        number = int(after) if after.isdecimal() and len(after) < 4 else None
        keys = [tiebreaker.key for tiebreaker in system_of(event).tiebreakers]
        parts = standings_in_parts(event, after_round=number)
        return Response([shapes.standing(line, keys, part.group) for part in parts for line in part.lines])


class Log(EventView):
    """What happened, newest first."""

    @extend_schema(
        summary="The last 200 lines of the log",
        responses={200: shapes.LogEntrySerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(Right.SEE)
        return Response(shapes.LogEntrySerializer(event.log.all()[:200], many=True).data)


class Archive(EventView):
    """The whole event as one document."""

    @extend_schema(summary="Export the event", responses={200: OpenApiTypes.OBJECT, **READ_REFUSALS})
    def get(self, request: Request, slug: str) -> Response:
        return Response(archive(self.event(Right.EXPORT)))


class Archives(APIView):
    """Archived events come back."""

    permission_classes = [IsAuthenticated]

    @extend_schema(
        summary="Import an archived event",
        request=OpenApiTypes.OBJECT,
        responses={201: shapes.EventSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        event = restore_event(json.dumps(request.data), Actor.of_user(request.user))
        return Response(shapes.EventSerializer(event).data, status=201)
