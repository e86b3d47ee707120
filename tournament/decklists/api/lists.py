"""Lists by the API: versions, differences, rulings, exchanges, for staff and by a player's private link."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from decks.checking.files import FILE_TYPES
from decks.submissions.exchanges import main_deck, read_lines, reserve
from decks.submissions.models import DeckVersion
from decks.submissions.selectors.files import as_file
from decks.submissions.selectors.standing import with_standing
from tournament.access.rights import Right
from tournament.decklists.api import shapes
from tournament.decklists.selectors import lists as selectors
from tournament.decklists.selectors.open_lists import open_list
from tournament.decklists.services import exchanges
from tournament.decklists.services import lists as decklists
from tournament.events.models.player import Player
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView, valid

OLDER = OpenApiParameter("older", int, description="A version; the last but one without it.")


NEWER = OpenApiParameter("newer", int, description="A version; the last one without it.")


KIND = OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=sorted(FILE_TYPES))


VERSIONS = {200: shapes.VersionSerializer(many=True), **READ_REFUSALS}


def _versions(player: Player) -> list[dict[str, Any]]:
    held = DeckVersion.objects.filter(deck_list=player.deck_list_id).select_related("deck_list")
    rows = held.prefetch_related(*with_standing(), "answers").order_by("-number")
    return shapes.VersionSerializer(rows, many=True).data


def _version(player: Player, number: int) -> DeckVersion:
    held = DeckVersion.objects.filter(deck_list=player.deck_list_id).select_related("deck_list")
    return get_object_or_404(held.prefetch_related(*with_standing(), "answers"), number=number)


def _shown(version: DeckVersion) -> dict[str, Any]:
    fresh = DeckVersion.objects.select_related("deck_list").prefetch_related(*with_standing(), "answers")
    return shapes.VersionSerializer(fresh.get(pk=version.pk)).data


def _difference(request: Request, player: Player) -> Response:
    asked = request.query_params
    found = selectors.compared(player, asked.get("older", ""), asked.get("newer", ""))
    if found is None:
        raise Http404("There are no two such versions.")
    return Response(found.to_json())


def _file(version: DeckVersion, kind: str) -> Response:
    if kind not in FILE_TYPES:
        raise Http404("There is no such type of file.")
    return Response({"format": kind, "content": as_file(version, kind)})


def _opened(player: Player, viewer: Player | None) -> Response:
    opened = open_list(player, viewer=viewer)
    if opened is None:
        raise Http404("This list is not open.")
    return Response(shapes.OpenListSerializer(opened).data)


class Lists(EventView):
    """All lists of an event, for staff."""

    @extend_schema(
        summary="Every player's list and what stands about it",
        responses={200: shapes.ListRowSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        rows = selectors.list_rows(self.event(Right.LISTS))
        return Response(shapes.ListRowSerializer(rows, many=True).data)


class PlayerList(EventView):
    """A player's decklist, for staff."""

    @extend_schema(
        operation_id="events_players_list_versions",
        summary="Every version of a player's list, the newest first",
        responses=VERSIONS,
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(_versions(self.player(self.event(Right.LISTS))))

    @extend_schema(
        summary="Hand a list in for a player, or correct it",
        request=shapes.ListSerializer,
        responses={201: shapes.VersionSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.LISTS))
        version = decklists.submit(player, self.actor, **valid(shapes.ListSerializer, request), by_staff=True)
        return Response(_shown(version), status=201)


class PlayerListVersion(EventView):
    """One version of a player's list, for staff."""

    @extend_schema(
        summary="One version of a player's list", responses={200: shapes.VersionSerializer, **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str, number: int, version: int) -> Response:
        held = _version(self.player(self.event(Right.LISTS)), version)
        return Response(shapes.VersionSerializer(held).data)


class PlayerListRuling(EventView):
    """The organizer's ruling over a verdict."""

    @extend_schema(
        summary="Overrule the verdict on a version; a later ruling takes the place of this one",
        request=shapes.RulingSerializer,
        responses={201: shapes.RulingSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int, version: int) -> Response:
        player = self.player(self.event(Right.MANAGE))
        asked = valid(shapes.RulingSerializer, request)
        ruling = decklists.overrule(player, self.actor, **asked, number=version)
        return Response(shapes.RulingSerializer(ruling).data, status=201)


class PlayerListFile(EventView):
    """A version as a deck file."""

    @extend_schema(
        summary="One version as the text of a deck file",
        parameters=[KIND],
        responses={200: shapes.FileSerializer, **REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int, version: int, kind: str) -> Response:
        return _file(_version(self.player(self.event(Right.LISTS)), version), kind)


class PlayerListDifference(EventView):
    """What changed between two versions."""

    @extend_schema(
        summary="What changed between two versions of a player's list",
        parameters=[OLDER, NEWER],
        responses={200: shapes.DifferenceSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return _difference(request, self.player(self.event(Right.LISTS)))


class PlayerExchanges(EventView):
    """Exchanges with the sideboard, held against the registered list."""

    @extend_schema(
        operation_id="events_players_exchanges",
        summary="The checks on record",
        responses={200: shapes.ExchangeCheckSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        checks = selectors.exchange_checks(self.player(self.event(Right.LISTS)))
        return Response(shapes.ExchangeCheckSerializer(checks, many=True).data)

    @extend_schema(
        summary="Check an exchange presented at the table",
        request=shapes.ExchangeSerializer,
        responses={200: shapes.ExchangeVerdictSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        player = self.player(self.event(Right.LISTS))
        asked = valid(shapes.ExchangeSerializer, request)
        version = exchanges.registered_version(player)
        presented = exchanges.Presented(
            taken_out=read_lines(version, asked["out"], field="out", among=main_deck(version)),
            brought_in=read_lines(version, asked["into"], field="into", among=reserve(version)),
            game_in_round=asked["game_in_round"],
        )
        judged = exchanges.check_exchange(player, presented)
        kept = exchanges.record_exchange(player, self.actor, presented) if asked["keep"] else None
        return Response(shapes.exchange_data(judged, kept))


class PlayerExchange(EventView):
    """One check on record."""

    @extend_schema(summary="Take the record of a check back", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, number: int, check: int) -> HttpResponse:
        player = self.player(self.event(Right.LISTS))
        kept = player.exchange_checks.select_related("player__event")
        exchanges.take_back_check(get_object_or_404(kept, pk=check), self.actor)
        return Response(status=204)


class PlayerOpenList(EventView):
    """A list that the organizer opened to everybody."""

    @extend_schema(
        summary="A list that is open to everybody",
        responses={200: shapes.OpenListSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return _opened(self.player(self.event()), None)
