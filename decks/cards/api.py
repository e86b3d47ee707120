"""API: search cards."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from decks.cards.selectors import SEARCH_LIMIT, search_cards


class FoundShape(serializers.Serializer):
    """One card found."""

    game = serializers.CharField()
    key = serializers.CharField()
    label = serializers.CharField()
    type = serializers.CharField(allow_blank=True)
    places = serializers.ListField(child=serializers.CharField())
    score = serializers.IntegerField()


class CardSearchView(APIView):
    """Search the catalogue by name, rank dots or set number, forgiving slips."""

    permission_classes = [AllowAny]
    authentication_classes: list[Any] = []

    @extend_schema(
        operation_id="search_cards",
        summary="Search cards by name, rank dots or set number",
        parameters=[
            OpenApiParameter("q", str, description="What is looked for; empty finds nothing."),
            OpenApiParameter("game", str, description="A game's key; all games without."),
        ],
        responses={200: FoundShape(many=True)},
    )
    def get(self, request: Request) -> Response:
        text = request.query_params.get("q", "")[:100]
        game = request.query_params.get("game") or None
        hits = search_cards(text, game=game, limit=SEARCH_LIMIT)
        return Response(FoundShape(hits, many=True).data)
