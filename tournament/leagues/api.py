"""API of leagues: settings, events, linked registrations, log, tables."""

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

from decks.shared.api_requests import StrictModelSerializer, StrictSerializer, StrictView, read_body
from decks.shared.dataclass_serializers import serializer_of
from decks.shared.refusals import Refused
from tournament.access import permissions
from tournament.access.permissions import Actor, get_signed_in_user
from tournament.events.models.player import Player
from tournament.leagues import services
from tournament.leagues.models import League, LeagueLine, SamePerson
from tournament.leagues.selectors import (
    LeagueEventResult,
    LeagueTable,
    PersonRow,
    can_manage_league,
    league_table,
    show_lines,
)
from tournament.log.wording import DELETED_ACCOUNT
from tournament.shared.awards import format_points_table, load_points, parse_points
from tournament.web.api import READ_REFUSALS, REFUSALS

MAX_PLAYER_NUMBER = 1_000_000

MAX_ID = 2**63 - 1

MAX_LENGTH = 20_000


class LeagueEntrySerializer(StrictSerializer):
    """A league.

    `points` are lines such as “1: 20” and “others: 2”. Empty means the default points.
    """

    name = serializers.CharField(max_length=120)
    notes = serializers.CharField(max_length=MAX_LENGTH, allow_blank=True, required=False)
    points = serializers.CharField(max_length=MAX_LENGTH, allow_blank=True, required=False)
    best_of = serializers.IntegerField(
        min_value=1, max_value=services.MAX_COUNTED_RESULTS, allow_null=True, required=False
    )

    def validate(self, attrs: Any) -> Any:
        """Check the columns of a league. Raises Refused for points that cannot be read."""
        values = super().validate(attrs)
        return {**values, "points": parse_points(values["points"])} if "points" in values else values


class LeagueEventSerializer(StrictSerializer):
    """An event of a league, by its short name."""

    event = serializers.SlugField(max_length=200)


class RegistrationSerializer(LeagueEventSerializer):
    """A registration of an event: the event's short name and the player's number."""

    player = serializers.IntegerField(min_value=1, max_value=MAX_PLAYER_NUMBER)


class SamePersonSerializer(StrictSerializer):
    """Two registrations that are one person."""

    id = serializers.IntegerField(read_only=True)
    one = RegistrationSerializer()
    two = RegistrationSerializer()
    said_by = serializers.CharField(read_only=True)


class LeagueLineSerializer(StrictModelSerializer):
    """An entry of a league's log: a code with parameters, and its text."""

    actor = serializers.CharField(source="actor_name", read_only=True)
    actor_code = serializers.SerializerMethodField(
        help_text="`deleted_account` where the account of the actor is gone."
    )
    params = serializers.DictField(read_only=True)
    sentence = serializers.CharField(read_only=True)
    can_be_taken_back = serializers.BooleanField()

    class Meta:
        model = LeagueLine
        fields = [
            "id", "at", "actor", "actor_code", "code", "params", "sentence", "kind", "before", "after",
            "can_be_taken_back",
        ]  # fmt: skip

    def get_actor_code(self, line: LeagueLine) -> str:
        """Return the code of an actor without a name."""
        return "" if line.user_id is not None or line.actor else DELETED_ACCOUNT


class LeagueOwnerView(StrictView):
    """A view for who runs a league."""

    permission_classes = [AllowAny]

    def league(self) -> League:
        """Return the league of the address, for its owner.

        Raises NotAuthenticated, PermissionDenied or Http404.
        """
        if not self.request.user.is_authenticated:
            raise NotAuthenticated
        league = get_object_or_404(League, slug=self.kwargs["slug"])
        if not can_manage_league(self.request.user, league):
            raise PermissionDenied(f"Only its owner changes “{league.name}”.")
        return league

    @property
    def actor(self) -> Actor:
        """The signed-in person asking."""
        return Actor.of_user(self.request.user)


class LeagueEvents(LeagueOwnerView):
    """The events of a league."""

    @extend_schema(
        summary="Add an event that you manage to a league",
        request=LeagueEventSerializer,
        responses={201: LeagueEventSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        league = self.league()
        values = read_body(LeagueEventSerializer, request)
        event = permissions.get_visible_event(request.user, values["event"])
        services.add_event(league, get_signed_in_user(request.user), event)
        return Response({"event": event.slug}, status=201)


class OneLeagueEvent(LeagueOwnerView):
    """One event of a league."""

    @extend_schema(summary="Remove an event from a league", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, event: str) -> HttpResponse:
        league = self.league()
        entry = get_object_or_404(league.entries, event__slug=event)
        services.remove_event(league, self.actor, entry.pk)
        return Response(status=204)


class LeaguePeople(LeagueOwnerView):
    """Registrations that the organizer merged as one person."""

    @extend_schema(
        summary="List the registrations merged as one person",
        responses={200: SamePersonSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        words = self.league().persons.select_related("one__event", "two__event")
        return Response([_same_person_data(word) for word in words])

    @extend_schema(
        summary="Merge two registrations as one person",
        request=SamePersonSerializer,
        responses={201: SamePersonSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        league = self.league()
        values = read_body(SamePersonSerializer, request)
        one, two = (_find_registration(side, **values[side]) for side in ("one", "two"))
        same_person = services.mark_same_person(league, self.actor, one.pk, two.pk)
        return Response(_same_person_data(same_person), status=201)


def _find_registration(side: str, *, event: str, player: int) -> Player:
    registration = Player.objects.filter(event__slug=event, number=player).first()
    if registration is None:
        raise Refused("no_such_registration", field=side, event=event, player=player)
    return registration


def _same_person_data(word: SamePerson) -> dict[str, object]:
    sides = {name: getattr(word, name) for name in ("one", "two")}
    sides_data = {name: {"event": p.event.slug, "player": p.number} for name, p in sides.items()}
    return {"id": word.pk, **sides_data, "said_by": word.said_by}


class OneLeaguePerson(LeagueOwnerView):
    """Two registrations merged as one person."""

    @extend_schema(summary="Separate two registrations again", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, word: int) -> HttpResponse:
        league = self.league()
        same_person = get_object_or_404(league.persons, pk=min(word, MAX_ID))
        services.unmark_same_person(league, self.actor, same_person.pk)
        return Response(status=204)


class LeagueLog(LeagueOwnerView):
    """The log of a league."""

    @extend_schema(
        summary="List the log of a league, newest first",
        responses={200: LeagueLineSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(LeagueLineSerializer(show_lines(self.league().log.all()[:1000]), many=True).data)


class LeagueLogUndo(LeagueOwnerView):
    """An entry of a league's log."""

    @extend_schema(
        summary="Undo an entry of a league's log",
        request=None,
        responses={200: LeagueLineSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, line: int) -> Response:
        league = self.league()
        log_line = get_object_or_404(league.log.select_related("league"), pk=min(line, MAX_ID))
        [undo_line] = show_lines([services.undo_league_change(log_line, self.actor)])
        return Response(LeagueLineSerializer(undo_line).data)


class LeagueSerializer(StrictModelSerializer):
    """A league.

    If `best_of` is null, all results count. `points` are lines such as “1: 20”.
    """

    points = serializers.SerializerMethodField()

    class Meta:
        model = League
        fields = ["slug", "name", "notes", "points", "best_of"]

    def get_points(self, league: League) -> str:
        """The table of points by place."""
        return format_points_table(load_points(league.points))


LeagueResultSerializer = serializer_of(
    LeagueEventResult,
    "LeagueResultSerializer",
    "A person's place in one event. Points are exact: a whole number or a fraction.",
)
LeagueRowSerializer = serializer_of(PersonRow, "LeagueRowSerializer", "One person's line.")
LeagueTableSerializer = serializer_of(
    LeagueTable,
    "LeagueTableSerializer",
    "The table of a league over its finished events.",
    fields={"league": LeagueSerializer()},
)


class Leagues(StrictView):
    """All leagues."""

    permission_classes = [AllowAny]

    @extend_schema(summary="List the leagues", responses={200: LeagueSerializer(many=True), **READ_REFUSALS})
    def get(self, request: Request) -> Response:
        return Response(LeagueSerializer(League.objects.all(), many=True).data)

    @extend_schema(
        summary="Create a league that you own",
        request=LeagueEntrySerializer,
        responses={201: LeagueSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        if not request.user.is_authenticated:
            raise NotAuthenticated
        new_league = services.create_league(request.user, **read_body(LeagueEntrySerializer, request))
        return Response(LeagueSerializer(new_league).data, status=201)


class OneLeague(LeagueOwnerView):
    """One league."""

    @extend_schema(
        summary="Change a league that you own",
        request=LeagueEntrySerializer(partial=True),
        responses={200: LeagueSerializer, **REFUSALS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        league = self.league()
        changed_league = services.update_league(
            league, self.actor, **read_body(LeagueEntrySerializer, request, partial=True)
        )
        return Response(LeagueSerializer(changed_league).data)

    @extend_schema(
        operation_id="leagues_table",
        summary="Show the table of a league",
        responses={200: LeagueTableSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        league = get_object_or_404(League, slug=slug)
        return Response({"league": LeagueSerializer(league).data, **league_table(league).to_json()})
