"""Leagues by program: make and change them, their events, who of their players is one person, their log."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated, PermissionDenied
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from decks.shared.refusals import Refused
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.leagues.models import League, LeagueLine, SamePerson
from tournament.leagues.selectors import may_run
from tournament.leagues.services import leagues
from tournament.leagues.services import log as league_log
from tournament.shared.place_lines import read_points
from tournament.web.api import READ_REFUSALS, REFUSALS

LARGEST = 1_000_000
LARGEST_ID = 2**63 - 1
LONGEST = 20_000


class LeagueEntrySerializer(serializers.Serializer):
    """What a league is. `points` are lines such as “1: 20” and “others: 2”; empty stands for our table."""

    name = serializers.CharField(max_length=120)
    notes = serializers.CharField(max_length=LONGEST, allow_blank=True, required=False)
    points = serializers.CharField(max_length=LONGEST, allow_blank=True, required=False)
    best_of = serializers.IntegerField(
        min_value=1, max_value=leagues.MOST_COUNTED, allow_null=True, required=False
    )

    def values(self) -> dict[str, Any]:
        """The columns of a league. Raises Refused for points that cannot be read."""
        values = dict(self.validated_data)
        if "points" in values:
            values["points"] = read_points(values["points"])
        return values


class LeagueEventSerializer(serializers.Serializer):
    """An event of a league, by its short name."""

    event = serializers.SlugField(max_length=200)


class RegistrationSerializer(serializers.Serializer):
    """A registration of an event: the event's short name and the player's number."""

    event = serializers.SlugField(max_length=200)
    player = serializers.IntegerField(min_value=1, max_value=LARGEST)


class SamePersonSerializer(serializers.Serializer):
    """Two registrations that are one person."""

    id = serializers.IntegerField(read_only=True)
    one = RegistrationSerializer()
    two = RegistrationSerializer()
    said_by = serializers.CharField(read_only=True)


class LeagueLineSerializer(serializers.ModelSerializer):
    """One line of a league's log."""

    can_be_taken_back = serializers.BooleanField()

    class Meta:
        model = LeagueLine
        fields = ["id", "at", "actor", "sentence", "kind", "before", "after", "can_be_taken_back"]


class LeagueOffice(APIView):
    """A view for who runs a league."""

    permission_classes = [AllowAny]

    def league(self) -> League:
        """The league of the address, for its owner. Raises NotAuthenticated, PermissionDenied or Http404."""
        if not self.request.user.is_authenticated:
            raise NotAuthenticated
        found = get_object_or_404(League, slug=self.kwargs["slug"])
        if not may_run(self.request.user, found):
            raise PermissionDenied(f"Only its owner changes “{found.name}”.")
        return found

    @property
    def actor(self) -> Actor:
        """The signed-in person asking."""
        return Actor.of_user(self.request.user)


class LeagueEvents(LeagueOffice):
    """The events of a league."""

    @extend_schema(
        summary="Put an event that you manage into a league",
        request=LeagueEventSerializer,
        responses={201: LeagueEventSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        league = self.league()
        asked = LeagueEventSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        event = get_object_or_404(Event, slug=asked.validated_data["event"])
        leagues.add_event(league, request.user, event)
        return Response({"event": event.slug}, status=201)


class OneLeagueEvent(LeagueOffice):
    """One event of a league."""

    @extend_schema(summary="Take an event out of a league", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, event: str) -> HttpResponse:
        league = self.league()
        entry = get_object_or_404(league.entries, event__slug=event)
        leagues.remove_event(league, self.actor, entry.pk)
        return Response(status=204)


class LeaguePeople(LeagueOffice):
    """Registrations that are one person by the organizer's word."""

    @extend_schema(
        summary="Who counts as one person by your word",
        responses={200: SamePersonSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        words = self.league().persons.select_related("one__event", "two__event")
        return Response([_word(word) for word in words])

    @extend_schema(
        summary="Two registrations are one person",
        request=SamePersonSerializer,
        responses={201: SamePersonSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        league = self.league()
        asked = SamePersonSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        one, two = (_registration(asked.validated_data[side], side) for side in ("one", "two"))
        made = leagues.join(league, self.actor, one.pk, two.pk)
        return Response(_word(made), status=201)


def _registration(asked: dict[str, Any], side: str) -> Player:
    found = Player.objects.filter(event__slug=asked["event"], number=asked["player"]).first()
    if found is None:
        raise Refused(
            "no_such_registration", f"{asked['event']} has no number {asked['player']}.", field=side
        )
    return found


def _word(word: SamePerson) -> dict[str, Any]:
    sides = {name: getattr(word, name) for name in ("one", "two")}
    told = {name: {"event": p.event.slug, "player": p.number} for name, p in sides.items()}
    return {"id": word.pk, **told, "said_by": word.said_by}


class OneLeaguePerson(LeagueOffice):
    """One such word."""

    @extend_schema(summary="Two registrations are two people after all", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, word: int) -> HttpResponse:
        league = self.league()
        found = get_object_or_404(league.persons, pk=min(word, LARGEST_ID))
        leagues.part(league, self.actor, found.pk)
        return Response(status=204)


class LeagueLog(LeagueOffice):
    """What was changed in a league."""

    @extend_schema(
        summary="Who changed what in a league, newest first",
        responses={200: LeagueLineSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(LeagueLineSerializer(self.league().log.all()[:1000], many=True).data)


class LeagueLogUndo(LeagueOffice):
    """One line of it."""

    @extend_schema(
        summary="Take a line of a league's log back",
        request=None,
        responses={200: LeagueLineSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, line: int) -> Response:
        league = self.league()
        found = get_object_or_404(league.log.select_related("league"), pk=min(line, LARGEST_ID))
        return Response(LeagueLineSerializer(league_log.take_back(found, self.actor)).data)
