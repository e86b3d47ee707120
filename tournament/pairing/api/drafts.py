"""Stages, groups and the final ranking; drafts changed by hand; what pairing heeds of players."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.refusals import Refused
from tournament.access.rights import Right
from tournament.events.models.player import ForbiddenPair, Player
from tournament.events.models.round import Round
from tournament.pairing.api import shapes as pairing_shapes
from tournament.pairing.api.rounds import round_data
from tournament.pairing.selectors.drafts import DraftView, draft_view
from tournament.pairing.services import drafts
from tournament.pairing.services import player_facts as pairing_facts
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView

LARGEST = 1_000_000


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
        responses={200: pairing_shapes.RoundSerializer, **REFUSALS},
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
