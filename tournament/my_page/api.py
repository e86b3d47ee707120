"""API of a player's private link: status, result, steps, judge call, penalties."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, read_body
from decks.shared.api_responses import ProblemsSerializer
from decks.shared.refusals import Conflict
from tournament.events.models.match_result import REPORTED
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.seats import list_owners_of
from tournament.judging import api_shapes as judging_shapes
from tournament.judging.services import calls
from tournament.registration.services.player_actions import OWN_ACTIONS
from tournament.results.services import results
from tournament.results.services.places import report_places
from tournament.web.api import (
    READ_REFUSALS,
    REFUSALS,
    PlayerSerializer,
    PrivateLinkView,
    PublicMatchSerializer,
    ReasonSerializer,
    conflict_response,
    make_result_fields,
)

# A player can read the declared fields of their own form, and public ones.
OWN = {"is_own": True}

MEANT_MATCH = serializers.IntegerField(
    required=False,
    min_value=1,
    help_text="The `id` of the match. Refused if the player is now in another match.",
)


class ReportedSerializer(StrictSerializer):
    """A player's report of a result."""

    locals().update(make_result_fields(REPORTED))


class GamesSerializer(ReportedSerializer):
    """A player's report.

    `ending` is `concession`, `agreed_draw` or an ending that the game declares. A team that plays on boards
    sends `boards` in place of the games. One that is null is still open.
    """

    p1_games = serializers.IntegerField(min_value=0, max_value=99, required=False)
    p2_games = serializers.IntegerField(min_value=0, max_value=99, required=False)
    match = MEANT_MATCH

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        """Ask for the games where there are no boards."""
        missing_fields = [
            name for name in ("p1_games", "p2_games") if name not in attrs and not attrs["boards"]
        ]
        if missing_fields:
            required_text = self.fields[missing_fields[0]].error_messages["required"]
            raise serializers.ValidationError(
                {name: [required_text] for name in missing_fields}, code="required"
            )
        return attrs


class OwnPlacesSerializer(StrictSerializer):
    """A player's report of a table with more than two sides.

    It has the places, in the order of the sides.
    """

    places = serializers.ListField(child=serializers.IntegerField(min_value=1, max_value=99))
    match = MEANT_MATCH


class OwnStepSerializer(ReasonSerializer):
    """A step of the player. To leave, send the current `match`."""

    match = MEANT_MATCH


class StaleMatchSerializer(ProblemsSerializer):
    """A refusal. `now` is the player's current match, or null."""

    now = PublicMatchSerializer(allow_null=True, required=False)


def _open_match(player: Player) -> Match | None:
    open_seats = player.seats.exclude(match__round__state="draft").filter(match__outcome="")
    last_seat = open_seats.select_related("match__round__stage__event", "match__p1", "match__p2").last()
    return last_seat.match if last_seat else None


class OwnStatus(PrivateLinkView):
    """The player's own registration and current match."""

    @extend_schema(
        summary="Show my registration and my match", responses={200: OpenApiTypes.OBJECT, **READ_REFUSALS}
    )
    def get(self, request: Request, token: str) -> Response:
        me = self.me()
        return Response(
            {
                "event": me.event.slug,
                "player": PlayerSerializer(me, context=OWN).data,
                "match": PublicMatchSerializer(match).data if (match := _open_match(me)) else None,
                "seats": [
                    {"seat": owner.seat_letter, "name": owner.name, "token": owner.token}
                    for owner in list_owners_of(me)
                    if owner.seat
                ],
            }
        )


def _refuse_other_match(match: Match) -> Response:
    """Refuse what was meant for a match that is no longer the one being played."""
    conflict = Conflict("another_match.api", field="match", table=match.table, round=match.round.number)
    return conflict_response(conflict, PublicMatchSerializer(match).data)


class OwnResult(PrivateLinkView):
    """The player's report of the current match."""

    @extend_schema(
        summary="Report my match (counts if my opponent reports the same)",
        request=GamesSerializer,
        responses={200: PublicMatchSerializer, **REFUSALS, 409: StaleMatchSerializer},
    )
    def post(self, request: Request, token: str) -> Response:
        me = self.me()
        games = read_body(GamesSerializer, request)
        match, match_id = _open_match(me), games.pop("match", None)
        if match is None:
            raise Http404("You have no match that is still being played.")
        if match_id not in (None, match.pk):
            return _refuse_other_match(match)
        return Response(PublicMatchSerializer(results.report_result(match, me, self.actor(me), **games)).data)


class OwnPlaces(PrivateLinkView):
    """The player's report of a table with more than two sides."""

    @extend_schema(
        summary="Report my table with more than two sides (counts if another player reports the same)",
        request=OwnPlacesSerializer,
        responses={200: PublicMatchSerializer, **REFUSALS, 409: StaleMatchSerializer},
    )
    def post(self, request: Request, token: str) -> Response:
        me, values = self.me(), read_body(OwnPlacesSerializer, request)
        match, match_id = _open_match(me), values.get("match")
        if match is None:
            raise Http404("You have no match that is still being played.")
        if match_id not in (None, match.pk):
            return _refuse_other_match(match)
        report = report_places(match, me, values["places"], self.actor(me))
        return Response(PublicMatchSerializer(report).data)


class OwnAction(PrivateLinkView):
    """Steps of the player: check in, withdraw, drop, or undo this."""

    @extend_schema(
        summary="Check in, withdraw or drop, or undo this",
        parameters=[OpenApiParameter("action", str, OpenApiParameter.PATH, enum=sorted(OWN_ACTIONS))],
        request=OwnStepSerializer,
        responses={200: PlayerSerializer, **REFUSALS, 409: StaleMatchSerializer},
    )
    def post(self, request: Request, token: str, action: str) -> Response:
        if action not in OWN_ACTIONS:
            raise Http404
        me, data = self.me(), read_body(OwnStepSerializer, request)
        match = _open_match(me) if "match" in data else None
        if match is not None and match.pk != data["match"]:
            return _refuse_other_match(match)
        OWN_ACTIONS[action](me, self.actor(me), data["reason"])
        return Response(PlayerSerializer(Player.objects.get(pk=me.pk), context=OWN).data)


class OwnCall(PrivateLinkView):
    """The player calls a judge."""

    @extend_schema(
        summary="Call a judge to my table, or return the open call",
        request=judging_shapes.OwnCallSerializer,
        responses={201: judging_shapes.CallSerializer, **REFUSALS},
    )
    def post(self, request: Request, token: str) -> Response:
        me = self.me()
        call = calls.call_judge(me, self.actor(me), **read_body(judging_shapes.OwnCallSerializer, request))
        return Response(judging_shapes.CallSerializer(call).data, status=201)


class OwnPenalties(PrivateLinkView):
    """The player's own penalties."""

    @extend_schema(
        summary="List my penalties, newest first",
        responses={200: judging_shapes.OwnPenaltySerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, token: str) -> Response:
        penalties = self.me().penalties.select_related("player")
        return Response(judging_shapes.OwnPenaltySerializer(penalties, many=True).data)
