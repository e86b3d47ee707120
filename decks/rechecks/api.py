"""API: which lists a draft would break, and rechecks."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from decks import jobs
from decks.access import ListEditor, get_signed_in_user
from decks.editions.models import ListEdition
from decks.jobs.models import Job
from decks.rechecks import services as rechecks
from decks.rechecks.consequences import AffectedEvent, AffectedList, CitedFinding, Consequences
from decks.rechecks.models import CONSEQUENCES_JOB, Recheck
from decks.rechecks.selectors import RecheckProgress, find_stored_consequences, recheck_progress
from decks.shared.api_requests import StrictModelSerializer, StrictSerializer, StrictView
from decks.shared.api_responses import REFUSED, ProblemSerializer, StatedReasonSerializer
from decks.shared.dataclass_serializers import serializer_of
from rules.rendering import get_messages

LAST = 20
REFUSALS = {400: REFUSED, 401: REFUSED, 403: REFUSED, 404: REFUSED}


class DraftRow(StrictModelSerializer):
    """An unpublished draft of a list."""

    class Meta:
        model = ListEdition
        fields = (
            "id", "game", "kind", "number", "name", "in_force", "revision", "drafted_by", "drafted_at",
        )  # fmt: skip
        read_only_fields = fields


FindingShape = serializer_of(CitedFinding, "FindingShape", "A finding: its reasons and its clause.")
TouchedListShape = serializer_of(
    AffectedList,
    "TouchedListShape",
    "A decklist that the draft would break or fix: its findings, not its cards.",
    help_texts={"url": "The staff page of the decklist."},
)
TouchedEventShape = serializer_of(
    AffectedEvent,
    "TouchedEventShape",
    "An upcoming event with its numbers of decklists, and the first of those that change.",
)
ConsequencesShape = serializer_of(
    Consequences,
    "ConsequencesShape",
    "The effects of a draft. `unaffected` lists other events with reasons.",
    help_texts={"unjudged": "Decklists that could not be checked."},
)


class WouldBreakShape(StrictSerializer):
    """The job that finds the effects of a draft. `found` is null until it is done.

    The answer is for one `revision` of the draft. After a change, start the job again.
    """

    draft = serializers.IntegerField()
    revision = serializers.IntegerField()
    state = serializers.ChoiceField(["not_asked", *Job.State.values])
    progress = StatedReasonSerializer(allow_null=True, help_text="The current step, once one was reported.")
    percent = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(allow_blank=True)
    problems = ProblemSerializer(many=True, help_text="Why it failed, in the form of refusals.")
    found = ConsequencesShape(allow_null=True)


class RecheckRow(StrictModelSerializer):
    """A recheck of decklists in the overview."""

    cause = serializers.CharField(read_only=True)
    causes = StatedReasonSerializer(source="stated_causes", many=True, read_only=True)

    class Meta:
        model = Recheck
        fields = ("id", "game", "cause", "causes", "since", "asked_by", "asked_at", "total", "ended_at")
        read_only_fields = fields


ProgressShape = serializer_of(
    RecheckProgress,
    "ProgressShape",
    "The progress of a recheck. `total` is null until the decklists are counted.",
    help_texts={
        "done": "Checked decklists.",
        "news": "Decklists that are no longer legal.",
        "mended": "Decklists that are legal again.",
        "failed": "Parts that stopped with an error and can be retried.",
    },
    fields={"recheck": RecheckRow()},
)


class DraftsView(StrictView):
    """The drafts of ban, errata and identity lists."""

    permission_classes = [ListEditor]

    @extend_schema(
        operation_id="list_drafts",
        summary="List the drafts of ban, errata and identity lists",
        responses={200: DraftRow(many=True), **REFUSALS},
    )
    def get(self, request: Request) -> Response:
        return Response(DraftRow(ListEdition.objects.drafts(), many=True).data)


class WouldBreakView(StrictView):
    """Effects of a draft on decklists of upcoming events."""

    permission_classes = [ListEditor]

    @extend_schema(
        operation_id="get_would_break",
        summary="Show which decklists of upcoming events the draft would break",
        responses={200: WouldBreakShape, **REFUSALS},
    )
    def get(self, request: Request, draft_id: int) -> Response:
        return Response(_consequences_data(get_object_or_404(ListEdition.objects.drafts(), pk=draft_id)))

    @extend_schema(
        operation_id="ask_would_break",
        summary="Start a job that finds the decklists the draft would break",
        request=None,
        responses={202: WouldBreakShape, **REFUSALS},
    )
    def post(self, request: Request, draft_id: int) -> Response:
        draft = get_object_or_404(ListEdition.objects.drafts(), pk=draft_id)
        rechecks.request_consequences(draft, asked_by=_user_name(request))
        return Response(_consequences_data(draft), status=202)


def _consequences_data(draft: ListEdition) -> dict[str, object]:
    job = jobs.latest_job(CONSEQUENCES_JOB, rechecks.consequences_key(draft))
    values = {
        "draft": draft.pk,
        "revision": draft.revision,
        "state": job.state if job else "not_asked",
        "progress": job.progress if job else None,
        "percent": job.percent if job else None,
        "error": job.error if job else "",
        "problems": job.problems if job else [],
        "found": find_stored_consequences(job),
    }
    return dict(WouldBreakShape(values).data)


class RechecksView(StrictView):
    """The latest rechecks."""

    permission_classes = [ListEditor]

    @extend_schema(
        operation_id="list_rechecks",
        summary="List the latest rechecks of decklists of upcoming events",
        responses={200: RecheckRow(many=True), **REFUSALS},
    )
    def get(self, request: Request) -> Response:
        return Response(RecheckRow(Recheck.objects.all()[:LAST], many=True).data)


class RecheckView(StrictView):
    """One recheck."""

    permission_classes = [ListEditor]

    @extend_schema(
        operation_id="get_recheck",
        summary="Show the progress of a recheck",
        responses={200: ProgressShape, **REFUSALS},
    )
    def get(self, request: Request, recheck_id: int) -> Response:
        return Response(_recheck_data(get_object_or_404(Recheck, pk=recheck_id)))


STEPS: dict[str, Callable[[Recheck, str], object]] = {
    "stop": lambda recheck, _name: rechecks.cancel_recheck(recheck.pk),
    "go-on": lambda recheck, name: rechecks.resume_recheck(recheck.pk, asked_by=name),
}


class RecheckStep(StrictView):
    """A step of a recheck."""

    permission_classes = [ListEditor]

    @extend_schema(
        operation_id="step_recheck",
        summary="Stop a recheck, or retry its failed parts",
        parameters=[OpenApiParameter("step", str, "path", enum=list(STEPS))],
        request=None,
        responses={200: ProgressShape, **REFUSALS},
    )
    def post(self, request: Request, recheck_id: int, step: str) -> Response:
        recheck = get_object_or_404(Recheck, pk=recheck_id)
        if step not in STEPS:
            raise Http404(f"There is no such step; there are {get_messages().join([*STEPS])}.")
        STEPS[step](recheck, _user_name(request))
        recheck.refresh_from_db()
        return Response(_recheck_data(recheck))


def _recheck_data(recheck: Recheck) -> dict[str, object]:
    return dict(ProgressShape(recheck_progress(recheck)).data)


def _user_name(request: Request) -> str:
    user = get_signed_in_user(request.user)
    return user.get_full_name() or user.get_username()
