"""What the API's views share: the event of the address and the right to touch it."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiResponse
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from tournament.access import rights as permissions
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.web.api_problems import ProblemsSerializer

REFUSED = OpenApiResponse(
    ProblemsSerializer, description="Refused: every problem with code, sentence and fix."
)
REFUSALS = {400: REFUSED, 403: REFUSED, 404: REFUSED, 409: REFUSED, 415: REFUSED}
READ_REFUSALS = {403: REFUSED, 404: REFUSED}


class EventView(APIView):
    """A view below `/api/events/<slug>/`. Each method asks for the right it needs."""

    permission_classes = [AllowAny]

    def event(self, right: Right | None = None) -> Event:
        """The event of the address; without a right asked for, what the public may see."""
        event = get_object_or_404(Event, slug=self.kwargs["slug"])
        if right is not None:
            permissions.require(self.request.user, event, right)
        elif not event.is_public and not self.may(event, Right.SEE):
            raise Http404
        return event

    def may(self, event: Event, right: Right) -> bool:
        """Whether the person asking may do something."""
        return permissions.can(self.request.user, event, right)

    @property
    def actor(self) -> Actor:
        """The signed-in person asking."""
        return Actor.of_user(self.request.user)

    def player(self, event: Event) -> Player:
        """The player of the address."""
        return get_object_or_404(
            event.players.select_related("event", "deck_list"), number=self.kwargs["number"]
        )

    def round(self, event: Event) -> Round:
        """The round of the address; drafts exist for staff only."""
        found = get_object_or_404(
            Round.objects.select_related("stage__event"),
            stage__event=event,
            stage__position=self.kwargs["stage"],
            number=self.kwargs["number"],
        )
        if found.is_draft and not self.may(event, Right.SEE):
            raise Http404
        return found


def valid(shape: type[Any], request: Request) -> dict[str, Any]:
    asked = shape(data=request.data)
    asked.is_valid(raise_exception=True)
    return dict(asked.validated_data)
