"""Queue PDFs of sheets and league tables, reuse fresh ones, set the paper size."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.conf import settings
from django.utils.translation import get_language

from decks.jobs.handlers import JobFailed
from decks.jobs.models import Job
from decks.jobs.queue import enqueue, latest_job
from decks.shared.fingerprints import make_fingerprint
from decks.shared.refusals import Refused
from decks.shared.rows import find_row
from tournament.access.permissions import Actor
from tournament.events.models.event import Event
from tournament.leagues.models import League
from tournament.log.step import step
from tournament.printing.registry import Sheet, sheet_or_404
from tournament.printing.request import SHEET_JOB_KIND, PrintRequest, SheetRequest
from tournament.printing.selectors import NotThere, load_print_request


def request_sheet_pdf(actor: Actor, sheet_request: SheetRequest) -> Job:
    """Return the job that makes the sheet.

    A job made for the same state of the event is used again.
    """
    version = Event.objects.values_list("version", flat=True).get(pk=sheet_request.event)
    return _request_pdf(SHEET_JOB_KIND, sheet_request.to_payload(), sheet_request.job_key(version), actor)


def _request_pdf(kind: str, payload: dict[str, object], key: str, actor: Actor) -> Job:
    last_job = latest_job(kind, key)
    if last_job is not None and last_job.state == Job.State.DONE:
        path = last_job.file_path
        if path and path.exists():
            return last_job
    return enqueue(kind, payload, key=key, requested_by=actor.label)


def set_paper_size(event: Event, actor: Actor, paper: str) -> None:
    """Choose the paper of an event; empty is that of the installation.

    Raises Refused for an unknown one.
    """
    if paper not in ("", *Event.Paper.values):
        raise Refused("unknown_paper", paper=paper[:20])
    with step(event, actor) as recorder:
        if recorder.event.paper == paper:
            return
        recorder.update(recorder.event, paper=paper)
        recorder.log("paper_chosen", paper=paper or None)


LEAGUE_JOB_KIND = "print_league"


def request_league_pdf(league: League, actor: Actor, paper: str) -> Job:
    """Return the job that makes the table in the reader's language.

    One that was made in it for the same state of the league is used again.
    """
    language = get_language() or settings.LANGUAGE_CODE
    key = f"{league.pk}/{paper}/{language}/{_league_fingerprint(league)}"
    payload: dict[str, object] = {"league": league.pk, "paper": paper, "language": language}
    return _request_pdf(LEAGUE_JOB_KIND, payload, key, actor)


def _league_fingerprint(league: League) -> str:
    """Return a fingerprint of all that the table depends on.

    This is the last line of the league's log and the versions of its events.
    """
    entries = Event.objects.filter(league_entries__league=league).order_by("pk")
    versions = list(entries.values_list("pk", "version"))
    last = league.log.values_list("pk", flat=True).first()
    return make_fingerprint((last, league.name, versions))


# The refusal of a job for something that no longer exists.
MISSING_CODES = {
    "round_gone": "round_gone.print",
    "player_gone": "player_gone",
    "no_changed_tables": "no_changed_tables",
}


def read_job_payload(payload: Mapping[str, object], now: datetime) -> tuple[Sheet, PrintRequest]:
    """Return the sheet and its rows.

    Raises JobFailed for an event, round or player that is gone by now.
    """
    sheet_request = SheetRequest.from_payload(payload)
    event = find_row(Event.objects.filter(pk=sheet_request.event))
    if event is None:
        raise JobFailed("event_gone")
    sheet = sheet_or_404(event, sheet_request.sheet)
    try:
        return sheet, load_print_request(sheet, event, sheet_request, now)
    except NotThere as error:
        raise JobFailed(MISSING_CODES[error.code]) from error
