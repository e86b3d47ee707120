"""API: dated lists, one edition with its differences, and checking a draft."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, Self

from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

import rules
from decks.access import ListEditor
from decks.editions.domain.content import EditionDifference, EntryChange, edition_digest
from decks.editions.domain.kinds import EntryData, find_kind
from decks.editions.selectors.pages import (
    EditionStatus,
    ListedEdition,
    compare_with_previous,
    get_edition_page,
    lint_edition,
    list_pages,
)
from decks.editions.services import next_edition_number, validate_entries
from decks.shared.api_requests import StrictSerializer, StrictView, read_body, read_query
from decks.shared.api_responses import REFUSED, GameQuery
from decks.shared.dataclass_serializers import serializer_of
from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused
from rules import Edition
from rules.lint_lists import ListProblem
from rules.reason import params_to_json


@dataclass(frozen=True, slots=True)
class EditionRow(Published):
    """A version of a ban, errata or identity list, without its entries."""

    game: str
    kind: str
    number: int
    name: str
    document: str
    clause: str
    versions: tuple[str, ...]
    in_force: date | None
    standing: EditionStatus
    source: Literal["shipped", "published"]
    published_at: datetime | None
    note: str
    digest: str
    entry_count: int

    @classmethod
    def of(cls, listed_edition: ListedEdition, **more: Any) -> Self:
        """Return the published fields of an edition.

        `more` are further fields of a subclass.
        """
        edition, row = listed_edition.edition, listed_edition.row
        return cls(
            game=edition.game,
            kind=edition.kind,
            number=edition.number,
            name=edition.name,
            document=edition.document,
            clause=edition.clause,
            versions=edition.versions,
            in_force=edition.in_force,
            standing=listed_edition.status,
            source="published" if row else "shipped",
            published_at=row.published_at if row else None,
            note=row.note if row else "",
            digest=row.digest if row else edition_digest(edition),
            entry_count=len(edition.entries),
            **more,
        )


@dataclass(frozen=True, slots=True)
class WholeEdition(EditionRow):
    """An edition with its entries and its difference to the one before."""

    entries: tuple[EntryData, ...]
    compared_with: int | None
    difference: EditionDifference


EDITION_HELP = {"versions": "Rules versions. Empty for all."}
EditionShape = serializer_of(
    EditionRow,
    "EditionShape",
    "A version of a ban, errata or identity list, without its entries.",
    help_texts=EDITION_HELP,
)
EntryChangeShape = serializer_of(EntryChange, "EntryChangeShape", "A new, removed or changed entry.")
DifferenceShape = serializer_of(
    EditionDifference, "DifferenceShape", "The changes since the previous version."
)
WholeEditionShape = serializer_of(
    WholeEdition,
    "WholeEditionShape",
    "A version with its entries and its changes since the previous one (null if there is none).",
    help_texts=EDITION_HELP,
)


class DraftShape(StrictSerializer):
    """A draft of a ban, errata or identity list to check without saving it."""

    game = serializers.CharField(max_length=32)
    kind = serializers.CharField(max_length=32)
    name = serializers.CharField(max_length=120, required=False, allow_blank=True)
    document = serializers.CharField(max_length=200, required=False, allow_blank=True)
    clause = serializers.CharField(max_length=120, required=False, allow_blank=True)
    versions = serializers.ListField(
        child=serializers.CharField(max_length=16), required=False, max_length=50
    )
    in_force = serializers.DateField(required=False, allow_null=True)
    entries = serializers.ListField(child=serializers.DictField())


@dataclass(frozen=True, slots=True)
class DraftProblem(Published):
    """A problem of a draft. `entry` counts from 1, None is the whole list."""

    code: str
    severity: Literal["error", "warning"]
    entry: int | None
    sentence: str
    fix: str
    params: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class CheckedDraft(Published):
    """The problems of a draft and its changes since the last version."""

    problems: tuple[DraftProblem, ...]
    compared_with: int | None
    difference: EditionDifference


ProblemShape = serializer_of(
    DraftProblem,
    "ProblemShape",
    "A problem of a draft. `entry` counts from 1. Null is the whole list.",
    help_texts={"params": "The parameters of the code by name."},
)
DraftAnswer = serializer_of(
    CheckedDraft,
    "DraftAnswer",
    "The problems of a draft and its changes since the last version.",
)


class EditionsView(StrictView):
    """All versions of the ban, errata and identity lists."""

    permission_classes = [AllowAny]
    authentication_classes: list[Any] = []

    @extend_schema(
        operation_id="list_editions",
        summary="List all versions of the ban, errata and identity lists",
        parameters=[GameQuery],
        responses={200: EditionShape(many=True), 400: REFUSED},
    )
    def get(self, request: Request) -> Response:
        game_key, today = read_query(GameQuery, request).get("game"), timezone.localdate()
        games = [game for game in rules.games() if game_key in (None, game.key)]
        rows = [
            EditionRow.of(listed_edition)
            for game in games
            for page in list_pages(game, today)
            for listed_edition in page.editions
        ]
        return Response(EditionShape(rows, many=True).data)


class EditionView(StrictView):
    """One version of a list."""

    permission_classes = [AllowAny]
    authentication_classes: list[Any] = []

    @extend_schema(
        operation_id="list_edition",
        summary="Show a version with its entries and its changes",
        responses={200: WholeEditionShape, 400: REFUSED, 404: REFUSED},
    )
    def get(self, request: Request, game: str, kind: str, number: int) -> Response:
        page = get_edition_page(game, kind, number, timezone.localdate())
        if page is None:
            raise Http404
        before = page.comparison.before
        whole = WholeEdition.of(
            page.listed_edition,
            entries=page.listed_edition.edition.entries,
            compared_with=before.number if before else None,
            difference=page.comparison.difference,
        )
        return Response(WholeEditionShape(whole).data)


class CheckDraftView(StrictView):
    """Check a draft without saving it. Only ban list editors may do this."""

    permission_classes = [ListEditor]

    @extend_schema(
        operation_id="check_list_draft",
        summary="Check a draft of a list without saving it",
        request=DraftShape,
        responses={200: DraftAnswer, 400: REFUSED, 403: REFUSED, 415: REFUSED},
    )
    def post(self, request: Request) -> Response:
        edition = _build_edition(**read_body(DraftShape, request))
        comparison = compare_with_previous(edition)
        checked_draft = CheckedDraft(
            tuple(map(_to_draft_problem, lint_edition(edition, timezone.localdate()))),
            comparison.before.number if comparison.before else None,
            comparison.difference,
        )
        return Response(checked_draft.to_json())


def _to_draft_problem(problem: ListProblem) -> DraftProblem:
    params = params_to_json(problem.reason.params)
    words = problem.sentence, problem.fix
    return DraftProblem(problem.code, problem.severity, problem.entry, *words, params)


def _build_edition(game: str, kind: str, entries: list[dict[str, object]], **details: object) -> Edition:
    """Build the edition of a checked body; `details` are its other values.

    Raises Refused.
    """
    try:
        list_kind = find_kind(game, kind)
    except rules.UnknownFormat as error:
        raise Refused("unknown_game", field="game", why=error.reasons) from error
    if list_kind is None:
        raise Refused("unknown_list", field="kind", kind=kind)
    number = next_edition_number(game, kind)
    return Edition.from_mapping(
        game, {**details, "kind": kind, "number": number, "entries": validate_entries(entries)}
    )
