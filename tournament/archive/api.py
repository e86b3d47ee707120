"""API of the archive: export and import an event."""

from __future__ import annotations

from typing import IO, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from decks.shared.api_requests import StrictSerializer, StrictView, read_body
from decks.shared.dataclass_serializers import serializer_of
from tournament.access.permissions import Actor, Right
from tournament.archive.deletion import Deletion, delete_event, mark_exported, preview_deletion
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.web import api as shapes
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView


class Archive(EventView):
    """The archive of an event."""

    @extend_schema(
        summary="Export an event as an archive", responses={200: OpenApiTypes.OBJECT, **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(Right.EXPORT)
        document = export_event(event)
        mark_exported(event)
        return Response(document)


DeletionSerializer = serializer_of(
    Deletion, "DeletionSerializer", "What a deletion would take, and what still stands in its way."
)


class EventNameSerializer(StrictSerializer):
    """The name of the event as confirmation."""

    confirm = serializers.CharField(max_length=120)


class EventDeletion(EventView):
    """The deletion of an event."""

    @extend_schema(
        summary="Show what the deletion of an event would take",
        responses={200: DeletionSerializer, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        return Response(preview_deletion(self.event(Right.OWN)).to_json())

    @extend_schema(
        summary="Delete an event after its archive was downloaded (cannot be undone)",
        request=EventNameSerializer,
        responses={204: None, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.OWN)
        delete_event(event, read_body(EventNameSerializer, request)["confirm"])
        return Response(status=204)


class ArchiveParser(BaseParser):
    """Leaves the JSON of an archive in its stream.

    It is judged there before it is held in memory.
    """

    media_type = "application/json"

    def parse(self, stream: IO[bytes], *_: Any, **__: Any) -> Any:
        """Return the stream itself."""
        return stream


class Archives(StrictView):
    """Archived events."""

    permission_classes = [IsAuthenticated]
    parser_classes = [ArchiveParser]

    @extend_schema(
        summary="Import an event from an archive",
        request=OpenApiTypes.OBJECT,
        responses={201: shapes.EventSerializer, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        # The stream that the parser leaves.
        source: Any = request.data
        event = restore_event(source or b"", Actor.of_user(request.user))
        return Response(shapes.EventSerializer(event).data, status=201)
