"""The cut: who is in or out, made by who has seen it, made anew."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access.rights import Right
from tournament.brackets import shapes
from tournament.brackets.services import cut as cuts
from tournament.brackets.services.cut_again import make_cut_again
from tournament.brackets.shapes import StaleCutSerializer
from tournament.events.models.event import Event
from tournament.events.selectors import stages
from tournament.shared.refusals import Conflict
from tournament.standings.selectors import qualifying as cut_selectors
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView
from tournament.web.api_stale import refused


class SeenCutSerializer(serializers.Serializer):
    """`seen`: the numbers of those who come in, best first, as they were read; without it, whoever does."""

    seen = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=1_000_000), required=False, max_length=10_000
    )


class CutAgainSerializer(serializers.Serializer):
    """`plan` is the mark of the way that was looked at; without it, whatever the standings say now."""

    plan = serializers.CharField(source="seen", required=False, max_length=40)
    reason = serializers.CharField(required=False, allow_blank=True, max_length=400, default="")


class Cut(EventView):
    """The cut: who is in or out, and why."""

    @extend_schema(
        summary="Who is in the cut and why",
        responses={200: shapes.DecisionSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        return Response(decisions(event))

    @extend_schema(
        summary="Make the cut",
        request=SeenCutSerializer,
        responses={200: shapes.DecisionSerializer(many=True), **REFUSALS, 409: StaleCutSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PAIR)
        try:
            cuts.make_cut(event, self.actor, entrants=seen_in(request))
        except Conflict as conflict:
            return refused(conflict, decisions(event))
        return Response(decisions(event))

    @extend_schema(
        summary="Make the cut anew by the standings as they are now, while no match of it is finished",
        request=CutAgainSerializer,
        responses={200: shapes.DecisionSerializer(many=True), **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PAIR)
        asked = CutAgainSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        make_cut_again(event, self.actor, **asked.validated_data)
        return Response(decisions(event))


def seen_in(request: Request) -> list[int] | None:
    """The numbers of those who come in as the sender has read them, if he says so; no body says nothing."""
    asked = SeenCutSerializer(data={} if request.data is None else request.data)
    asked.is_valid(raise_exception=True)
    return asked.validated_data.get("seen")


def decisions(event: Event) -> list[dict[str, Any]]:
    """Who is in the cut and why, as data; nothing where none is planned."""
    if event.cut == Event.Cut.NONE:
        return []
    return [
        {
            "player": row["player"].number,
            "name": row["player"].name,
            "rank": row["rank"],
            "is_in": row["in"],
            "code": row["code"],
            "reason": row["reason"],
        }
        for row in cut_selectors.decisions(event, stages.stage_of(event))
    ]
