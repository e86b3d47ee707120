"""API of prizes, played characters and the closing report."""

from __future__ import annotations

from dataclasses import replace

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer
from decks.shared.dataclass_serializers import serializer_of
from tournament.access.permissions import Right
from tournament.closing.selectors import (
    CharacterShare,
    EventReport,
    PlayerAward,
    character_breakdown,
    closing_report,
)
from tournament.closing.services import set_prizes
from tournament.engine.prizes import Prize
from tournament.shared.awards import LAST_PLACE, MAX_PRIZE_LENGTH, load_prizes
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView


class PrizeSerializer(StrictSerializer):
    """A prize for each place from `first` to `last`.

    It may instead be for the `best` player of a character.
    """

    words = serializers.CharField(max_length=MAX_PRIZE_LENGTH)
    first = serializers.IntegerField(min_value=1, max_value=LAST_PLACE, required=False)
    last = serializers.IntegerField(min_value=1, max_value=LAST_PLACE, required=False)
    best = serializers.CharField(max_length=80, required=False)

    def to_representation(self, instance: Prize) -> dict[str, object]:
        """Return what is given, and the places or the character."""
        return {name: value for name, value in super().to_representation(instance).items() if value}


AwardSerializer = serializer_of(
    PlayerAward,
    "AwardSerializer",
    "A prize and the numbers of the players who win it. They share if there are too few pieces.",
    fields={"prize": PrizeSerializer()},
)
ShareSerializer = serializer_of(
    CharacterShare, "ShareSerializer", "Statistics of one character. Shares and rates are fractions."
)
ClosingReportSerializer = serializer_of(
    EventReport,
    "ClosingReportSerializer",
    "The closing report. During the event, `is_over` is false and all else is empty.",
    help_texts={"without_place": "Numbers of players without a place, prize or points."},
    fields={"unclaimed": PrizeSerializer(many=True, source="unclaimed_prizes")},
)


class Prizes(EventView):
    """The prizes of an event."""

    @extend_schema(
        summary="List the prizes of an event", responses={200: PrizeSerializer(many=True), **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(PrizeSerializer(load_prizes(self.event().prizes), many=True).data)

    @extend_schema(
        summary="Announce the prizes of an event",
        request=PrizeSerializer(many=True),
        responses={200: PrizeSerializer(many=True), **REFUSALS},
    )
    def put(self, request: Request, slug: str) -> Response:
        event = self.event(Right.MANAGE)
        serializer = PrizeSerializer(data=request.data, many=True)
        serializer.is_valid(raise_exception=True)
        prizes = set_prizes(event, self.actor, serializer.validated_data)
        return Response(PrizeSerializer(prizes, many=True).data)


class Characters(EventView):
    """Statistics of the characters that are played."""

    @extend_schema(
        summary="Show results by character (empty while characters are secret)",
        responses={200: ShareSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        breakdown = character_breakdown(self.event())
        return Response([share.to_json() for share in breakdown.shares] if breakdown else [])


class ClosingReport(EventView):
    """The closing report of an event."""

    @extend_schema(
        summary="Show the closing report", responses={200: ClosingReportSerializer, **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        report = closing_report(event) or EventReport()
        breakdown = character_breakdown(event) if report.is_over else None
        characters = breakdown.shares if breakdown else ()
        return Response(ClosingReportSerializer(replace(report, characters=characters)).data)
