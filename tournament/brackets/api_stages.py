"""From tournament.api.stages."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access.rights import Right
from tournament.brackets.api import SeenCutSerializer, decisions, seen_in
from tournament.brackets.selectors.ranking import final_ranking
from tournament.brackets.services.cut import make_cut
from tournament.brackets.shapes import StaleCutSerializer
from tournament.events.models.event import Event, Stage, StageEntrant
from tournament.shared.refusals import Conflict
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView
from tournament.web.api_stale import refused


class EntrantSerializer(serializers.ModelSerializer):
    """A player's seed in a stage, and his group (0 without groups)."""

    player = serializers.IntegerField(source="player.number")

    class Meta:
        model = StageEntrant
        fields = ["seed", "player", "group"]


class StageSerializer(serializers.ModelSerializer):
    """A stage that was begun. Without entrants everybody who is registered plays in it."""

    entrants = EntrantSerializer(many=True)

    class Meta:
        model = Stage
        fields = ["position", "kind", "planned_rounds", "groups", "twice", "third_place", "entrants"]


class RankedSerializer(serializers.Serializer):
    """A final place, and the stage that decided it."""

    place = serializers.IntegerField()
    is_shared = serializers.BooleanField()
    player = serializers.IntegerField(source="player.number")
    name = serializers.CharField(source="player.name")
    stage = serializers.CharField()


class Stages(EventView):
    """The stages of an event; its plan stands in its settings."""

    @extend_schema(
        summary="The stages that were begun",
        responses={200: StageSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        begun = self.event().stages.prefetch_related("entrants__player").order_by("position")
        return Response(StageSerializer(begun, many=True).data)

    @extend_schema(
        summary="Begin the next stage of the plan",
        request=SeenCutSerializer,
        responses={200: StageSerializer, **REFUSALS, 409: StaleCutSerializer},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PAIR)
        try:
            begun = make_cut(event, self.actor, entrants=seen_in(request))
        except Conflict as conflict:
            return refused(conflict, decisions(event))
        return Response(StageSerializer(begun).data)


class Ranking(EventView):
    """Who came in where."""

    @extend_schema(
        summary="The final ranking over all stages; empty until the event is over",
        responses={200: RankedSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        ranked = final_ranking(event) if event.phase == Event.Phase.FINISHED else []
        return Response(RankedSerializer(ranked, many=True).data)
