"""Rounds, pairings and results."""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch
from django.http import Http404, HttpResponse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access.rights import Right
from tournament.events.models.round import Match, Round
from tournament.pairing.api import shapes
from tournament.pairing.api.shapes import StaleRoundSerializer
from tournament.pairing.services import rounds
from tournament.shared.refusals import Conflict
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView
from tournament.web.api_stale import refused


def _with_tables(queryset: Any) -> Any:
    tables = Match.objects.select_related("p1", "p2").order_by("table", "pk")
    return queryset.select_related("stage").prefetch_related(Prefetch("matches", tables))


def round_data(shown: Round) -> dict[str, Any]:
    """A round with its tables as data."""
    return shapes.RoundSerializer(_with_tables(Round.objects.filter(pk=shown.pk)).get()).data


class Rounds(EventView):
    """The rounds of an event."""

    @extend_schema(
        summary="Rounds with their tables; drafts for staff only",
        responses={200: shapes.RoundSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        shown = Round.objects.filter(stage__event=event)
        if not self.may(event, Right.SEE):
            shown = shown.exclude(state=Round.State.DRAFT)
        return Response(shapes.RoundSerializer(_with_tables(shown), many=True).data)

    @extend_schema(
        summary="Pair the next round as a draft; the same request twice pairs it once",
        request=shapes.PairSerializer,
        responses={200: shapes.RoundSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PAIR)
        asked = shapes.PairSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        return Response(round_data(rounds.pair_next_round(event, self.actor, **asked.validated_data)))


class OneRound(EventView):
    """One round."""

    @extend_schema(summary="One round", responses={200: shapes.RoundSerializer, **READ_REFUSALS})
    def get(self, request: Request, slug: str, stage: int, number: int) -> Response:
        return Response(round_data(self.round(self.event())))

    @extend_schema(summary="Throw a draft away", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, stage: int, number: int) -> HttpResponse:
        rounds.throw_away(self.round(self.event(Right.PAIR)), self.actor)
        return Response(status=204)


ACTIONS = ("again", "publish")


class RoundAction(EventView):
    """A step of a draft."""

    @extend_schema(
        operation_id="events_rounds_step",
        summary="Publish a draft, or pair it again",
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=ACTIONS)],
        request=shapes.PublishSerializer,
        responses={200: shapes.RoundSerializer, **REFUSALS, 409: StaleRoundSerializer},
    )
    def post(self, request: Request, slug: str, stage: int, number: int, action: str) -> Response:
        if action not in ACTIONS:
            raise Http404
        draft = self.round(self.event(Right.PAIR))
        if action == "again":
            return Response(round_data(rounds.pair_again(draft, self.actor)))
        asked = shapes.PublishSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            published = rounds.publish(
                draft,
                self.actor,
                confirmed=asked.validated_data["confirm"],
                seen=asked.validated_data.get("seen"),
            )
        except Conflict as conflict:
            return refused(conflict, self._present())
        return Response(round_data(published))

    def _present(self) -> dict[str, Any] | None:
        """The round of the address as it stands now, if there is one."""
        places = {"stage__position": self.kwargs["stage"], "number": self.kwargs["number"]}
        found = Round.objects.filter(stage__event__slug=self.kwargs["slug"], **places).first()
        return round_data(found) if found else None
