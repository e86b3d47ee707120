"""API of decklists for staff and players.

It covers versions, differences, rulings and exchanges.
"""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from decks.checking.api_shapes import CheckAnswer
from decks.checking.deck_files import FILE_TYPES
from decks.shared.api_requests import read_body, read_query
from decks.submissions.exchanges import main_deck_cards, read_card_lines, reserve_cards
from decks.submissions.models import DeckVersion
from decks.submissions.selectors import verdict_prefetches, write_version_file
from tournament.access.permissions import Right
from tournament.decklists import api_shapes, selectors
from tournament.decklists.field import EventField, public_field
from tournament.decklists.open_lists import find_open_list
from tournament.decklists.services import exchanges
from tournament.decklists.services import lists as decklists
from tournament.events.models.player import Player
from tournament.events.seats import find_owners
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView, PrivateLinkView

FILE_KIND = OpenApiParameter("kind", str, OpenApiParameter.PATH, enum=sorted(FILE_TYPES))

VERSION_RESPONSES = {200: api_shapes.VersionSerializer(many=True), **READ_REFUSALS}


def versions_data(player: Player) -> list[dict[str, object]]:
    versions = DeckVersion.objects.filter(deck_list=player.deck_list_id).select_related("deck_list")
    rows = versions.prefetch_related(*verdict_prefetches(), "answers").order_by("-number")
    return list(api_shapes.VersionSerializer(rows, many=True).data)


def get_version(player: Player, number: int) -> DeckVersion:
    versions = DeckVersion.objects.filter(deck_list=player.deck_list_id).select_related("deck_list")
    return get_object_or_404(versions.prefetch_related(*verdict_prefetches(), "answers"), number=number)


def version_data(version: DeckVersion) -> dict[str, object]:
    versions = DeckVersion.objects.select_related("deck_list").prefetch_related(
        *verdict_prefetches(), "answers"
    )
    return api_shapes.VersionSerializer(versions.get(pk=version.pk)).data


def read_list(request: Request, player: Player) -> api_shapes.SentList:
    """Read the list of the body, with its answers in the text.

    Raises ValidationError and Refused.
    """
    sent_list = api_shapes.SentList(**read_body(api_shapes.ListSerializer, request))
    return sent_list.with_answers(player.event.game)


def difference_response(request: Request, player: Player) -> Response:
    difference = selectors.compare_numbered_versions(player, **read_query(api_shapes.VersionsQuery, request))
    if difference is None:
        raise Http404("There are no two such versions.")
    return Response(difference.to_json())


def file_response(version: DeckVersion, kind: str) -> Response:
    if kind not in FILE_TYPES:
        raise Http404("There is no such type of file.")
    return Response({"format": kind, "content": write_version_file(version, kind)})


def open_list_response(player: Player, viewer: Player | None) -> Response:
    open_list = find_open_list(player, viewer=viewer)
    if open_list is None:
        raise Http404("This list is not open.")
    return Response(api_shapes.OpenListSerializer(open_list).data)


class EventDecklists(EventView):
    """All decklists of an event, for staff."""

    @extend_schema(
        summary="List the decklists of all players with their verdicts",
        responses={200: api_shapes.ListRowSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        rows = selectors.list_rows(self.event(Right.LISTS))
        return Response(api_shapes.ListRowSerializer(rows, many=True).data)


class PlayerList(EventView):
    """A player's decklist, for staff."""

    @extend_schema(
        operation_id="events_players_list_versions",
        summary="List the versions of a player's decklist, newest first",
        responses=VERSION_RESPONSES,
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return Response(versions_data(self.list_owner(self.event(Right.LISTS))))

    @extend_schema(
        summary="Submit or correct a decklist for a player",
        request=api_shapes.ListSerializer,
        responses={201: api_shapes.VersionSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        player = self.list_owner(self.event(Right.LISTS))
        sent_list = read_list(request, player)
        version = decklists.submit_list(
            player,
            self.actor,
            sent_list.text,
            pool=sent_list.pool,
            declared_values=sent_list.declared,
            by_staff=True,
            reason=sent_list.reason,
        )
        return Response(version_data(version), status=201)


class PlayerListVersion(EventView):
    """One version of a player's decklist, for staff."""

    @extend_schema(
        summary="Show a version of a player's decklist",
        responses={200: api_shapes.VersionSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int, version: int) -> Response:
        version_row = get_version(self.list_owner(self.event(Right.LISTS)), version)
        return Response(api_shapes.VersionSerializer(version_row).data)


class PlayerListRuling(EventView):
    """The organizer's ruling over a verdict."""

    @extend_schema(
        summary="Overrule the verdict on a version (replaces an earlier ruling)",
        request=api_shapes.RulingSerializer,
        responses={201: api_shapes.RulingSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int, version: int) -> Response:
        player = self.list_owner(self.event(Right.MANAGE))
        values = read_body(api_shapes.RulingSerializer, request)
        ruling = decklists.overrule_verdict(player, self.actor, **values, number=version)
        return Response(api_shapes.RulingSerializer(ruling).data, status=201)


class PlayerListFile(EventView):
    """A version as a deck file."""

    @extend_schema(
        summary="Download a version as a deck file",
        parameters=[FILE_KIND],
        responses={200: api_shapes.FileSerializer, **REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int, version: int, kind: str) -> Response:
        return file_response(get_version(self.list_owner(self.event(Right.LISTS)), version), kind)


class PlayerListDifference(EventView):
    """The changes between two versions."""

    @extend_schema(
        summary="Show the changes between two versions of a player's decklist",
        parameters=[api_shapes.VersionsQuery],
        responses={200: api_shapes.DifferenceSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return difference_response(request, self.list_owner(self.event(Right.LISTS)))


class PlayerExchanges(EventView):
    """Sideboarding checks against the submitted decklist."""

    @extend_schema(
        operation_id="events_players_exchanges",
        summary="List the recorded sideboarding checks",
        responses={200: api_shapes.ExchangeCheckSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        checks = selectors.exchange_checks(self.list_owner(self.event(Right.LISTS)))
        return Response(api_shapes.ExchangeCheckSerializer(checks, many=True).data)

    @extend_schema(
        summary="Check the sideboarding that a player presents",
        request=api_shapes.ExchangeSerializer,
        responses={200: api_shapes.ExchangeVerdictSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        player = self.list_owner(self.event(Right.LISTS))
        values = read_body(api_shapes.ExchangeSerializer, request)
        version = exchanges.registered_version(player)
        presented_exchange = exchanges.PresentedExchange(
            taken_out=read_card_lines(version, values["out"], field="out", among=main_deck_cards(version)),
            brought_in=read_card_lines(version, values["into"], field="into", among=reserve_cards(version)),
            game_in_round=values["game_in_round"],
        )
        checked_exchange = exchanges.check_exchange(player, presented_exchange)
        saved_check = (
            exchanges.record_exchange(player, self.actor, presented_exchange) if values["keep"] else None
        )
        return Response(api_shapes.RecordedExchange(checked_exchange, saved_check).to_json())


class PlayerExchange(EventView):
    """One recorded sideboarding check."""

    @extend_schema(summary="Undo the record of a sideboarding check", responses={204: None, **REFUSALS})
    def delete(self, request: Request, slug: str, number: int, check: int) -> HttpResponse:
        player = self.list_owner(self.event(Right.LISTS))
        saved_checks = player.exchange_checks.select_related("player__event")
        exchanges.undo_exchange_check(get_object_or_404(saved_checks, pk=check), self.actor)
        return Response(status=204)


class DeckField(EventView):
    """The cards of all decklists."""

    @extend_schema(
        summary="Show the cards of all decklists (empty while these are not open to everyone)",
        responses={200: api_shapes.FieldSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response((public_field(self.event()) or EventField(0, ())).to_json())


class PlayerOpenList(EventView):
    """A decklist that is open to everyone."""

    @extend_schema(
        summary="Show a decklist that is open to everyone",
        responses={200: api_shapes.OpenListSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        return open_list_response(self.list_owner(self.event()), None)


class OwnList(PrivateLinkView):
    """The player's own decklist."""

    @extend_schema(
        operation_id="me_list_versions",
        summary="List the versions of my decklist, newest first",
        responses=VERSION_RESPONSES,
    )
    def get(self, request: Request, token: str) -> Response:
        return Response(versions_data(self.list_owner()))

    @extend_schema(
        summary="Submit my decklist",
        request=api_shapes.ListSerializer,
        responses={201: api_shapes.VersionSerializer, **REFUSALS},
    )
    def post(self, request: Request, token: str) -> Response:
        me = self.list_owner()
        sent_list = read_list(request, me)
        version = decklists.submit_list(
            me, self.actor(me), sent_list.text, pool=sent_list.pool, declared_values=sent_list.declared
        )
        return Response(version_data(version), status=201)


class OwnListCheck(PrivateLinkView):
    """A check of a decklist that is not submitted."""

    @extend_schema(
        summary="Check my decklist by the rules of the event without submitting it",
        request=api_shapes.ListSerializer,
        responses={200: CheckAnswer, **REFUSALS},
    )
    def post(self, request: Request, token: str) -> Response:
        me = self.list_owner()
        sent_list = read_list(request, me)
        checked_list = decklists.check_list(
            me.event,
            sent_list.text,
            pool=sent_list.pool,
            declared_values=sent_list.declared,
            character=me.character,
        ).to_json()
        return Response({**checked_list, "text": sent_list.text} if sent_list.answers else checked_list)


class OwnListDifference(PrivateLinkView):
    """The changes between two of my versions."""

    @extend_schema(
        summary="Show the changes between two versions of my decklist",
        parameters=[api_shapes.VersionsQuery],
        responses={200: api_shapes.DifferenceSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, token: str) -> Response:
        return difference_response(request, self.list_owner())


class OwnListFile(PrivateLinkView):
    """One of my versions as a deck file."""

    @extend_schema(
        summary="Download one of my versions as a deck file",
        parameters=[FILE_KIND],
        responses={200: api_shapes.FileSerializer, **REFUSALS},
    )
    def get(self, request: Request, token: str, version: int, kind: str) -> Response:
        return file_response(get_version(self.list_owner(), version), kind)


class OwnListAnswer(PrivateLinkView):
    """My answer to a correction or ruling by staff."""

    @extend_schema(
        summary="Answer a correction or ruling: seen, agree or disagree",
        request=api_shapes.AnswerSerializer,
        responses={201: api_shapes.AnswerSerializer, **REFUSALS},
    )
    def post(self, request: Request, token: str) -> Response:
        me = self.list_owner()
        values = read_body(api_shapes.AnswerSerializer, request)
        answered_list = decklists.record_answer(me, self.actor(me), **values)
        return Response(api_shapes.AnswerSerializer(answered_list).data, status=201)


class OwnOpenList(PrivateLinkView):
    """Another player's decklist that is open to me."""

    @extend_schema(
        summary="Show a decklist that is open to me",
        responses={200: api_shapes.OpenListSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, token: str, number: int) -> Response:
        me = self.list_owner()
        return open_list_response(get_object_or_404(find_owners(me.event), number=number), me.entrant)
