"""What somebody pressed who had seen another state: refused, with the state as it is now beside it."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response

from tournament.api.problems import ProblemsSerializer, refusal
from tournament.api.serializers import DecisionSerializer, MatchSerializer, RoundSerializer
from tournament.errors import Conflict


class StaleRoundSerializer(ProblemsSerializer):
    """Refused; `now` is the round as it is, null where it is gone."""

    now = RoundSerializer(allow_null=True, required=False)


class StaleCutSerializer(ProblemsSerializer):
    """Refused; `now` is who would come in."""

    now = DecisionSerializer(many=True, required=False)


class StaleMatchSerializer(ProblemsSerializer):
    """Refused; `now` is the match that is being played, null where there is none."""

    now = MatchSerializer(allow_null=True, required=False)


def refused(conflict: Conflict, now: Any) -> Response:
    """The refusal with every problem, and the present state."""
    answer = refusal(conflict)
    answer.data["now"] = now
    return answer
