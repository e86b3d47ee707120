"""Background jobs of rechecks.

They are the hops of the chain (see `chain.py`), and looking ahead.
"""

from __future__ import annotations

from decks.editions.models import ListEdition
from decks.editions.selectors.editions import to_edition
from decks.jobs.handlers import JobDelayed, JobFailed, Run, job
from decks.rechecks import chain, services, upcoming
from decks.rechecks.models import CONSEQUENCES_JOB, Recheck, RecheckPart
from decks.rechecks.selectors import find_consequences


@job(chain.PLAN_JOB)
def plan_recheck(run: Run) -> dict[str, object]:
    """Count the lists of coming events and share them out among the workers."""
    return {"lists": services.plan_recheck(_recheck(run).pk).total}


@job(chain.PART_JOB)
def recheck_part(run: Run) -> dict[str, object]:
    """Check one share of the lists again."""
    try:
        return {"lists": services.check_part(run.read_number("part"), run.progress)}
    except RecheckPart.DoesNotExist as error:
        raise _recheck_gone() from error


@job(chain.TELL_JOB)
def tell_of_recheck(run: Run) -> dict[str, object]:
    """Tell the events whose lists were checked again."""
    return {"events": upcoming.get_source().notify(_recheck(run), run.progress)}


@job(chain.EMAIL_JOB)
def mail_list_notices(run: Run) -> dict[str, object]:
    """Send the emails of one event about its lists.

    Emails that the mail server does not accept are tried again.
    """
    is_last_try, event = run.tries >= chain.EMAIL_TRIES, run.read_number("event")
    sent_count, failed_addresses = upcoming.get_source().send_emails(
        _recheck(run), event, is_last_try=is_last_try
    )
    if failed_addresses and not is_last_try:
        raise JobDelayed("emails_not_sent", count=failed_addresses)
    return {"sent": sent_count, "failed": failed_addresses}


def _recheck(run: Run) -> Recheck:
    recheck = Recheck.objects.filter(pk=run.read_number("recheck")).first()
    if recheck is None:
        raise _recheck_gone()
    return recheck


def _recheck_gone() -> JobFailed:
    return JobFailed("recheck_gone")


@job(CONSEQUENCES_JOB)
def would_break(run: Run) -> dict[str, object]:
    """Find what a draft would do to the lists of coming events.

    The draft is used as it is when the job is done.
    """
    draft = ListEdition.objects.filter(pk=run.read_number("draft")).first()
    if draft is None:
        raise JobFailed("draft_gone")
    consequences = find_consequences(to_edition(draft), run.progress)
    return {"revision": draft.revision, **consequences.to_record()}
