"""API: catalogue imports, step by step."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from decks.access import get_signed_in_user
from decks.catalogue.importing.files import MAX_BYTES
from decks.catalogue.importing.preview import preview_in_words
from decks.catalogue.models import CatalogueImport
from decks.catalogue.selectors import recent_imports
from decks.catalogue.services import imports, undo
from decks.shared.api_requests import (
    StrictModelSerializer,
    StrictSerializer,
    StrictView,
    read_body,
    refuse_body,
)
from decks.shared.api_responses import REFUSED, ProblemSerializer
from decks.shared.refusals import Refused
from rules.rendering import get_messages

REFUSALS = {400: REFUSED, 401: REFUSED, 403: REFUSED, 404: REFUSED, 415: REFUSED}


class IsCatalogueEditor(BasePermission):
    """Users with the permission `decks.import_catalogue`."""

    message = "Only catalogue editors may do this."

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(request.user.has_perm("decks.import_catalogue"))


class ImportShape(StrictModelSerializer):
    """One import. `preview` and `report` are empty until they exist."""

    error = serializers.CharField(read_only=True)
    problems = serializers.SerializerMethodField(
        help_text="Why the file cannot be read, in the form of refusals."
    )
    preview = serializers.SerializerMethodField()
    report = serializers.SerializerMethodField()
    is_stale = serializers.SerializerMethodField(
        help_text="Whether the catalogue changed after the preview. If so, send `again`."
    )

    kept_until = serializers.DateTimeField(
        read_only=True, help_text="When the file is deleted without a decision."
    )

    class Meta:
        model = CatalogueImport
        fields = (
            "id", "game", "file_name", "size", "digest", "state", "error", "problems", "preview",
            "decisions", "report", "is_stale", "sent_by_name", "sent_at", "kept_until",
            "finished_by_name", "finished_at",
        )  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(ProblemSerializer(many=True))
    def get_problems(self, catalogue_import: CatalogueImport) -> list[dict[str, object]]:
        return [Refused.from_record(each).to_json() for each in catalogue_import.failure]

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_preview(self, catalogue_import: CatalogueImport) -> dict[str, object]:
        return preview_in_words(catalogue_import.preview)

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_report(self, catalogue_import: CatalogueImport) -> dict[str, object]:
        return preview_in_words(catalogue_import.report)

    def get_is_stale(self, catalogue_import: CatalogueImport) -> bool:
        return catalogue_import.state == CatalogueImport.State.OPEN and imports.is_stale(catalogue_import)


class ImportRow(StrictModelSerializer):
    """An import in the overview."""

    class Meta:
        model = CatalogueImport
        fields = ("id", "game", "file_name", "state", "sent_by_name", "sent_at")
        read_only_fields = fields


class ImportRequest(StrictSerializer):
    """A catalogue file, as text or as a file of a form."""

    text = serializers.CharField(required=False, trim_whitespace=False, max_length=MAX_BYTES)
    file = serializers.FileField(required=False)
    game = serializers.CharField(required=False, allow_blank=True, max_length=32)

    def validate(self, attrs: dict[str, object]) -> dict[str, object]:
        if ("text" in attrs) == ("file" in attrs):
            raise serializers.ValidationError("Send a text or a file.", code="one_source")
        return attrs


class DecisionRequest(StrictSerializer):
    """Decisions on conflicts: on `all` of them, or on `each` by its token."""

    all = serializers.ChoiceField(choices=imports.SIDES, required=False)
    each = serializers.DictField(child=serializers.ChoiceField(choices=imports.SIDES), required=False)


class CatalogueImports(StrictView):
    """The imports of catalogue files."""

    permission_classes = [IsCatalogueEditor]
    parser_classes = [JSONParser, MultiPartParser]

    @extend_schema(
        operation_id="list_catalogue_imports",
        summary="List the latest catalogue imports",
        responses={200: ImportRow(many=True), **REFUSALS},
    )
    def get(self, request: Request) -> Response:
        return Response(ImportRow(recent_imports(), many=True).data)

    @extend_schema(
        operation_id="send_catalogue_file",
        summary="Upload a catalogue file to create a preview",
        request=ImportRequest,
        responses={201: ImportShape, **REFUSALS},
    )
    def post(self, request: Request) -> Response:
        data = read_body(ImportRequest, request)
        upload = data.get("file")
        content = upload.read(MAX_BYTES + 1) if upload else data["text"].encode("utf-8", "replace")
        catalogue_import = imports.receive_file(
            content,
            file_name=upload.name if upload else "",
            game=data.get("game", ""),
            person=get_signed_in_user(request.user),
        )
        return Response(ImportShape(catalogue_import).data, status=201)


class OneCatalogueImport(StrictView):
    """One import."""

    permission_classes = [IsCatalogueEditor]

    @extend_schema(
        operation_id="get_catalogue_import",
        summary="Show an import with its preview, decisions and report",
        responses={200: ImportShape, **REFUSALS},
    )
    def get(self, request: Request, import_id: UUID) -> Response:
        return Response(ImportShape(get_object_or_404(CatalogueImport, pk=import_id)).data)


def _decide(catalogue_import: CatalogueImport, request: Request) -> None:
    data = read_body(DecisionRequest, request)
    imports.decide(catalogue_import, all_of_them=data.get("all", ""), each=data.get("each"))


STEPS: dict[str, Callable[[CatalogueImport, Request], object]] = {
    "decide": _decide,
    "apply": lambda catalogue_import, request: imports.request_apply(
        catalogue_import, get_signed_in_user(request.user)
    ),
    "again": lambda catalogue_import, request: imports.refresh_preview(
        catalogue_import, get_signed_in_user(request.user)
    ),
    "retry": lambda catalogue_import, request: imports.retry_import(
        catalogue_import, get_signed_in_user(request.user)
    ),
    "undo": lambda catalogue_import, request: undo.undo_import(
        catalogue_import, get_signed_in_user(request.user)
    ),
    "throw-away": lambda catalogue_import, request: imports.discard_import(
        catalogue_import, get_signed_in_user(request.user)
    ),
}


class CatalogueImportStep(StrictView):
    """One step of an import."""

    permission_classes = [IsCatalogueEditor]

    @extend_schema(
        operation_id="step_catalogue_import",
        summary="Decide conflicts, apply, undo, refresh the preview, retry a lost job, or discard the file",
        parameters=[OpenApiParameter("step", str, "path", enum=list(STEPS))],
        request=DecisionRequest,
        responses={200: ImportShape, **REFUSALS, 409: REFUSED},
    )
    def post(self, request: Request, import_id: UUID, step: str) -> Response:
        catalogue_import = get_object_or_404(CatalogueImport.objects.select_related("job"), pk=import_id)
        if step not in STEPS:
            raise Http404(f"There is no such step; there are {get_messages().join([*STEPS])}.")
        if step != "decide":
            refuse_body(request)
        STEPS[step](catalogue_import, request)
        return Response(ImportShape(CatalogueImport.objects.get(pk=import_id)).data)
