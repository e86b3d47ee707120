"""From tournament.api.lists."""

from __future__ import annotations

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from decks.checking.api import CheckAnswer
from tournament.access.actor import Actor
from tournament.decklists.api import shapes
from tournament.decklists.api.lists import (
    KIND,
    NEWER,
    OLDER,
    VERSIONS,
    _difference,
    _file,
    _opened,
    _shown,
    _version,
    _versions,
)
from tournament.decklists.services import lists as decklists
from tournament.my_page.api.own import OwnView
from tournament.web.api import READ_REFUSALS, REFUSALS, valid


class OwnList(OwnView):
    """The player's own decklist."""

    @extend_schema(
        operation_id="me_list_versions",
        summary="Every version of my list, the newest first",
        responses=VERSIONS,
    )
    def get(self, request: Request, token: str) -> Response:
        return Response(_versions(self.me()))

    @extend_schema(
        summary="Submit my list",
        request=shapes.ListSerializer,
        responses={201: shapes.VersionSerializer, **REFUSALS},
    )
    def post(self, request: Request, token: str) -> Response:
        me = self.me()
        asked = valid(shapes.ListSerializer, request)
        parts = {"pool": asked["pool"], "declared": asked["declared"]}
        return Response(_shown(decklists.submit(me, Actor.of_player(me), asked["text"], **parts)), status=201)


class OwnListCheck(OwnView):
    """The verdict on a list that is not submitted."""

    @extend_schema(
        summary="Check my list under the terms of the event; nothing is kept",
        request=shapes.ListSerializer,
        responses={200: CheckAnswer, **REFUSALS},
    )
    def post(self, request: Request, token: str) -> Response:
        me = self.me()
        asked = valid(shapes.ListSerializer, request)
        parts = {"pool": asked["pool"], "declared": asked["declared"], "character": me.character}
        return Response(decklists.check(me.event, asked["text"], **parts).to_json())


class OwnListDifference(OwnView):
    """What changed between two of my versions."""

    @extend_schema(
        summary="What changed between two versions of my list",
        parameters=[OLDER, NEWER],
        responses={200: shapes.DifferenceSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, token: str) -> Response:
        return _difference(request, self.me())


class OwnListFile(OwnView):
    """One of my versions as a deck file."""

    @extend_schema(
        summary="One of my versions as the text of a deck file",
        parameters=[KIND],
        responses={200: shapes.FileSerializer, **REFUSALS},
    )
    def get(self, request: Request, token: str, version: int, kind: str) -> Response:
        return _file(_version(self.me(), version), kind)


class OwnListAnswer(OwnView):
    """What I say to what staff did to my list."""

    @extend_schema(
        summary="Say that I saw a correction or ruling, and whether I agree",
        request=shapes.AnswerSerializer,
        responses={201: shapes.AnswerSerializer, **REFUSALS},
    )
    def post(self, request: Request, token: str) -> Response:
        me = self.me()
        asked = valid(shapes.AnswerSerializer, request)
        said = decklists.answer(me, Actor.of_player(me), **asked)
        return Response(shapes.AnswerSerializer(said).data, status=201)


class OwnOpenList(OwnView):
    """Another player's list that the organizer opened to me."""

    @extend_schema(
        summary="A list that is open to me", responses={200: shapes.OpenListSerializer, **READ_REFUSALS}
    )
    def get(self, request: Request, token: str, number: int) -> Response:
        me = self.me()
        people = me.event.players.select_related("event", "deck_list__current")
        return _opened(get_object_or_404(people, number=number), me)
