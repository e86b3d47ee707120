"""From tournament.api.clock."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.access.rights import Right
from tournament.events import api_shapes as shapes
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.results.selectors.time_called import TimeCalled, settlement_of, time_called
from tournament.results.services import time_called as settlements
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView


class TimeQuestionSerializer(serializers.Serializer):
    """One question of the rule; `answer` is empty while it is open."""

    key = serializers.CharField()
    sentence = serializers.CharField()
    kind = serializers.CharField()
    clause = serializers.CharField()
    answer = serializers.CharField(allow_blank=True)


class TimeCalledSerializer(serializers.Serializer):
    """A table at time: what is asked, and how the match stands by the rule."""

    questions = TimeQuestionSerializer(many=True)
    result = serializers.CharField()
    decided_by = serializers.CharField(allow_null=True)
    clause = serializers.CharField(allow_blank=True)
    sentence = serializers.CharField()
    is_ours = serializers.BooleanField()
    score = serializers.CharField(allow_blank=True)


class AnswersSerializer(serializers.Serializer):
    """All answers by the keys of their questions; those left out are open."""

    answers = serializers.DictField(child=serializers.CharField(max_length=40))


def _data(found: TimeCalled) -> dict[str, Any]:
    outcome = found.outcome
    return {
        "questions": [
            {
                "key": one.key,
                "sentence": one.sentence,
                "kind": one.question.kind,
                "clause": one.question.clause,
                "answer": one.answer,
            }
            for one in found.asked
        ],
        "result": outcome.result,
        "decided_by": outcome.decided_by,
        "clause": outcome.clause,
        "sentence": found.sentence,
        "is_ours": outcome.is_ours,
        "score": found.score,
    }


class TableAtTime(EventView):
    """One table when time is called."""

    def match(self, event: Event) -> Match:
        """The match of the address, which has an opponent and is no draft."""
        matches = Match.objects.select_related("round__stage__event", "p1", "p2").exclude(p2=None)
        matches = matches.exclude(round__state=Round.State.DRAFT)
        return get_object_or_404(matches, pk=self.kwargs["match_id"], round__stage__event=event)

    @extend_schema(
        summary="What the rule asks at a table when time is called, and how the match stands",
        responses={200: TimeCalledSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, match_id: int) -> Response:
        match = self.match(self.event(Right.SEE))
        kept = settlement_of(match)
        return Response(TimeCalledSerializer(_data(time_called(match, kept.facts if kept else {}))).data)

    @extend_schema(
        summary="Keep the answers given at a table",
        request=AnswersSerializer,
        responses={200: TimeCalledSerializer, **REFUSALS},
    )
    def put(self, request: Request, slug: str, match_id: int) -> Response:
        match = self.match(self.event(Right.SCORE))
        asked = AnswersSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        found = settlements.answer(match, self.actor, asked.validated_data["answers"])
        return Response(TimeCalledSerializer(_data(found)).data)

    @extend_schema(
        summary="Enter the result that follows from the answers",
        request=None,
        responses={200: shapes.MatchSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, match_id: int) -> Response:
        match = self.match(self.event(Right.SCORE))
        return Response(shapes.MatchSerializer(settlements.settle(match, self.actor)).data)
