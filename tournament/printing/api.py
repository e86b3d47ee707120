"""API of printing: list sheets, request one, follow its job, download the PDF."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks.jobs.models import Job
from decks.shared.api_requests import StrictSerializer, read_body
from decks.shared.api_responses import ProblemSerializer, StatedReasonSerializer
from decks.shared.dataclass_serializers import serializer_of
from decks.shared.refusals import Refused, refuse_all
from tournament.access import permissions
from tournament.access.permissions import Right
from tournament.events.models.event import Event
from tournament.events.selectors import get_rounds
from tournament.events.settings import get_game
from tournament.printing.registry import Sheet, find_sheet, list_sheets, sheet_or_404
from tournament.printing.request import (
    PAPER_SIZES,
    SHEET_JOB_KIND,
    SheetRequest,
    find_round,
    get_paper_size,
)
from tournament.printing.selectors import (
    SheetStatus,
    find_missing,
    list_sheet_groups,
    load_print_request,
)
from tournament.printing.services import request_sheet_pdf
from tournament.shared.links import get_base_url
from tournament.web.api import READ_REFUSALS, REFUSALS, EventView

MAX_NUMBER = 2**31 - 1


SheetSerializer = serializer_of(
    SheetStatus,
    "SheetSerializer",
    "A kind of printout. `lacks` says why it is not possible yet. `last` is the job of the newest one.",
    help_texts={"is_fresh": "Whether the newest one is still up to date."},
)


class WishSerializer(StrictSerializer):
    """A printout to create.

    Leave out the round for the last one, and the player for all players.
    """

    sheet = serializers.CharField(max_length=40)
    stage = serializers.IntegerField(required=False, min_value=1, max_value=MAX_NUMBER)
    round = serializers.IntegerField(required=False, min_value=1, max_value=MAX_NUMBER)
    paper = serializers.ChoiceField(choices=PAPER_SIZES, required=False)
    player = serializers.IntegerField(required=False, min_value=1, max_value=MAX_NUMBER)
    blank = serializers.BooleanField(required=False, default=False)


class _IsReady(serializers.BooleanField):
    def get_attribute(self, instance: Job) -> bool:
        return _find_pdf(instance) is not None


class SheetJobSerializer(StrictSerializer):
    """The job of a printout. `percent` is null while the progress is unknown."""

    id = serializers.UUIDField()
    sheet = serializers.CharField(source="payload.sheet")
    state = serializers.ChoiceField(choices=Job.State.values)
    percent = serializers.IntegerField(allow_null=True)
    progress = StatedReasonSerializer(allow_null=True, help_text="The current step, once one was reported.")
    error = serializers.CharField(allow_blank=True)
    problems = ProblemSerializer(many=True, help_text="Why it failed, in the form of refusals.")
    is_ready = _IsReady(help_text="Whether the PDF is ready for download.")


class SheetView(EventView):
    """A view of sheets, which need the rights of what is on them."""

    def require_right_to_read(self, event: Event, sheet: Sheet, *, is_blank: bool) -> None:
        """Raise PermissionDenied unless the person may read the sheet."""
        rights = permissions.get_rights(self.request.user, event)
        if not sheet.can_be_printed(rights, is_blank=is_blank):
            permissions.require_right(self.request.user, event, sheet.right)

    def job(self, job_id: UUID) -> Job:
        """Return the job of the address."""
        event = self.event(Right.PRINT)
        job = get_object_or_404(Job, pk=job_id, kind=SHEET_JOB_KIND, payload__event=event.pk)
        sheet_request = SheetRequest.from_payload(job.payload)
        self.require_right_to_read(
            event, sheet_or_404(event, sheet_request.sheet), is_blank=sheet_request.blank
        )
        return job


class Sheets(SheetView):
    """The printouts of an event."""

    @extend_schema(
        summary="List the printouts of an event",
        responses={200: SheetSerializer(many=True), **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PRINT)
        rights = permissions.get_rights(request.user, event)
        groups = list_sheet_groups(event, get_rounds(event), rights)
        sheets = [each for group in groups for each in group.sheets]
        return Response(SheetSerializer(sheets, many=True).data)

    @extend_schema(
        summary="Create a printout, or reuse one of the same state",
        request=WishSerializer,
        responses={202: SheetJobSerializer, **REFUSALS},
    )
    def post(self, request: Request, slug: str) -> Response:
        event = self.event(Right.PRINT)
        sheet_request = SheetRequest(event.pk, **read_body(WishSerializer, request))
        sheet_request = replace(sheet_request, paper=sheet_request.paper or get_paper_size(event))
        sheet = _check_request(event, sheet_request)
        is_blank = sheet.can_be_blank and sheet_request.blank
        self.require_right_to_read(event, sheet, is_blank=is_blank)
        sheet_request = replace(sheet_request, blank=is_blank, base=get_base_url(request))
        print_request = load_print_request(sheet, event, sheet_request, timezone.now())
        job = request_sheet_pdf(self.actor, print_request.to_request(sheet.key))
        return Response(SheetJobSerializer(job).data, status=202)


class OneSheet(SheetView):
    """A requested printout."""

    @extend_schema(
        summary="Show the progress of a printout", responses={200: SheetJobSerializer, **READ_REFUSALS}
    )
    def get(self, request: Request, slug: str, job_id: UUID) -> Response:
        return Response(SheetJobSerializer(self.job(job_id)).data)


class SheetFile(SheetView):
    """The PDF of a printout."""

    @extend_schema(
        summary="Download a printout as PDF",
        responses={(200, "application/pdf"): OpenApiTypes.BINARY, **READ_REFUSALS},
    )
    def get(self, request: Request, slug: str, job_id: UUID) -> HttpResponse:
        path = _find_pdf(self.job(job_id))
        if path is None:
            raise Http404("This sheet is not made yet, or no longer kept.")
        return HttpResponse(path.read_bytes(), content_type="application/pdf")


def _check_request(event: Event, sheet_request: SheetRequest) -> Sheet:
    """Return what is to be printed. Raises Refused with everything that is not there."""
    problems: list[Refused] = []
    sheet = find_sheet(event, sheet_request.sheet)
    if sheet is None or not sheet.fits(event):
        fitting = tuple(each.key for each in list_sheets(get_game(event)) if each.fits(event))
        raise Refused("unknown_sheet", field="sheet", sheet=sheet_request.sheet, sheets=fitting)
    lack = find_missing(sheet, event, get_rounds(event))
    shown_round = find_round(event, sheet_request.stage, sheet_request.round)
    if lack:
        problems.append(Refused("sheet_not_ready", field="sheet", sheet=sheet.name, missing=lack))
    elif (sheet_request.stage is None) != (sheet_request.round is None):
        problems.append(Refused("round_incomplete"))
    elif shown_round is None and (sheet.of_a_round or sheet_request.round is not None):
        problems.append(Refused("unknown_round", field="round"))
    if sheet_request.player is not None and not event.players.filter(number=sheet_request.player).exists():
        problems.append(Refused("unknown_player", field="player", player=sheet_request.player))
    refuse_all(problems)
    return sheet


def _find_pdf(job: Job) -> Path | None:
    """Return the path of the PDF.

    It is None while the PDF is not made and when it is no longer kept.
    """
    path = job.file_path if job.state == Job.State.DONE else None
    return path if path is not None and path.exists() else None
