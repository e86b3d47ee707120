"""Bracket API: the cut, the stages and the final ranking."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, optional_text, read_body
from decks.shared.api_responses import ProblemsSerializer
from decks.shared.dataclass_serializers import serializer_of
from decks.shared.refusals import Conflict
from tournament.access.permissions import Right
from tournament.brackets.api_shapes import RankedSerializer, StageSerializer
from tournament.brackets.selectors.bracket import final_ranking
from tournament.brackets.services import cut as cut_services
from tournament.brackets.services.cut import make_cut, remake_cut
from tournament.events import selectors
from tournament.events.models.event import Event
from tournament.standings.selectors.qualifying import PlayerDecision, list_cut_decisions
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView, conflict_response


class SeenCutSerializer(StrictSerializer):
    """`seen`: the numbers of the players who qualify, best first, as read.

    Leave it out to accept any.
    """

    seen = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=1_000_000), required=False, max_length=10_000
    )


class CutAgainSerializer(StrictSerializer):
    """`plan` is the mark of the reviewed change.

    Leave it out to use the current standings.
    """

    plan = serializers.CharField(source="seen_mark", required=False, max_length=40)
    reason = optional_text(400)


DecisionSerializer = serializer_of(
    PlayerDecision, "DecisionSerializer", "Why a player qualifies for the cut or not."
)


class StaleCutSerializer(ProblemsSerializer):
    """A refusal. `now` lists the players who would qualify."""

    now = DecisionSerializer(many=True, required=False)


class EventCut(EventView):
    """The cut of an event."""

    @extend_schema(
        summary="Show the players of the cut with reasons",
        responses={200: DecisionSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        return Response(serialize_decisions(event))

    @extend_schema(
        summary="Make the cut",
        request=SeenCutSerializer,
        responses={200: DecisionSerializer(many=True), **REFUSALS, 409: StaleCutSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PAIR)
        try:
            cut_services.make_cut(event, self.actor, entrants=read_seen_entrants(request))
        except Conflict as conflict:
            return conflict_response(conflict, serialize_decisions(event))
        return Response(serialize_decisions(event))

    @extend_schema(
        summary="Re-make the cut from the current standings, before any of its matches is finished",
        request=CutAgainSerializer,
        responses={200: DecisionSerializer(many=True), **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PAIR)
        values = read_body(CutAgainSerializer, request)
        remake_cut(event, self.actor, **values)
        return Response(serialize_decisions(event))


def read_seen_entrants(request: Request) -> list[int] | None:
    """Return the numbers of the entrants that the sender has read.

    None if the request has no body.
    """
    return read_body(SeenCutSerializer, request).get("seen")


def serialize_decisions(event: Event) -> list[dict[str, object]]:
    """Return who is in the cut and why, as data; nothing if none is planned."""
    if event.cut == Event.Cut.NONE:
        return []
    decisions = list_cut_decisions(event, selectors.get_bracket_stage(event))
    return [each.to_json() for each in decisions]


class Stages(EventView):
    """The stages of an event. The settings have its plan."""

    @extend_schema(
        summary="List the stages that have started",
        responses={200: StageSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        stages = self.event().stages.prefetch_related("entrants__player").order_by("position")
        return Response(StageSerializer(stages, many=True).data)

    @extend_schema(
        summary="Start the next stage of the plan",
        request=SeenCutSerializer,
        responses={200: StageSerializer, **REFUSALS, 409: StaleCutSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PAIR)
        try:
            stage = make_cut(event, self.actor, entrants=read_seen_entrants(request))
        except Conflict as conflict:
            return conflict_response(conflict, serialize_decisions(event))
        return Response(StageSerializer(stage).data)


class Ranking(EventView):
    """The final ranking of an event."""

    @extend_schema(
        summary="Show the final ranking over all stages (empty until the event is over)",
        responses={200: RankedSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        final_places = final_ranking(event) if event.phase == Event.Phase.FINISHED else []
        return Response(RankedSerializer(final_places, many=True).data)
