"""Notifies players and staff of rechecked decklists.

Uses the log, notices and emails, none twice. Each event is notified in one step; the notices written there
record who is notified, so that no one is notified twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import Count, F, Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from decks.jobs.handlers import ProgressCallback
from decks.rechecks import chain
from decks.rechecks.models import Recheck
from decks.submissions.models import Rechecked
from decks.submissions.selectors import current_verdict, verdict_prefetches
from rules.reason import reason, reasons_from_json
from tournament.access.permissions import SYSTEM_ACTOR
from tournament.decklists.models import ListNotice
from tournament.decklists.services.lists import format_closed_reason
from tournament.events.models.event import Event, StaffRole
from tournament.languages.choice import speak
from tournament.languages.selectors import get_account_language
from tournament.log.step import step
from tournament.shared.text import format_moment

MAX_NAMES = 5

NOTIFIED_ROLES = (StaffRole.Kind.OWNER, StaffRole.Kind.ORGANIZER)

Mail = ListNotice.Mail


@dataclass(frozen=True, order=True, slots=True)
class RecheckedEvent:
    """An event whose lists were checked again, and how many of them."""

    event_id: int
    list_count: int


def rechecked_events(recheck: Recheck) -> list[RecheckedEvent]:
    """Return the events whose lists a recheck has looked at, by id. One query."""
    rows = Rechecked.objects.filter(recheck=recheck, version__deck_list__player__isnull=False)
    counts = rows.order_by().values_list("version__deck_list__player__event").annotate(list_count=Count("pk"))
    return sorted(RecheckedEvent(*row) for row in counts)


def notify_events(recheck: Recheck, progress: ProgressCallback) -> int:
    """Notify every event that the recheck touched.

    Each event is notified in a step of its own. Returns the number of people notified now.
    """
    events = rechecked_events(recheck)
    notified_count = 0
    for number, each in enumerate(events, start=1):
        notified_count += notify_event(recheck, each)
        progress(number, len(events), reason("events_told", done=number, total=len(events)))
    return notified_count


def notify_event(recheck: Recheck, rechecked_event: RecheckedEvent) -> bool:
    """Write the log line and notices of one event and ask for the emails.

    Returns False if that was done before.
    """
    with step(Event.objects.get(pk=rechecked_event.event_id), SYSTEM_ACTOR) as recorder:
        event = recorder.event
        if event.list_notices.filter(recheck=recheck).exists():
            return False
        rows = _rows_to_report(recheck, event)
        if recheck.is_of_catalogue and not rows:
            return False
        recorder.create_all(
            [
                *_player_notices(recheck, event, rows, recorder.now),
                *_staff_notices(recheck, event, rows, recorder.now),
            ]
        )
        broken_rows, fixed_rows = [row for row in rows if row.brings_news], [row for row in rows if row.mends]
        recorder.log(
            "lists_checked_again",
            causes=reasons_from_json(recheck.causes),
            lists=rechecked_event.list_count,
            broken=[row.version.deck_list.player for row in broken_rows[:MAX_NAMES]],
            broken_count=len(broken_rows),
            broken_more=max(len(broken_rows) - MAX_NAMES, 0),
            fixed=[row.version.deck_list.player for row in fixed_rows[:MAX_NAMES]],
            fixed_count=len(fixed_rows),
            fixed_more=max(len(fixed_rows) - MAX_NAMES, 0),
        )
        if event.list_notices.filter(recheck=recheck, mail=Mail.WAITING).exists():
            chain.request_emails(recheck, event.pk)
    return True


def _rows_to_report(recheck: Recheck, event: Event) -> list[Rechecked]:
    """Return the later verdicts that break or fix a list that still counts.

    They are in the order of the players' numbers. Who submitted another list meanwhile hears nothing, nor who
    has a ruling on a fixed list.
    """
    rows = Rechecked.objects.filter(recheck=recheck, version__deck_list__player__event=event)
    rows = rows.filter(Q(brings_news=True) | Q(mends=True), version=F("version__deck_list__current"))
    rows_with_verdicts = rows.defer("verdict", "judged_under").select_related(
        "version__deck_list__player__team"
    )
    rows_with_verdicts = rows_with_verdicts.prefetch_related(*verdict_prefetches("version"))
    ordered_rows = rows_with_verdicts.order_by("version__deck_list__player__number")
    return [row for row in ordered_rows if row.brings_news or current_verdict(row.version).ruling is None]


def _player_notices(
    recheck: Recheck, event: Event, rows: Sequence[Rechecked], now: datetime
) -> list[ListNotice]:
    return [
        ListNotice(
            event=event,
            recheck=recheck,
            rechecked=row,
            player=row.version.deck_list.player,
            written_at=now,
            mail=Mail.WAITING if row.version.deck_list.player.entrant.email else Mail.NONE,
        )
        for row in rows
    ]


def _staff_notices(
    recheck: Recheck, event: Event, rows: Sequence[Rechecked], now: datetime
) -> list[ListNotice]:
    """Email owner and co-organizers only where a list broke or was fixed.

    The notice says so.
    """
    roles = event.staff.filter(kind__in=NOTIFIED_ROLES).select_related("user").order_by("pk")
    return [
        ListNotice(
            event=event,
            recheck=recheck,
            user=role.user,
            written_at=now,
            mail=Mail.WAITING if rows and role.user.email else Mail.NONE,
        )
        for role in roles
    ]


log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class EmailCounts:
    """Numbers of emails that the server accepted and rejected."""

    sent_count: int = 0
    failed_count: int = 0


def send_notice_emails(recheck_id: int, event_id: int, *, is_last_try: bool) -> EmailCounts:
    """Send the emails of one event that still wait.

    What the server does not take waits for the next try. Mail trouble is counted, never raised. A worker lost
    while it sends leaves the email as sent: rather one email too few than the same one twice, for the page
    says it all as well.
    """
    waiting_notices = ListNotice.objects.filter(recheck=recheck_id, event=event_id, mail=Mail.WAITING)
    sent_count = failed_count = 0
    server = get_connection()
    with suppress(OSError):  # one connection for all; where it cannot be had, each email says so
        server.open()
    for notice in waiting_notices.select_related("event", "player", "user", "rechecked", "recheck"):
        # Claimed first, so that no one else sends it.
        if waiting_notices.filter(pk=notice.pk).update(mail=Mail.SENT, mail_at=timezone.now()):
            is_sent = _send_notice(notice, server, otherwise=Mail.FAILED if is_last_try else Mail.WAITING)
            sent_count, failed_count = sent_count + is_sent, failed_count + (not is_sent)
    server.close()
    return EmailCounts(sent_count, failed_count)


def _send_notice(notice: ListNotice, server: BaseEmailBackend, *, otherwise: str) -> bool:
    """Return whether the server took the email.

    `otherwise` is the state given to an email that it did not take.
    """
    try:
        build_notice_email(notice, server).send()
    except (OSError, ValueError) as trouble:  # smtplib's exceptions are OSErrors too
        log.warning("A mail about a list was not taken.", notice=notice.pk, why=str(trouble))
        ListNotice.objects.filter(pk=notice.pk).update(mail=otherwise, mail_at=None)
        return False
    return True


def build_notice_email(notice: ListNotice, server: BaseEmailBackend | None = None) -> EmailMessage:
    """Build the email for one player's list, or for staff about all lists."""
    language = get_account_language(notice.user) or notice.event.language
    with speak(language):
        return _write_notice_email(notice, server)


def _write_notice_email(notice: ListNotice, server: BaseEmailBackend | None) -> EmailMessage:
    event = notice.event
    context = {
        "notice": notice,
        "event": event,
        "starts": format_moment(event.starts_local, "full"),
        "link": _notice_link(notice),
        **(_facts_for_player(notice) if notice.player else _names_for_staff(notice)),
    }
    subject, _, body = render_to_string(
        f"tournament/decklists/mail_{_template_name(notice)}.txt", context
    ).partition("\n")
    receiver = notice.player.entrant if notice.player else notice.user
    recipients = [receiver.email] if receiver else []
    return EmailMessage(subject.strip(), body.strip() + "\n", to=recipients, connection=server)


def _template_name(notice: ListNotice) -> str:
    if notice.player is None or notice.rechecked is None:
        return "lists_to_mend"
    return "list_mended" if notice.rechecked.mends else "list_to_mend"


def _facts_for_player(notice: ListNotice) -> dict[str, object]:
    """Return what the decklist is now, and until when its player can replace it."""
    event = notice.event
    due = event.decklists_due_at
    return {
        "is_illegal": notice.rechecked is not None and notice.rechecked.outcome == "illegal",
        "closed_reason": format_closed_reason(event),
        "due": format_moment(due.astimezone(event.zone), "full") if due else "",
    }


def _names_for_staff(notice: ListNotice) -> dict[str, object]:
    """Return names of players whose decklists need changes or are legal again.

    The two groups are returned separately.
    """
    player_notices = ListNotice.objects.filter(
        event=notice.event, recheck=notice.recheck, player__isnull=False
    )
    rows = player_notices.order_by("player__number").select_related("player__team", "rechecked")
    names_and_fixes = [
        (row.player.full_name, row.rechecked is not None and row.rechecked.mends)
        for row in rows
        if row.player
    ]
    return {
        "names": [name for name, is_fixed in names_and_fixes if not is_fixed],
        "fixed_names": [name for name, is_fixed in names_and_fixes if is_fixed],
    }


def _notice_link(notice: ListNotice) -> str:
    """Return where to look, in full.

    Empty if the public address of this installation is not set.
    """
    if not settings.BASE_URL:
        return ""
    if notice.player:
        return settings.BASE_URL + reverse("player_list", args=[notice.player.token])
    return settings.BASE_URL + reverse("console_lists", args=[notice.event.slug])
