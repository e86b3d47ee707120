"""Pages of printing: choose a sheet, wait for it, get it; or print it from the browser."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from decks.jobs.models import Job
from tournament.access import rights as permissions
from tournament.access.actor import Actor
from tournament.access.rights import Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.selectors import rounds as console
from tournament.printing.headings import words_for
from tournament.printing.registry import Sheet, parts_of, round_for, sheet_or_404
from tournament.printing.render import sheet_html
from tournament.printing.request import PAPERS, Asked, paper_of
from tournament.printing.selectors import lacks, people_by_name, shelves
from tournament.printing.services.sheets import ask_for_sheet, set_paper
from tournament.shared.addresses import public_base
from tournament.web.console_page import attempt, console_page, show

# Whoever waits longer than this for a sheet to be begun is told how to do without.
LATE = timedelta(seconds=20)


@console_page(Right.PRINT)
@require_http_methods(["GET", "HEAD", "POST"])
def sheets(request: HttpRequest, event: Event) -> HttpResponse:
    """All sheets of an event; a press on one asks for its PDF."""
    if request.method == "POST":
        return _ask(request, event)
    rounds = console.rounds_of(event)
    context = {
        "shelves": shelves(event, rounds),
        "papers": Event.Paper.choices,
        "paper": paper_of(event),
        "rounds": [(f"{each.stage.position}-{each.number}", words_for(event, each), each) for each in rounds],
        "chosen": request.GET.get("round", ""),
        "players": people_by_name(event),
        "chosen_player": request.GET.get("player", ""),
    }
    return show(request, event, "tournament/printing/print.html", "print", **context)


def _ask(request: HttpRequest, event: Event) -> HttpResponse:
    sheet = sheet_or_404(request.POST.get("sheet", ""))
    asked = _asked(request, request.POST, sheet, event)
    job = ask_for_sheet(
        event,
        Actor.of_user(request.user),
        sheet.key,
        asked.round,
        asked.paper,
        player=asked.player,
        is_blank=asked.is_blank,
        base=asked.base,
    )
    return redirect("print_job", job.pk)


def _asked(request: HttpRequest, values: QueryDict, sheet: Sheet, event: Event) -> Asked:
    """What a form or an address asks for. Raises Http404 for what there is not."""
    paper = values.get("paper") or paper_of(event)
    if paper not in PAPERS:
        raise Http404("There is no such paper.")
    rounds = console.rounds_of(event)
    missing = lacks(sheet, event, rounds)
    if missing:
        raise Http404(f"This sheet cannot be made yet. {missing}")
    shown = round_for(event, *_round_named(values)) if rounds else None
    if shown is None and sheet.of_a_round:
        raise Http404("There is no such round.")
    return Asked(
        event=event,
        round=shown,
        paper=paper,
        now=timezone.now(),
        base=public_base(request),
        player=_player(values, event) if sheet.of_a_player else None,
        is_blank=sheet.can_be_blank and values.get("player") == "blank",
    )


def _round_named(values: QueryDict) -> tuple[int | None, int | None]:
    stage, _, number = values.get("round", "").partition("-")
    stage = values.get("stage") or stage
    number = number or values.get("round", "")
    if not all(part.isascii() and part.isdigit() and len(part) < 5 for part in (stage, number)):
        return None, None
    return int(stage), int(number)


def _player(values: QueryDict, event: Event) -> Player | None:
    named = values.get("player", "")
    if not named.isascii() or not named.isdigit() or len(named) > 9:
        return None
    return get_object_or_404(event.players.select_related("deck_list__current"), number=int(named))


@console_page(Right.MANAGE)
@require_POST
def paper(request: HttpRequest, event: Event) -> HttpResponse:
    """Choose the paper of the event."""
    chosen = request.POST.get("paper", "")
    attempt(request, lambda: set_paper(event, Actor.of_user(request.user), chosen), "The paper is chosen.")
    return redirect("console_print", event.slug)


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
    is_late = made.state == Job.State.QUEUED and timezone.now() - made.created_at > LATE
    pages = _instead(sheet, event, made) if is_late or made.state == Job.State.FAILED else []
    here, pdf = (reverse(name, args=[made.pk]) for name in ("print_job", "print_pdf"))
    context = {"job": made, "sheet": sheet, "pages": pages, "here": here, "pdf": pdf}
    if part:
        return render(request, "tournament/printing/_print_job.html", {**context, "event": event})
    return show(request, event, "tournament/printing/console_print_job.html", "print", **context)


def _instead(sheet: Sheet, event: Event, made: Job) -> list[tuple[str, str]]:
    """The same sheets as pages: name and address of each part."""
    wish = made.payload
    shown = round_for(event, wish["stage"], wish["round"])
    query = QueryDict(mutable=True)
    query["paper"] = wish["paper"]
    if shown is not None:
        query["round"] = f"{shown.stage.position}-{shown.number}"
    if wish.get("player") or wish.get("blank"):
        query["player"] = "blank" if wish.get("blank") else str(wish["player"])
    asked = Asked(event, shown, wish["paper"], timezone.now())
    return [
        (part.name, f"{reverse('print_page', args=[event.slug, part.key])}?{query.urlencode()}")
        for part in parts_of(sheet, asked)
    ]


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
    chosen = sheet_or_404(sheet)
    asked = _asked(request, request.GET, chosen, event)
    if chosen.parts is not None:
        messages.info(request, "Print its sheets one by one.")
        return redirect("console_print", event.slug)
    return HttpResponse(sheet_html(chosen, asked.in_a_browser()))
