"""API: check a list that belongs to no event."""

from __future__ import annotations

from datetime import date
from typing import Any, NotRequired, TypedDict, Unpack

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

import rules
from decks.checking.api_shapes import AnswerValues, CheckAnswer, CheckRequest
from decks.checking.check import check_text
from decks.checking.questions import answer_questions
from decks.checking.result import DayComparison, day_verdict
from decks.shared.api_requests import StrictView, read_body
from decks.shared.api_responses import REFUSED


class _Values(TypedDict):
    """A request, as its serializer checked it."""

    game: str
    format: str
    text: str
    rules: NotRequired[str]
    on: NotRequired[date]
    beside: NotRequired[date]
    answers: NotRequired[list[AnswerValues]]
    overlay: NotRequired[dict[str, object]]
    options: NotRequired[dict[str, object]]
    plan: NotRequired[bool]


def _check(**data: Unpack[_Values]) -> dict[str, object]:
    """Answer a request, with both days where two were requested."""
    answers = [(each["line"], each["answer"]) for each in data.get("answers", ())]
    text = data["text"]
    if answers:
        text, _ = answer_questions(data["game"], answers, text=text)
    days = [data.get("on") or timezone.localdate(), *([data["beside"]] if "beside" in data else [])]
    checked_lists = [
        check_text(
            data["game"],
            data["format"],
            text,
            rules_version=data.get("rules"),
            on=day,
            overlay=data.get("overlay"),
            options=data.get("options"),
            with_plan=data.get("plan", False),
            may_lag=True,
        )
        for day in days
    ]
    planned_list = checked_lists[0].planned_list
    answer = checked_lists[0].to_json() | ({"text": text} if answers else {})
    answer |= {"plan": planned_list.to_json()} if planned_list else {}
    if len(checked_lists) == 2:
        verdicts = (day_verdict(each, day) for each, day in zip(checked_lists, days, strict=True))
        answer["days"] = DayComparison.of(*verdicts).to_json()
    return answer


class CheckView(StrictView):
    """Check a decklist without saving it."""

    permission_classes = [AllowAny]
    authentication_classes: list[Any] = []

    @extend_schema(
        operation_id="check_deck",
        summary="Check a decklist without saving it",
        request=CheckRequest,
        responses={200: CheckAnswer, 400: REFUSED, 415: REFUSED},
    )
    def post(self, request: Request) -> Response:
        data = read_body(CheckRequest, request)
        try:
            answer = _check(**data)
        except rules.UnknownFormat as error:
            raise serializers.ValidationError({"format": [str(error)]}) from error
        except rules.BadOverlay as error:
            raise serializers.ValidationError({"overlay": [str(error)]}) from error
        return Response(answer)
