"""Before publishing: which lists a draft would break. After: how far the lists have been checked again."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from decks import jobs
from decks.access.rights import keepers_only
from decks.editions.models import ListEdition
from decks.rechecks.models import Recheck
from decks.rechecks.selectors.consequences import Consequences
from decks.rechecks.selectors.progress import progress
from decks.rechecks.services import rechecks as rechecking


@keepers_only
@require_http_methods(["GET", "HEAD", "POST"])
def would_break(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Ask what the draft would break, follow the answer, read it. With HTMX only the part that changes."""
    draft = get_object_or_404(ListEdition.objects.drafts(), pk=draft_id)
    if request.method == "POST":
        rechecking.look_ahead(draft, asked_by=_name(request))
        if not _is_partial(request):
            return redirect("list_would_break", draft.pk)
    job = jobs.latest(rechecking.LOOK_AHEAD, rechecking.look_ahead_key(draft))
    context: dict[str, Any] = {"draft": draft, "job": job, "is_asked": True}
    if job is not None and job.state == job.State.DONE and job.result:
        told = {name: value for name, value in job.result.items() if name != "revision"}
        context["found"] = Consequences.from_json(told)
    page = "decks/rechecks/_would_break.html" if _is_partial(request) else "decks/rechecks/would_break.html"
    return render(request, page, context)


@keepers_only
@require_safe
def recheck(request: HttpRequest, recheck_id: int) -> HttpResponse:
    """How far a round of checking again has come."""
    found = progress(get_object_or_404(Recheck, pk=recheck_id))
    page = "decks/rechecks/_recheck.html" if _is_partial(request) else "decks/rechecks/recheck.html"
    return render(request, page, {"progress": found})


@keepers_only
@require_POST
def cancel_recheck(request: HttpRequest, recheck_id: int) -> HttpResponse:
    """Stop a round of checking; what was checked until now counts."""
    rechecking.cancel(get_object_or_404(Recheck, pk=recheck_id).pk)
    return redirect("list_recheck", recheck_id)


@keepers_only
@require_POST
def resume_recheck(request: HttpRequest, recheck_id: int) -> HttpResponse:
    """Go on with a round of checking whose workers gave up."""
    rechecking.resume(get_object_or_404(Recheck, pk=recheck_id).pk, asked_by=_name(request))
    return redirect("list_recheck", recheck_id)


def _is_partial(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _name(request: HttpRequest) -> str:
    person: Any = request.user
    return str(person.get_full_name() or person.get_username())
