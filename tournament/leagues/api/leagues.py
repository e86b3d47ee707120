"""Leagues and their tables."""

from __future__ import annotations

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from tournament.leagues.api.changes import LeagueEntrySerializer, LeagueOffice
from tournament.leagues.models import League
from tournament.leagues.selectors import PersonRow, league_table
from tournament.leagues.services import leagues
from tournament.shared.place_lines import points_as_lines, points_of
from tournament.web.api import READ_REFUSALS, REFUSALS


class LeagueSerializer(serializers.ModelSerializer):
    """A league; `best_of` is null where all results count, `points` are lines such as “1: 20”."""

    points = serializers.SerializerMethodField()

    class Meta:
        model = League
        fields = ["slug", "name", "notes", "points", "best_of"]

    def get_points(self, league: League) -> str:
        """The table of points by place."""
        return points_as_lines(points_of(league.points))


class LeagueResultSerializer(serializers.Serializer):
    """A person's place in one event. Points are exact: a whole number or a fraction."""

    event = serializers.CharField()
    player = serializers.IntegerField()
    place = serializers.IntegerField()
    points = serializers.CharField()
    counts = serializers.BooleanField()


class LeagueRowSerializer(serializers.Serializer):
    """One person's line."""

    rank = serializers.IntegerField()
    is_shared = serializers.BooleanField()
    name = serializers.CharField()
    points = serializers.CharField()
    results = LeagueResultSerializer(many=True)


class LeagueTableSerializer(serializers.Serializer):
    """The table of a league over its finished events."""

    league = LeagueSerializer()
    events = serializers.ListField(child=serializers.CharField())
    coming = serializers.ListField(child=serializers.CharField())
    rows = LeagueRowSerializer(many=True)


class Leagues(APIView):
    """All leagues."""

    permission_classes = [AllowAny]

    @extend_schema(summary="All leagues", responses={200: LeagueSerializer(many=True)})
    def get(self, request: Request) -> Response:
        return Response(LeagueSerializer(League.objects.all(), many=True).data)

    @extend_schema(
        summary="Make a league that you own",
        request=LeagueEntrySerializer,
        responses={201: LeagueSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        if not request.user.is_authenticated:
            raise NotAuthenticated
        asked = LeagueEntrySerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        made = leagues.create(request.user, **asked.values())
        return Response(LeagueSerializer(made).data, status=201)


class OneLeague(LeagueOffice):
    """One league."""

    @extend_schema(
        summary="Change a league that you own",
        request=LeagueEntrySerializer(partial=True),
        responses={200: LeagueSerializer, **REFUSALS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        league = self.league()
        asked = LeagueEntrySerializer(data=request.data, partial=True)
        asked.is_valid(raise_exception=True)
        changed = leagues.change(league, self.actor, **asked.values())
        return Response(LeagueSerializer(changed).data)

    @extend_schema(
        operation_id="leagues_table",
        summary="The table of a league",
        responses={200: LeagueTableSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        league = get_object_or_404(League, slug=slug)
        table = league_table(league)
        told = {
            "league": LeagueSerializer(league).data,
            "events": [event.slug for event in table.over],
            "coming": [event.slug for event in table.coming],
            "rows": [_row(row) for row in table.rows],
        }
        return Response(told)


def _row(row: PersonRow) -> dict[str, Any]:
    results = [
        {
            "event": cell.event.slug,
            "player": cell.number,
            "place": cell.place,
            "points": str(cell.points),
            "counts": cell.counts,
        }
        for cell in row.cells
        if cell is not None
    ]
    return {
        "rank": row.rank,
        "is_shared": row.is_shared,
        "name": row.name,
        "points": str(row.points),
        "results": results,
    }
