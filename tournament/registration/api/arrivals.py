"""Who is missing, players as a table, and two registrations of one person: for staff."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access.rights import Right
from tournament.events import api_shapes as shapes
from tournament.registration import player_csv
from tournament.registration import services as registration
from tournament.registration.api import shapes as registration_shapes
from tournament.registration.player_table import player_table
from tournament.registration.selectors import missing
from tournament.registration.services import imports
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView, valid


class DroppedSerializer(serializers.Serializer):
    """How many were dropped as missing."""

    dropped = serializers.IntegerField()


class Missing(EventView):
    """Who has a place and is not checked in."""

    @extend_schema(
        summary="Who is missing", responses={200: shapes.PlayerSerializer(many=True), **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PLAYERS)
        return Response(shapes.PlayerSerializer(missing(event), many=True).data)

    @extend_schema(
        summary="Drop all who are missing, in one step; who waits and is here moves up",
        request=None,
        responses={200: DroppedSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        return Response({"dropped": registration.drop_missing(self.event(Right.PLAYERS), self.actor)})


class TableSerializer(serializers.Serializer):
    """Players as CSV."""

    csv = serializers.CharField()


class NewTableSerializer(serializers.Serializer):
    """A table to read in. Without the mark of a plan nothing is written."""

    csv = serializers.CharField(max_length=player_csv.LARGEST, trim_whitespace=False)
    mark = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=64,
        help_text="Of the plan to be carried out.",
    )


class PlannedSerializer(serializers.Serializer):
    """What one line does."""

    line = serializers.IntegerField(source="at")
    kind = serializers.ChoiceField(choices=["add", "change", "same", "refused"])
    name = serializers.CharField()
    changes = serializers.ListField(child=serializers.CharField())
    problems = serializers.SerializerMethodField()

    def get_problems(self, line: imports.Planned) -> list[str]:
        """Why it is refused, a sentence each."""
        return [problem.message for problem in line.problems]


class PlanSerializer(serializers.Serializer):
    """What a table does, line by line."""

    written = serializers.BooleanField()
    mark = serializers.CharField()
    notes = serializers.ListField(child=serializers.CharField())
    lines = PlannedSerializer(many=True)


class PlayerTable(EventView):
    """The players as a table."""

    @extend_schema(summary="All players as CSV", responses={200: TableSerializer, **READ_REFUSALS})
    def get(self, request: Request, slug: str) -> Response:
        return Response({"csv": player_table(self.event(Right.PLAYERS))})

    @extend_schema(
        summary="What a table would do; with the mark of that answer, do it",
        request=NewTableSerializer,
        responses={200: PlanSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PLAYERS)
        asked = valid(NewTableSerializer, request)
        table = player_csv.read(asked["csv"])
        if asked["mark"]:
            plan = imports.carry_out(event, self.actor, table, seen=asked["mark"])
        else:
            plan = imports.plan(event, table)
        answer: dict[str, Any] = {"written": bool(asked["mark"]), "notes": table.notes}
        answer |= {"mark": plan.mark, "lines": plan.lines}
        return Response(PlanSerializer(answer).data)


class PlayerMerge(EventView):
    """Two registrations of one person."""

    @extend_schema(
        summary="Make another registration one with this one",
        request=registration_shapes.MergeSerializer,
        responses={200: shapes.PlayerSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        event = self.event(Right.PLAYERS)
        kept = self.player(event)
        double = event.players.filter(
            number=valid(registration_shapes.MergeSerializer, request)["double"]
        ).first()
        if double is None:
            raise Http404("There is no player with this number.")
        return Response(shapes.PlayerSerializer(registration.merge(kept, double, self.actor)).data)
