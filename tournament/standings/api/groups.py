"""From tournament.api.stages."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from tournament.events.models.event import Stage
from tournament.standings.api import shapes
from tournament.standings.selectors.groups import group_tables
from tournament.web.api import READ_REFUSALS, EventView


class GroupSerializer(serializers.Serializer):
    """The table of one group of a round robin."""

    stage = serializers.IntegerField()
    group = serializers.IntegerField()
    name = serializers.CharField()
    rows = shapes.StandingSerializer(many=True)


def _group(stage: Stage, table: Any) -> dict[str, Any]:
    rows = [shapes.standing(line, [t.key for t in line.tiebreakers], table.number) for line in table.lines]
    return {"stage": stage.position, "group": table.number, "name": table.name, "rows": rows}


class Groups(EventView):
    """The tables of round robins."""

    @extend_schema(
        summary="The table of every group of every round robin",
        responses={200: GroupSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        robins = self.event().stages.filter(kind=Stage.Kind.ROBIN).select_related("event")
        return Response([_group(stage, table) for stage in robins for table in group_tables(stage)])
