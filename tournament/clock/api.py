"""API of the round clock and its options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import TypedDict, cast

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, optional_text, read_body, refuse_body
from decks.shared.dataclass_serializers import serializer_of
from decks.shared.refusals import Refused
from tournament.access.permissions import Actor, Right
from tournament.clock import selectors, services
from tournament.clock.build_time import BuildTime, Timed
from tournament.clock.options import MAX_MINUTES, ClockOptions
from tournament.clock.selectors import RoundClock, TableExtension
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView

TableTimeSerializer = serializer_of(
    TableExtension,
    "TableTimeSerializer",
    "Time given to one table.",
    fields={"phase": serializers.CharField()},
)


ClockSerializer = serializer_of(
    RoundClock,
    "ClockSerializer",
    "A clock at the server's `now`, in seconds. A hidden end is null.",
    # If no clock runs, the answer has no more than these.
    optional=RoundClock.PUBLISHED.keys() - {"now", "phase", "tables"},
    fields={
        "phase": serializers.CharField(help_text="none, not_started, running, warning, paused or time_called")
    },
)


class ClockActSerializer(StrictSerializer):
    """`minutes` and `table` belong to `more`.

    Without a table, all tables get the time. `minutes` belong to `start` too where it starts the build time
    of a limited format.
    """

    minutes = serializers.IntegerField(
        required=False, min_value=-services.MOST_MINUTES, max_value=MAX_MINUTES
    )
    table = serializers.IntegerField(required=False, min_value=1, max_value=99999)
    reason = optional_text(200)


class ClockActValues(TypedDict, total=False):
    """The request for a step of the clock."""

    minutes: int
    table: int
    reason: str


ClockOptionsSerializer = serializer_of(
    ClockOptions,
    "ClockOptionsSerializer",
    "Round timer settings in minutes. Null means the value of the rules.",
    fields={
        each.name: serializers.IntegerField(
            required=False, allow_null=True, min_value=0, max_value=MAX_MINUTES
        )
        for each in fields(ClockOptions)
    },
)


def _clock_data(event: Event) -> dict[str, object]:
    now = timezone.now()
    untimed_clock = {"now": now, "phase": "none", "extensions": ()}
    return ClockSerializer(selectors.get_event_clock(event, now) or untimed_clock).data


def _start(timed_part: Timed, actor: Actor, values: ClockActValues) -> None:
    services.start_clock(timed_part, actor, minutes=values.get("minutes"))


def _add_time(timed_part: Timed, actor: Actor, values: ClockActValues) -> None:
    if "minutes" not in values:
        raise Refused("minutes_wrong.missing", field="minutes")
    match = None
    if "table" in values:
        match = (
            timed_part.matches.filter(table=values["table"]).first()
            if isinstance(timed_part, Round)
            else None
        )
        if match is None:
            raise Refused("no_such_table", field="table", table=values["table"])
    services.change_time(timed_part, actor, minutes=values["minutes"], match=match, reason=values["reason"])


Act = Callable[[Timed, Actor, ClockActValues], None]


ACTS: dict[str, Act] = {
    "start": _start,
    "pause": lambda r, a, v: services.pause_clock(r, a, reason=v["reason"]),
    "resume": lambda r, a, v: services.resume_clock(r, a, reason=v["reason"]),
    "more": _add_time,
    "call-time": lambda r, a, v: services.call_time(r, a, reason=v["reason"]),
}


FIELDS_OF_ACTS: Mapping[str, tuple[str, ...]] = {"start": (), "more": ("minutes", "table", "reason")}


def _list_fields(act: str, timed_part: Timed | None) -> tuple[str, ...]:
    """List the fields that a step reads; a build time starts with minutes of its own."""
    if act == "start" and isinstance(timed_part, BuildTime):
        return ("minutes",)
    return FIELDS_OF_ACTS.get(act, ("reason",))


class Clock(EventView):
    """The clock of the current round, or before round 1 that of the build time."""

    @extend_schema(
        summary="Show the clock of the current round, with the server's time",
        responses={200: ClockSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(_clock_data(self.event()), headers={"Cache-Control": "no-store"})


class ClockAct(EventView):
    """A step of the clock."""

    @extend_schema(
        operation_id="events_clock_step",
        summary="Start, pause or resume the clock, give more time, or call time",
        parameters=[OpenApiParameter("act", str, OpenApiParameter.PATH, enum=sorted(ACTS))],
        request=ClockActSerializer,
        responses={200: ClockSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, act: str) -> Response:
        event = self.event(Right.SCORE)
        if act not in ACTS:
            raise Http404
        values = cast(ClockActValues, read_body(ClockActSerializer, request))
        timed_part = selectors.find_timed(event)
        refuse_body(request, _list_fields(act, timed_part))
        if timed_part is None:
            raise Refused("no_round")
        ACTS[act](timed_part, self.actor, values)
        return Response(_clock_data(event))


def _options(event: Event) -> dict[str, object]:
    return ClockOptionsSerializer(selectors.get_clock_options(event)).data


class EventClockOptions(EventView):
    """The round timer settings of an event."""

    @extend_schema(
        summary="Show the round timer settings", responses={200: ClockOptionsSerializer, **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(_options(self.event()))

    @extend_schema(
        summary="Change the round timer settings",
        request=ClockOptionsSerializer,
        responses={200: ClockOptionsSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        values = read_body(ClockOptionsSerializer, request)
        services.set_clock_options(event, self.actor, values)
        return Response(_options(event))
