"""API of the cards that the organizer adds for one event."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import read_body
from tournament.access.permissions import Right
from tournament.decklists.api_shapes import AddedCardSerializer, read_card_facts
from tournament.decklists.models import AddedCard
from tournament.decklists.services import added_cards
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView


class EventAddedCards(EventView):
    """The cards that the organizer added for one event."""

    @extend_schema(
        operation_id="events_cards",
        summary="List the cards that were added for this event",
        responses={200: AddedCardSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        cards = self.event(Right.MANAGE).added_cards.all()
        return Response(AddedCardSerializer(cards, many=True).data)

    @extend_schema(
        summary="Add a card for this event and check its decklists again",
        request=AddedCardSerializer,
        responses={201: AddedCardSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        facts = read_card_facts(read_body(AddedCardSerializer, request))
        new_card = added_cards.add_card(event, self.actor, facts)
        return Response(AddedCardSerializer(new_card).data, status=201)


class EventAddedCard(EventView):
    """One added card."""

    @extend_schema(
        summary="Show a card that was added for this event",
        responses={200: AddedCardSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, card: int) -> Response:
        return Response(AddedCardSerializer(self._card()).data)

    @extend_schema(
        summary="Replace an added card and check decklists again",
        description="Facts that are left out are not known afterwards.",
        request=AddedCardSerializer,
        responses={200: AddedCardSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, card: int) -> Response:
        old_card = self._card()
        facts = read_card_facts(read_body(AddedCardSerializer, request))
        return Response(AddedCardSerializer(added_cards.change_card(old_card, self.actor, facts)).data)

    @extend_schema(
        summary="Remove an added card and check decklists again",
        responses={204: None, **REFUSALS},
    )
    def delete(self, request: Request, slug: str, card: int) -> HttpResponse:
        added_cards.remove_card(self._card(), self.actor)
        return Response(status=204)

    def _card(self) -> AddedCard:
        """Return the card of the address."""
        cards = self.event(Right.MANAGE).added_cards.select_related("event")
        return get_object_or_404(cards, pk=self.kwargs["card"])
