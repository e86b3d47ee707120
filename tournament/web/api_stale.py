"""What somebody pressed who had seen another state: refused, with the state as it is now beside it."""

from __future__ import annotations

from typing import Any

from rest_framework.response import Response

from tournament.shared.refusals import Conflict
from tournament.web.api_problems import refusal


def refused(conflict: Conflict, now: Any) -> Response:
    """The refusal with every problem, and the present state."""
    answer = refusal(conflict)
    answer.data["now"] = now
    return answer
