"""What the events do when something happens to the lists below them."""

from __future__ import annotations

from typing import Any

from decks import jobs
from decks.rechecks.models import Recheck
from decks.rechecks.services import recheck_ended
from tournament.accounts import services
from tournament.decklists.services.notices import TELL


def connect() -> None:
    """Listen to the end of every recheck, and to people who sign in and out."""
    services.connect_sign_in_signals()
    recheck_ended.connect(_tell_events, dispatch_uid="tell_events_of_recheck")


def _tell_events(sender: type, recheck: Recheck, **kwargs: Any) -> None:
    # Asked for in the transaction in which the recheck ends, so that no event is forgotten.
    jobs.enqueue(TELL, {"recheck": recheck.pk}, key=str(recheck.pk), requested_by=recheck.asked_by)
