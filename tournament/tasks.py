"""Background jobs of events: thin wrappers around services."""

from __future__ import annotations

from typing import Any

from celery import shared_task
from django.utils import timezone

from decks.jobs.handlers import JobFailed, Run, job
from decks.rechecks.models import Recheck
from tournament.clock import services as clock
from tournament.decklists.services import notices as list_mails
from tournament.events.models.player import Player
from tournament.leagues.models import League
from tournament.printing import services as wishes
from tournament.printing.registry import sheet_title
from tournament.printing.render import render_league_pdf, render_sheet_pdf
from tournament.printing.sheets.standings import build_league_table
from tournament.registration.services import contact


@job("print_sheet")
def print_sheet(run: Run) -> dict[str, Any]:
    """Make one sheet, or a pack of them, as a PDF file."""
    sheet, request = wishes.read_job_payload(run.payload, timezone.now())
    content = render_sheet_pdf(sheet, request, run.progress)
    run.save(f"{request.event.slug}-{sheet.key}.pdf", content)
    return {"title": sheet_title(sheet, request.event, request.round)}


@job(wishes.LEAGUE_JOB_KIND)
def print_league(run: Run) -> dict[str, Any]:
    """Make the table of a league as a PDF file."""
    league = League.objects.filter(pk=run.payload["league"]).first()
    if league is None:
        raise JobFailed("league_gone", "The league no longer exists.")
    built = build_league_table(league, run.payload["paper"], timezone.now())
    run.save(f"{league.slug}-table.pdf", render_league_pdf(built, run.progress))
    return {"title": f"The table of {league.name}"}


@job(list_mails.TELL)
def tell_of_recheck(run: Run) -> dict[str, Any]:
    """Tell the events whose lists were checked again."""
    recheck = Recheck.objects.filter(pk=run.payload["recheck"]).first()
    if recheck is None:
        raise JobFailed("recheck_gone", "The recheck no longer exists.")
    return {"events": list_mails.notify_events(recheck, run.progress)}


@job(list_mails.MAIL)
def mail_list_notices(run: Run) -> dict[str, Any]:
    """Send the mails of one event about its lists; what the mail server does not take is tried again."""
    is_last_try = run.tries >= list_mails.MAIL_TRIES
    posted = list_mails.send_notice_emails(
        run.payload["recheck"], run.payload["event"], is_last_try=is_last_try
    )
    if posted.failed and not is_last_try:
        raise ConnectionError(f"The mail server did not take {posted.failed} mails.")
    return {"sent": posted.sent, "failed": posted.failed}


@job(contact.PLACE_FREE_JOB)
def mail_moved_up(run: Run) -> dict[str, Any]:
    """Tell a player by mail that he has a place now; sent twice it says the same."""
    player = Player.objects.select_related("event").filter(pk=run.payload["player"]).first()
    if player is None or not player.email:
        raise JobFailed("player_gone", "The player or the address is gone.")
    if player.status != Player.Status.REGISTERED:
        return {"sent": 0}
    contact.build_place_free_email(player).send()
    return {"sent": 1}


@job(contact.PRIVATE_LINK_JOB)
def mail_private_link(run: Run) -> dict[str, Any]:
    """Send a player his private link; a worker lost in the middle may send it twice, which does no harm."""
    player = Player.objects.select_related("event").filter(pk=run.payload["player"]).first()
    if player is None or not player.email:
        raise JobFailed("player_gone", "The player or the address is gone.")
    contact.build_private_link_email(player).send()
    return {"sent": 1}


@shared_task(name="tournament.call_hidden_ends")
def call_hidden_ends() -> None:
    """Tell the halls whose hidden end of the round has come."""
    clock.call_hidden_ends()
