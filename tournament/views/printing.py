"""Pages of printing: choose a sheet, wait for it, get it; or print it from the browser."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from decks.models import Job
from tournament import permissions
from tournament.models import Event
from tournament.permissions import Right
from tournament.printing.documents import PAPERS, SHEETS, round_for, sheet_or_404
from tournament.printing.render import sheet_html
from tournament.selectors import console
from tournament.services.actor import Actor
from tournament.services.printing import ask_for_sheet
from tournament.views.console.access import console_page, show


@console_page(Right.PRINT)
@require_http_methods(["GET", "POST"])
def sheets(request: HttpRequest, event: Event) -> HttpResponse:
    """All sheets of an event; a press on one asks for its PDF."""
    if request.method == "POST":
        return _ask(request, event)
    rounds = console.rounds_of(event)
    context = {"sheets": SHEETS.values(), "papers": PAPERS, "rounds": rounds}
    return show(request, event, "print.html", "print", **context)


def _ask(request: HttpRequest, event: Event) -> HttpResponse:
    sheet = sheet_or_404(request.POST.get("sheet", ""))
    paper = request.POST.get("paper", PAPERS[0])
    if paper not in PAPERS:
        raise Http404("There is no such paper.")
    stage, _, number = request.POST.get("round", "").partition("-")
    asked = (int(stage), int(number)) if stage.isdecimal() and number.isdecimal() else (None, None)
    shown = round_for(event, *asked)
    if shown is None and sheet.of_a_round:
        raise Http404("There is no round to print yet.")
    job = ask_for_sheet(event, Actor.of_user(request.user), sheet.key, shown, paper)
    return redirect("print_job", job.pk)


def _job(request: HttpRequest, job_id: UUID) -> tuple[Job, Event]:
    job = get_object_or_404(Job, pk=job_id, kind="print_sheet")
    event = get_object_or_404(Event, pk=job.payload["event"])
    permissions.require(request.user, event, Right.PRINT)
    return job, event


@require_GET
def job(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """How far the sheet is; it opens by itself when it is ready."""
    made, event = _job(request, job_id)
    part = getattr(request, "htmx", False)
    if made.state == Job.State.DONE and not part:
        return redirect("print_pdf", made.pk)
    sheet = sheet_or_404(made.payload["sheet"])
    if part:
        return render(request, "console/_print_job.html", {"job": made, "event": event, "sheet": sheet})
    return show(request, event, "print_job.html", "print", job=made, sheet=sheet)


@require_GET
def job_pdf(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """The PDF itself."""
    made, _ = _job(request, job_id)
    if made.file_path is None or not made.file_path.exists():
        raise Http404("This sheet is no longer kept. Print it again.")
    response = HttpResponse(made.file_path.read_bytes(), content_type="application/pdf")
    response["Content-Disposition"] = f'inline; filename="{made.file_path.name}"'
    return response


@console_page(Right.PRINT)
@require_GET
def page(request: HttpRequest, event: Event, sheet: str) -> HttpResponse:
    """The same sheet as a page, for printing from the browser."""
    stage, number = request.GET.get("stage", ""), request.GET.get("round", "")
    asked = (int(stage), int(number)) if stage.isdecimal() and number.isdecimal() else (None, None)
    chosen, shown = sheet_or_404(sheet), round_for(event, *asked)
    if shown is None and chosen.of_a_round:
        raise Http404("There is no round to print yet.")
    html = sheet_html(chosen, event, shown, paper=PAPERS[0], now=timezone.now(), for_browser=True)
    return HttpResponse(html)
