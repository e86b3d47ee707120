"""API: search cards."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from decks.cards.selectors import SEARCH_LIMIT, CardResult, search_cards
from decks.shared.api_requests import StrictView, optional_text, read_query
from decks.shared.api_responses import REFUSED, GameQuery
from decks.shared.dataclass_serializers import serializer_of

MAX_QUERY_LENGTH = 100


FoundShape = serializer_of(CardResult, "FoundShape", "One card found.")


class CardQuery(GameQuery):
    """A search for cards."""

    q = optional_text(MAX_QUERY_LENGTH, help_text="Search text. An empty text finds nothing.")


class CardSearchView(StrictView):
    """Search the catalogue by name, rank dots or set number.

    Small typing errors are allowed.
    """

    permission_classes = [AllowAny]
    authentication_classes: list[Any] = []

    @extend_schema(
        operation_id="search_cards",
        summary="Search cards by name, rank dots or set number",
        parameters=[CardQuery],
        responses={200: FoundShape(many=True), 400: REFUSED},
    )
    def get(self, request: Request) -> Response:
        query = read_query(CardQuery, request)
        hits = search_cards(query["q"], game=query.get("game"), limit=SEARCH_LIMIT)
        return Response(FoundShape(hits, many=True).data)
