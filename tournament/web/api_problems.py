"""Refusals as JSON: every problem at once, each with a code, a sentence, the smallest fix and the field."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions, serializers
from rest_framework.response import Response
from rest_framework.views import exception_handler

from decks.shared.refusals import Refused
from tournament.shared.refusals import Conflict


class ProblemSerializer(serializers.Serializer):
    """One thing that is wrong."""

    code = serializers.CharField()
    sentence = serializers.CharField()
    fix = serializers.CharField(allow_blank=True)
    field = serializers.CharField(allow_null=True)


class ProblemsSerializer(serializers.Serializer):
    """What stands in the body of every refused request."""

    problems = ProblemSerializer(many=True)


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """Turn what services and the framework raise into problems."""
    if isinstance(error, Refused):
        return refusal(error)
    if isinstance(error, PermissionDenied) and str(error):
        error = exceptions.PermissionDenied(str(error))
    response = exception_handler(error, context)
    if response is not None:
        response.data = {"problems": list(_flatten(error, response.data))}
    return response


def refusal(error: Refused) -> Response:
    """What a service refused, with every problem: 409 where somebody was faster, otherwise 400."""
    problems = [_problem(p.code, p.sentence, p.fix, p.field) for p in error.problems]
    return Response({"problems": problems}, status=409 if isinstance(error, Conflict) else 400)


@csrf_exempt
def nothing_here(request: HttpRequest) -> JsonResponse:
    """An address below `/api/` that does not exist answers like every other refusal."""
    sentence = f"There is nothing at {request.path[:200]}."
    return JsonResponse({"problems": [_problem("not_found", sentence, "See /api/schema/.")]}, status=404)


def _problem(code: str, sentence: str, fix: str = "", field: str | None = None) -> dict[str, Any]:
    return {"code": code, "sentence": sentence, "fix": fix, "field": field}


def _flatten(error: Exception, data: Any) -> list[dict[str, Any]]:
    if isinstance(error, exceptions.ValidationError) and isinstance(data, dict):
        return [
            _problem(getattr(detail, "code", "invalid"), str(detail), field=name)
            for name, details in data.items()
            for detail in _leaves(details)
        ]
    return [_problem(getattr(detail, "code", "error"), str(detail)) for detail in _leaves(data)]


def _leaves(data: Any) -> list[Any]:
    if isinstance(data, dict):
        return [leaf for part in data.values() for leaf in _leaves(part)]
    if isinstance(data, list):
        return [leaf for part in data for leaf in _leaves(part)]
    return [data]
