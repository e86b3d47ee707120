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
from decks.access import ListKeeper, get_signed_in_user
from decks.editions.models import ListEdition
from decks.jobs.models import Job
from decks.rechecks import services as rechecks
from decks.rechecks.consequences import AffectedEvent, AffectedList, Consequences
from decks.rechecks.models import CONSEQUENCES_JOB, Recheck
from decks.rechecks.selectors import RecheckProgress, find_stored_consequences, recheck_progress
from decks.shared.api_requests import StrictModelSerializer, StrictSerializer, StrictView
from decks.shared.api_responses import REFUSED, ProblemSerializer
from decks.shared.dataclass_serializers import serializer_of

LAST = 20
REFUSALS = {400: REFUSED, 401: REFUSED, 403: REFUSED, 404: REFUSED}


class DraftRow(StrictModelSerializer):
    """A draft that a keeper is at work on."""

    class Meta:
        model = ListEdition
        fields = (
            "id", "game", "kind", "number", "name", "in_force", "revision", "drafted_by", "drafted_at",
        )  # fmt: skip
        read_only_fields = fields


TouchedListShape = serializer_of(
    AffectedList,
    "TouchedListShape",
    "A list that the draft would break or mend; findings as sentences with their clause, never the list.",
    help_texts={"url": "The page on which the event's staff looks at the list."},
)
TouchedEventShape = serializer_of(
    AffectedEvent,
    "TouchedEventShape",
    "A coming event: how many lists it has, would have broken and mended; the first of these.",
)
ConsequencesShape = serializer_of(
    Consequences,
    "ConsequencesShape",
    "What the draft would do. `unaffected` says which events it does not reach, and why.",
    help_texts={"unjudged": "Lists that could not be judged at all."},
)


class WouldBreakShape(StrictSerializer):
    """The question what a draft would break, as it stands; `found` is null until it is answered.

    A draft that is changed has to be asked about anew: the answer is of its `revision`.
    """

    draft = serializers.IntegerField()
    revision = serializers.IntegerField()
    state = serializers.ChoiceField(["not_asked", *Job.State.values])
    words = serializers.CharField(allow_blank=True)
    percent = serializers.IntegerField(allow_null=True)
    error = serializers.CharField(allow_blank=True)
    problems = ProblemSerializer(many=True, help_text="Why it failed, as refusals are.")
    found = ConsequencesShape(allow_null=True)


class RecheckRow(StrictModelSerializer):
    """A round of checking lists again as it stands in the list; its own door says how far it has come."""

    cause = serializers.CharField(read_only=True)

    class Meta:
        model = Recheck
        fields = ("id", "game", "cause", "since", "asked_by", "asked_at", "total", "ended_at")
        read_only_fields = fields


ProgressShape = serializer_of(
    RecheckProgress,
    "ProgressShape",
    "How far a round of checking has come. `total` is null until the lists are counted.",
    help_texts={
        "done": "Lists that are checked.",
        "news": "Lists that the new edition broke.",
        "mended": "Lists that it made legal again.",
        "failed": "Parts that stopped with an error and wait to go on.",
    },
    fields={"recheck": RecheckRow()},
)


class DraftsView(StrictView):
    """The drafts of lists, by which the other doors are found."""

    permission_classes = [ListKeeper]

    @extend_schema(
        operation_id="list_drafts",
        summary="The drafts of lists that keepers are at work on",
        responses={200: DraftRow(many=True), **REFUSALS},
    )
    def get(self, request: Request) -> Response:
        return Response(DraftRow(ListEdition.objects.drafts(), many=True).data)


class WouldBreakView(StrictView):
    """What a draft would break: asked for, followed and read."""

    permission_classes = [ListKeeper]

    @extend_schema(
        operation_id="get_would_break",
        summary="Which lists of coming events the draft would break, as far as it is known",
        responses={200: WouldBreakShape, **REFUSALS},
    )
    def get(self, request: Request, draft_id: int) -> Response:
        return Response(_consequences_data(get_object_or_404(ListEdition.objects.drafts(), pk=draft_id)))

    @extend_schema(
        operation_id="ask_would_break",
        summary="Have a worker look which lists of coming events the draft would break; nothing is changed",
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
        "words": job.progress_words if job else "",
        "percent": job.percent if job else None,
        "error": job.error if job else "",
        "problems": job.problems if job else [],
        "found": find_stored_consequences(job),
    }
    return dict(WouldBreakShape(values).data)


class RechecksView(StrictView):
    """The last rounds of checking again."""

    permission_classes = [ListKeeper]

    @extend_schema(
        operation_id="list_rechecks",
        summary="The last rounds in which lists of coming events were checked again",
        responses={200: RecheckRow(many=True), **REFUSALS},
    )
    def get(self, request: Request) -> Response:
        return Response(RecheckRow(Recheck.objects.all()[:LAST], many=True).data)


class RecheckView(StrictView):
    """One round of checking again."""

    permission_classes = [ListKeeper]

    @extend_schema(
        operation_id="get_recheck",
        summary="How far a round of checking again has come",
        responses={200: ProgressShape, **REFUSALS},
    )
    def get(self, request: Request, recheck_id: int) -> Response:
        return Response(_recheck_data(get_object_or_404(Recheck, pk=recheck_id)))


STEPS: dict[str, Callable[[Recheck, str], object]] = {
    "stop": lambda found, _name: rechecks.cancel_recheck(found.pk),
    "go-on": lambda found, name: rechecks.resume_recheck(found.pk, asked_by=name),
}


class RecheckStep(StrictView):
    """One step of a round of checking again."""

    permission_classes = [ListKeeper]

    @extend_schema(
        operation_id="step_recheck",
        summary="Stop a round of checking, or go on with parts that stopped; what is checked counts",
        parameters=[OpenApiParameter("step", str, "path", enum=list(STEPS))],
        request=None,
        responses={200: ProgressShape, **REFUSALS},
    )
    def post(self, request: Request, recheck_id: int, step: str) -> Response:
        recheck = get_object_or_404(Recheck, pk=recheck_id)
        if step not in STEPS:
            raise Http404(f"There is no such step; there are {', '.join(STEPS)}.")
        STEPS[step](recheck, _user_name(request))
        recheck.refresh_from_db()
        return Response(_recheck_data(recheck))


def _recheck_data(recheck: Recheck) -> dict[str, object]:
    return dict(ProgressShape(recheck_progress(recheck)).data)


def _user_name(request: Request) -> str:
    user = get_signed_in_user(request.user)
    return user.get_full_name() or user.get_username()
