"""The table of a league on paper: for everybody as a page to print, for who runs it as PDF."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from decks.jobs.models import Job
from tournament.access.actor import Actor
from tournament.leagues.models import League
from tournament.leagues.views import runs
from tournament.printing.render import league_html
from tournament.printing.request import PAPERS
from tournament.printing.services import league as league_sheets
from tournament.printing.sheets.league import league_list
from tournament.printing.views.sheets import LATE


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """The table as a page, for printing from the browser."""
    league = get_object_or_404(League, slug=slug)
    built = league_list(league, _paper(request.GET.get("paper", "")), timezone.now())
    return HttpResponse(league_html(built, for_browser=True))


def _paper(asked: str) -> str:
    paper = asked or settings.PAPER
    if paper not in PAPERS:
        raise Http404("There is no such paper.")
    return str(paper)


@runs
@require_POST
def ask(request: HttpRequest, league: League) -> HttpResponse:
    """Ask the worker for the PDF."""
    paper = _paper(request.POST.get("paper", ""))
    job = league_sheets.ask_for_table(league, Actor.of_user(request.user), paper)
    return redirect("league_sheet", league.slug, job.pk)


def _job(league: League, job_id: UUID) -> Job:
    return get_object_or_404(Job, pk=job_id, kind=league_sheets.KIND, payload__league=league.pk)


def _instead(league: League, job: Job) -> list[tuple[str, str]]:
    """The same table as a page, where no worker has begun the PDF or none could make it: name and address."""
    is_late = job.state == Job.State.QUEUED and timezone.now() - job.created_at > LATE
    if not is_late and job.state != Job.State.FAILED:
        return []
    return [("League table", f"{reverse('league_print', args=[league.slug])}?paper={job.payload['paper']}")]


@runs
@require_safe
def job(request: HttpRequest, league: League, job_id: UUID) -> HttpResponse:
    """How far the PDF is; it opens by itself when it is ready."""
    made = _job(league, job_id)
    part = getattr(request, "htmx", False)
    if made.state == Job.State.DONE and not part:
        return redirect("league_pdf", league.slug, made.pk)
    context = {
        "league": league,
        "job": made,
        "here": reverse("league_sheet", args=[league.slug, made.pk]),
        "pdf": reverse("league_pdf", args=[league.slug, made.pk]),
        "pages": _instead(league, made),
    }
    return render(
        request,
        "tournament/printing/_print_job.html" if part else "tournament/printing/league_print_job.html",
        context,
    )


@runs
@require_safe
def pdf(request: HttpRequest, league: League, job_id: UUID) -> HttpResponse:
    """The PDF itself."""
    made = _job(league, job_id)
    if made.file_path is None or not made.file_path.exists():
        raise Http404("This table is no longer kept. Print it again.")
    answer = HttpResponse(made.file_path.read_bytes(), content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{made.file_path.name}"'
    return answer
