"""Background jobs of printing: lay out printouts as PDF files."""

from __future__ import annotations

from django.utils import timezone

from decks.jobs.handlers import JobFailed, Run, job
from tournament.access.permissions import SYSTEM_ACTOR
from tournament.events.models.event import Event
from tournament.languages.choice import speak
from tournament.leagues.models import League
from tournament.pairing.services.warming import WARM_ROUND_JOB_KIND
from tournament.printing import services
from tournament.printing.first_visit import open_public_pages
from tournament.printing.registry import ROUND_PACK, sheet_title
from tournament.printing.render import render_league_pdf, render_sheet_pdf
from tournament.printing.request import SHEET_JOB_KIND, SheetRequest, get_paper_size
from tournament.printing.sheets.standings import build_league_table


@job(SHEET_JOB_KIND)
def print_sheet(run: Run) -> dict[str, object]:
    """Make one sheet, or a pack of them, as a PDF file."""
    sheet, request = services.read_job_payload(run.payload, timezone.now())
    content = render_sheet_pdf(sheet, request, run.progress)
    run.save(f"{request.event.slug}-{sheet.key}.pdf", content)
    return {"title": sheet_title(sheet, request.event, request.round).to_json()}


@job(WARM_ROUND_JOB_KIND)
def warm_round(run: Run) -> None:
    """Request the printouts of a published round and open its pages.

    This is done before anyone waits for them.
    """
    event = Event.objects.filter(pk=run.read_number("event")).first()
    if event is None:
        raise JobFailed("event_gone")
    base = run.read_text("base")
    sheet_request = SheetRequest(
        event.pk,
        ROUND_PACK,
        get_paper_size(event),
        run.read_number("stage"),
        run.read_number("round"),
        base=base,
    )
    services.request_sheet_pdf(SYSTEM_ACTOR, sheet_request)
    open_public_pages(event, base)


@job(services.LEAGUE_JOB_KIND)
def print_league(run: Run) -> None:
    """Make the table of a league as a PDF file, in the language that its job names."""
    league = League.objects.filter(pk=run.read_number("league")).first()
    if league is None:
        raise JobFailed("league_gone")
    with speak(run.read_text("language")):
        sheet_context = build_league_table(league, run.read_text("paper"), timezone.now())
        content = render_league_pdf(sheet_context, run.progress)
    run.save(f"{league.slug}-table.pdf", content)
