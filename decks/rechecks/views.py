"""Pages: which lists a draft would break, and the progress of a recheck."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from decks import jobs
from decks.access import list_editor_required
from decks.editions.models import ListEdition
from decks.rechecks import services as rechecks
from decks.rechecks.models import CONSEQUENCES_JOB, Recheck
from decks.rechecks.selectors import find_stored_consequences, recheck_progress


@list_editor_required
@require_http_methods(["GET", "HEAD", "POST"])
def show_consequences(request: HttpRequest, draft_id: int) -> HttpResponse:
    """Show which lists a draft would make illegal, computed by a job.

    Part of a page for HTMX.
    """
    draft = get_object_or_404(ListEdition.objects.drafts(), pk=draft_id)
    if request.method == "POST":
        rechecks.request_consequences(draft, asked_by=_user_name(request))
        if not _is_partial(request):
            return redirect("list_would_break", draft.pk)
    job = jobs.latest_job(CONSEQUENCES_JOB, rechecks.consequences_key(draft))
    consequences = find_stored_consequences(job)
    context = {"draft": draft, "job": job, "is_asked": True, "consequences": consequences}
    page = "decks/rechecks/_would_break.html" if _is_partial(request) else "decks/rechecks/would_break.html"
    return render(request, page, context)


@list_editor_required
@require_safe
def show_recheck(request: HttpRequest, recheck_id: int) -> HttpResponse:
    """Show the progress of a recheck."""
    progress = recheck_progress(get_object_or_404(Recheck, pk=recheck_id))
    page = "decks/rechecks/_recheck.html" if _is_partial(request) else "decks/rechecks/recheck.html"
    return render(request, page, {"progress": progress})


@list_editor_required
@require_POST
def cancel_recheck(request: HttpRequest, recheck_id: int) -> HttpResponse:
    """Cancel a recheck; lists that are already checked keep the new verdict."""
    rechecks.cancel_recheck(get_object_or_404(Recheck, pk=recheck_id).pk)
    return redirect("list_recheck", recheck_id)


@list_editor_required
@require_POST
def resume_recheck(request: HttpRequest, recheck_id: int) -> HttpResponse:
    """Resume a failed recheck."""
    rechecks.resume_recheck(get_object_or_404(Recheck, pk=recheck_id).pk, asked_by=_user_name(request))
    return redirect("list_recheck", recheck_id)


def _is_partial(request: HttpRequest) -> bool:
    return request.headers.get("HX-Request") == "true"


def _user_name(request: HttpRequest) -> str:
    person: Any = request.user
    return str(person.get_full_name() or person.get_username())
