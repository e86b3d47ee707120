"""Stages, groups and the final ranking; drafts changed by hand; what pairing heeds of players."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.api import serializers as shapes
from tournament.api.base import READ_REFUSALS, REFUSALS, EventView
from tournament.api.cut import SeenCutSerializer, decisions, seen_in
from tournament.api.rounds import round_data
from tournament.api.stale import StaleCutSerializer, refused
from tournament.errors import Conflict, Refused
from tournament.models import Event, ForbiddenPair, Player, Round, Stage, StageEntrant
from tournament.permissions import Right
from tournament.selectors.drafts import DraftView, draft_view
from tournament.selectors.groups import group_tables
from tournament.selectors.ranking import final_ranking
from tournament.services import drafts, pairing_facts
from tournament.services.cuts import make_cut

LARGEST = 1_000_000


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


class GroupSerializer(serializers.Serializer):
    """The table of one group of a round robin."""

    stage = serializers.IntegerField()
    group = serializers.IntegerField()
    name = serializers.CharField()
    rows = shapes.StandingSerializer(many=True)


class RankedSerializer(serializers.Serializer):
    """A final place, and the stage that decided it."""

    place = serializers.IntegerField()
    is_shared = serializers.BooleanField()
    player = serializers.IntegerField(source="player.number")
    name = serializers.CharField(source="player.name")
    stage = serializers.CharField()


class WarningSerializer(serializers.Serializer):
    """What speaks against a table of a draft."""

    code = serializers.CharField()
    table = serializers.IntegerField(allow_null=True)
    sentence = serializers.CharField()
    by_hand = serializers.BooleanField()


class CostSerializer(serializers.Serializer):
    """One part of the cost, of the draft as it is and of the best pairing."""

    words = serializers.CharField()
    now = serializers.CharField()
    best = serializers.CharField()


class DraftSerializer(serializers.Serializer):
    """What there is to say of a draft. What is `by_hand` must be confirmed when the round is published."""

    warnings = WarningSerializer(many=True)
    costs = CostSerializer(many=True)
    changes = serializers.IntegerField()


class ChangeSerializer(serializers.Serializer):
    """One change by hand: two players change places, one gets the bye, or a match goes to another table."""

    swap = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        min_length=2,
        max_length=2,
        required=False,
    )
    bye = serializers.IntegerField(min_value=1, max_value=LARGEST, required=False)
    table = serializers.IntegerField(min_value=1, max_value=LARGEST, required=False)
    to = serializers.IntegerField(min_value=1, max_value=LARGEST, required=False)


class FactsSerializer(serializers.ModelSerializer):
    """What pairing heeds of a player."""

    class Meta:
        model = Player
        fields = list(pairing_facts.FACTS)


class ForbiddenPairSerializer(serializers.ModelSerializer):
    """Two players, by number, who never meet."""

    one = serializers.IntegerField(source="one.number", min_value=1, max_value=LARGEST)
    two = serializers.IntegerField(source="two.number", min_value=1, max_value=LARGEST)

    class Meta:
        model = ForbiddenPair
        fields = ["id", "one", "two", "reason"]


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


class Groups(EventView):
    """The tables of round robins."""

    @extend_schema(
        summary="The table of every group of every round robin",
        responses={200: GroupSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        robins = self.event().stages.filter(kind=Stage.Kind.ROBIN).select_related("event")
        return Response([_group(stage, table) for stage in robins for table in group_tables(stage)])


def _group(stage: Stage, table: Any) -> dict[str, Any]:
    rows = [shapes.standing(line, [t.key for t in line.tiebreakers], table.number) for line in table.lines]
    return {"stage": stage.position, "group": table.number, "name": table.name, "rows": rows}


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


class DraftChanges(EventView):
    """A draft in an organizer's hand."""

    @extend_schema(
        summary="What speaks against the tables of a draft, and what changes by hand cost",
        responses={200: DraftSerializer, **REFUSALS},
    )
    def get(self, request: Request, slug: str, stage: int, number: int) -> Response:
        shown = self.round(self.event(Right.SEE))
        view = draft_view(shown) if shown.is_draft else DraftView((), (), ())
        data = {"warnings": view.warnings, "costs": view.costs, "changes": len(view.moves)}
        return Response(DraftSerializer(data).data)

    @extend_schema(
        summary="Change a draft by hand",
        request=ChangeSerializer,
        responses={200: shapes.RoundSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, stage: int, number: int) -> Response:
        draft = self.round(self.event(Right.PAIR))
        asked = ChangeSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        return Response(round_data(self._change(draft, asked.validated_data)))

    def _change(self, draft: Round, asked: dict[str, Any]) -> Round:
        if asked.keys() == {"swap"}:
            return drafts.swap(draft, self.actor, *asked["swap"])
        if asked.keys() == {"bye"}:
            return drafts.give_bye(draft, self.actor, asked["bye"])
        if asked.keys() == {"table", "to"}:
            return drafts.seat_at(draft, self.actor, asked["table"], asked["to"])
        raise Refused("change_unclear", "One change at a time: send “swap”, or “bye”, or “table” with “to”.")

    @extend_schema(
        operation_id="events_rounds_changes_take_back",
        summary="Take the last change by hand back",
        responses={204: None, **REFUSALS},
    )
    def delete(self, request: Request, slug: str, stage: int, number: int) -> HttpResponse:
        drafts.take_back(self.round(self.event(Right.PAIR)), self.actor)
        return Response(status=204)


class PairingFacts(EventView):
    """What pairing heeds of one player, for staff."""

    @extend_schema(
        summary="Club, seed, rating, fixed table and first byes of a player",
        responses={200: FactsSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(FactsSerializer(self.player(self.event(Right.SEE))).data)

    @extend_schema(
        summary="Change what pairing heeds of a player",
        request=FactsSerializer(partial=True),
        responses={200: FactsSerializer, **REFUSALS},
    )
    def patch(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.PLAYERS))
        asked = FactsSerializer(player, data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        pairing_facts.change(player, self.actor, **asked.validated_data)
        return Response(FactsSerializer(player).data)


class ForbiddenPairs(EventView):
    """Pairs that never meet, for staff."""

    @extend_schema(
        summary="Pairs that never meet",
        responses={200: ForbiddenPairSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        pairs = self.event(Right.SEE).forbidden_pairs.select_related("one", "two")
        return Response(ForbiddenPairSerializer(pairs, many=True).data)

    @extend_schema(
        summary="Two players never meet",
        request=ForbiddenPairSerializer,
        responses={201: ForbiddenPairSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        asked = ForbiddenPairSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        values = asked.validated_data
        one, two = values["one"]["number"], values["two"]["number"]
        pair = pairing_facts.forbid(event, self.actor, one, two, reason=values["reason"])
        return Response(ForbiddenPairSerializer(pair).data, status=201)


class OneForbiddenPair(EventView):
    """One pair that never meets."""

    @extend_schema(summary="Two players may meet again", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, pair: int) -> HttpResponse:
        event = self.event(Right.MANAGE)
        found = get_object_or_404(event.forbidden_pairs.select_related("event"), pk=pair)
        pairing_facts.allow(found, self.actor)
        return Response(status=204)
