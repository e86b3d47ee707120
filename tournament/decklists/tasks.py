"""Background jobs of decklists: tell events and players about rechecks."""

from __future__ import annotations

from typing import Any

from decks.jobs.handlers import JobFailed, Run, job
from decks.rechecks.models import Recheck
from tournament.decklists.services import notices


@job(notices.NOTIFY_JOB)
def tell_of_recheck(run: Run) -> dict[str, Any]:
    """Tell the events whose lists were checked again."""
    recheck = Recheck.objects.filter(pk=run.payload["recheck"]).first()
    if recheck is None:
        raise JobFailed("recheck_gone", "The recheck no longer exists.")
    return {"events": notices.notify_events(recheck, run.progress)}


@job(notices.EMAIL_JOB)
def mail_list_notices(run: Run) -> dict[str, Any]:
    """Send the mails of one event about its lists; what the mail server does not take is tried again."""
    is_last_try = run.tries >= notices.MAIL_TRIES
    posted = notices.send_notice_emails(run.payload["recheck"], run.payload["event"], is_last_try=is_last_try)
    if posted.failed and not is_last_try:
        raise ConnectionError(f"The mail server did not take {posted.failed} mails.")
    return {"sent": posted.sent, "failed": posted.failed}
