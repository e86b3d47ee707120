"""From tournament.api.events."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.standings.api import shapes as standings_shapes
from tournament.standings.selectors.groups import standings_in_parts
from tournament.standings.selectors.standings import system_of
from tournament.web.api import REFUSALS, EventView

AFTER = OpenApiParameter("after", int, description="Standings after this round; the present ones without it.")


class Standings(EventView):
    """The standings of the Swiss rounds."""

    @extend_schema(
        summary="Standings, exact; of a stage in groups one group after the other",
        parameters=[AFTER],
        responses={200: standings_shapes.StandingSerializer(many=True), **REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event()
        after = request.query_params.get("after", "")
        number = int(after) if after.isdecimal() and len(after) < 4 else None
        keys = [tiebreaker.key for tiebreaker in system_of(event).tiebreakers]
        parts = standings_in_parts(event, after_round=number)
        return Response(
            [standings_shapes.standing(line, keys, part.group) for part in parts for line in part.lines]
        )
