"""Background jobs of events: thin wrappers around what the folders do."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from decks.jobs import JobFailed, Run, job
from decks.models import Recheck
from tournament.models import Event, Player
from tournament.printing.documents import round_for, sheet_or_404, title
from tournament.printing.render import pdf, sheet_html
from tournament.services import links, list_mails, list_notices, mails


@job("print_sheet")
def print_sheet(run: Run) -> dict[str, Any]:
    """Make one sheet as a PDF file."""
    asked = run.payload
    event = Event.objects.filter(pk=asked["event"]).first()
    if event is None:
        raise JobFailed("event_gone", "The event no longer exists.")
    sheet = sheet_or_404(asked["sheet"])
    shown = round_for(event, asked["stage"], asked["round"])
    if shown is None and sheet.of_a_round:
        raise JobFailed("round_gone", "The round no longer exists.")
    run.progress(1, 3, "Reading")
    html = sheet_html(sheet, event, shown, paper=asked["paper"], now=timezone.now())
    run.progress(2, 3, "Setting the pages")
    run.save(f"{event.slug}-{sheet.key}.pdf", pdf(html))
    run.progress(3, 3, "Ready")
    return {"title": title(sheet, event, shown)}


@job(list_notices.TELL)
def tell_of_recheck(run: Run) -> dict[str, Any]:
    """Tell the events whose lists were checked again."""
    recheck = Recheck.objects.filter(pk=run.payload["recheck"]).first()
    if recheck is None:
        raise JobFailed("recheck_gone", "The recheck no longer exists.")
    return {"events": list_notices.tell(recheck, run.progress)}


@job(list_notices.MAIL)
def mail_list_notices(run: Run) -> dict[str, Any]:
    """Send the mails of one event about its lists; what the mail server does not take is tried again."""
    is_last_try = run.tries >= list_notices.MAIL_TRIES
    posted = list_mails.post(run.payload["recheck"], run.payload["event"], is_last_try=is_last_try)
    if posted.failed and not is_last_try:
        raise ConnectionError(f"The mail server did not take {posted.failed} mails.")
    return {"sent": posted.sent, "failed": posted.failed}


@job(mails.MOVED_UP)
def mail_moved_up(run: Run) -> dict[str, Any]:
    """Tell a player by mail that he has a place now; sent twice it says the same."""
    player = Player.objects.select_related("event").filter(pk=run.payload["player"]).first()
    if player is None or not player.email:
        raise JobFailed("player_gone", "The player or the address is gone.")
    if player.status != Player.Status.REGISTERED:
        return {"sent": 0}
    mails.moved_up(player).send()
    return {"sent": 1}


@job(links.MAIL)
def mail_private_link(run: Run) -> dict[str, Any]:
    """Send a player his private link; a worker lost in the middle may send it twice, which does no harm."""
    player = Player.objects.select_related("event").filter(pk=run.payload["player"]).first()
    if player is None or not player.email:
        raise JobFailed("player_gone", "The player or the address is gone.")
    links.message(player).send()
    return {"sent": 1}
