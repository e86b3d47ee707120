"""Pages of printing.

A user chooses a sheet or league table, follows its job, and gets the PDF or page.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST, require_safe

from decks.jobs.models import Job
from decks.shared.wording import say_reason
from tournament.access import permissions
from tournament.access.permissions import Actor, Right
from tournament.events.models.event import Event
from tournament.events.selectors import get_rounds
from tournament.leagues.models import League
from tournament.leagues.owner_page import league_owner_page
from tournament.printing.registry import Sheet, list_parts, sheet_or_404
from tournament.printing.render import render_league_html, render_sheet_html
from tournament.printing.request import (
    PAPER_SIZES,
    SHEET_JOB_KIND,
    PrintRequest,
    SheetRequest,
    find_round,
    format_round,
    get_paper_size,
)
from tournament.printing.selectors import (
    NotThere,
    find_missing,
    find_missing_letters,
    job_title,
    list_players_by_name,
    list_sheet_groups,
    load_print_request,
)
from tournament.printing.services import (
    LEAGUE_JOB_KIND,
    request_league_pdf,
    request_sheet_pdf,
    set_paper_size,
)
from tournament.printing.sheets.standings import build_league_table
from tournament.shared.links import get_base_url
from tournament.web.console_page import attempt_step, console_page, get_request_rights, render_console_page

# If no worker starts a sheet within this time, the page says how to print without it.
SLOW_START = timedelta(seconds=20)


@console_page(Right.PRINT)
@require_http_methods(["GET", "HEAD", "POST"])
def sheet_list(request: HttpRequest, event: Event) -> HttpResponse:
    """Show all sheets of an event; a press on one asks for its PDF."""
    if request.method == "POST":
        return _request_sheet(request, event)
    rounds = get_rounds(event)
    players = list_players_by_name(event)
    context = {
        "sheet_groups": list_sheet_groups(event, rounds, get_request_rights(request, event)),
        "papers": Event.Paper.choices,
        "paper": get_paper_size(event),
        "rounds": [
            (f"{each.stage.position}-{each.number}", format_round(event, each), each) for each in rounds
        ],
        "round_key": request.GET.get("round", ""),
        "players": players,
        "missing_letters": find_missing_letters(players),
        "chosen_player": request.GET.get("player", ""),
    }
    return render_console_page(request, event, "tournament/printing/print.html", "print", **context)


def _request_sheet(request: HttpRequest, event: Event) -> HttpResponse:
    sheet = sheet_or_404(event, request.POST.get("sheet", ""))
    print_request = _read_print_request(request, request.POST, sheet, event)
    job = request_sheet_pdf(Actor.of_user(request.user), print_request.to_request(sheet.key))
    return redirect("print_job", job.pk)


def _read_print_request(request: HttpRequest, values: QueryDict, sheet: Sheet, event: Event) -> PrintRequest:
    """Return what a form or an address asks for.

    Raises Http404 for what there is not.
    """
    if lack := find_missing(sheet, event, get_rounds(event)):
        raise Http404(
            gettext("This printout cannot be created yet. %(reason)s") % {"reason": say_reason(lack)}
        )
    rights = get_request_rights(request, event)
    if not sheet.can_be_printed(rights, is_blank=True):
        permissions.require_right(request.user, event, sheet.right)
    try:
        sheet_request = SheetRequest.from_query(event, sheet.key, values, base=get_base_url(request))
        is_blank = sheet.is_only_blank(rights) or (sheet.can_be_blank and sheet_request.blank)
        print_request = load_print_request(
            sheet, event, replace(sheet_request, blank=is_blank), timezone.now()
        )
    except (ValueError, NotThere) as problem:
        raise Http404(gettext("There is no such round, player or paper size.")) from problem
    return print_request


@console_page(Right.MANAGE)
@require_POST
def choose_paper_size(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose the paper of the event."""
    paper = request.POST.get("paper", "")
    attempt_step(
        request,
        lambda: set_paper_size(event, Actor.of_user(request.user), paper),
        gettext("Paper size saved."),
    )
    return redirect("console_print", event.slug)


def _get_sheet_job(request: HttpRequest, job_id: UUID) -> tuple[Job, Event]:
    job = get_object_or_404(Job, pk=job_id, kind=SHEET_JOB_KIND)
    sheet_request = SheetRequest.from_payload(job.payload)
    event = get_object_or_404(Event, pk=sheet_request.event)
    rights = permissions.require_right(request.user, event, Right.PRINT)
    sheet = sheet_or_404(event, sheet_request.sheet)
    if not sheet.can_be_printed(rights, is_blank=sheet_request.blank):
        permissions.require_right(request.user, event, sheet.right)
    return job, event


@require_GET
def sheet_job(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """Return how far the sheet is; it opens by itself when it is ready."""
    job, event = _get_sheet_job(request, job_id)
    part = getattr(request, "htmx", False)
    if job.state == Job.State.DONE and not part:
        return redirect("print_pdf", job.pk)
    sheet = sheet_or_404(event, job.payload["sheet"])
    is_late = job.state == Job.State.QUEUED and timezone.now() - job.created_at > SLOW_START
    pages = _list_browser_pages(sheet, event, job) if is_late or job.state == Job.State.FAILED else []
    here, pdf = (reverse(name, args=[job.pk]) for name in ("print_job", "print_pdf"))
    title = job_title(job) if job.state == Job.State.DONE else ""
    context = {"job": job, "sheet": sheet, "title": title, "pages": pages, "here": here, "pdf": pdf}
    if part:
        return render(request, "tournament/printing/_print_job.html", {**context, "event": event})
    return render_console_page(
        request, event, "tournament/printing/console_print_job.html", "print", **context
    )


def _list_browser_pages(sheet: Sheet, event: Event, job: Job) -> list[tuple[str, str]]:
    """Return the same sheets as pages: name and address of each part."""
    sheet_request = SheetRequest.from_payload(job.payload)
    shown_round = find_round(event, sheet_request.stage, sheet_request.round)
    print_request = PrintRequest(event, shown_round, sheet_request.paper, timezone.now())
    return [
        (part.name, f"{reverse('print_page', args=[event.slug, part.key])}?{sheet_request.to_query()}")
        for part in list_parts(sheet, print_request)
    ]


@require_GET
def sheet_job_pdf(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """Send the PDF itself."""
    job, _ = _get_sheet_job(request, job_id)
    if job.file_path is None or not job.file_path.exists():
        raise Http404(gettext("This PDF has expired. Create it again."))
    response = HttpResponse(job.file_path.read_bytes(), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{job.file_path.name}"'
    return response


@console_page(Right.PRINT)
@require_GET
def sheet_page(request: HttpRequest, event: Event, sheet: str) -> HttpResponse:
    """Show the same sheet as a page, for printing from the browser."""
    chosen_sheet = sheet_or_404(event, sheet)
    print_request = _read_print_request(request, request.GET, chosen_sheet, event)
    if chosen_sheet.parts is not None:
        messages.info(request, gettext("Create these printouts one by one."))
        return redirect("console_print", event.slug)
    return HttpResponse(render_sheet_html(chosen_sheet, print_request.as_browser_page()))


@require_safe
def league_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table as a page, for printing from the browser."""
    league = get_object_or_404(League, slug=slug)
    sheet_context = build_league_table(league, _read_paper_size(request.GET.get("paper", "")), timezone.now())
    return HttpResponse(render_league_html(sheet_context, for_browser=True))


def _read_paper_size(requested_size: str) -> str:
    paper = requested_size or settings.PAPER
    if paper not in PAPER_SIZES:
        raise Http404(gettext("There is no such paper size."))
    return str(paper)


@league_owner_page
@require_POST
def request_league_table(request: HttpRequest, league: League) -> HttpResponse:
    """Ask the worker for the PDF."""
    paper = _read_paper_size(request.POST.get("paper", ""))
    job = request_league_pdf(league, Actor.of_user(request.user), paper)
    return redirect("league_sheet", league.slug, job.pk)


def _get_league_job(league: League, job_id: UUID) -> Job:
    return get_object_or_404(Job, pk=job_id, kind=LEAGUE_JOB_KIND, payload__league=league.pk)


def _list_league_browser_pages(league: League, job: Job) -> list[tuple[str, str]]:
    """Return name and address of the same table as a page.

    This is for when no worker has begun the PDF or none could make it.
    """
    is_late = job.state == Job.State.QUEUED and timezone.now() - job.created_at > SLOW_START
    if not is_late and job.state != Job.State.FAILED:
        return []
    return [
        (
            gettext("League table"),
            f"{reverse('league_print', args=[league.slug])}?paper={job.payload['paper']}",
        )
    ]


@league_owner_page
@require_safe
def league_job(request: HttpRequest, league: League, job_id: UUID) -> HttpResponse:
    """Return how far the PDF is; it opens by itself when it is ready."""
    job = _get_league_job(league, job_id)
    part = getattr(request, "htmx", False)
    if job.state == Job.State.DONE and not part:
        return redirect("league_pdf", league.slug, job.pk)
    context = {
        "league": league,
        "title": gettext("The table of %(league)s") % {"league": league.name},
        "job": job,
        "here": reverse("league_sheet", args=[league.slug, job.pk]),
        "pdf": reverse("league_pdf", args=[league.slug, job.pk]),
        "pages": _list_league_browser_pages(league, job),
    }
    return render(
        request,
        "tournament/printing/_print_job.html" if part else "tournament/printing/league_print_job.html",
        context,
    )


@league_owner_page
@require_safe
def league_job_pdf(request: HttpRequest, league: League, job_id: UUID) -> HttpResponse:
    """Send the PDF itself."""
    job = _get_league_job(league, job_id)
    if job.file_path is None or not job.file_path.exists():
        raise Http404(gettext("This PDF has expired. Create it again."))
    answer = HttpResponse(job.file_path.read_bytes(), content_type="application/pdf")
    answer["Content-Disposition"] = f'inline; filename="{job.file_path.name}"'
    return answer
