"""The mails about lists that a new edition broke or mended. Each is claimed before it is sent: none twice."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from tournament.decklists.models.notice import ListNotice
from tournament.templatetags.ringside import words_for

log = structlog.get_logger(__name__)
Mail = ListNotice.Mail


@dataclass(frozen=True, slots=True)
class Posted:
    """How many mails the server took, and how many not."""

    sent: int = 0
    failed: int = 0


def post(recheck_id: int, event_id: int, *, is_last_try: bool) -> Posted:
    """Send the mails of one event that still wait. What the server does not take waits for the next try.

    Mail trouble is counted, never raised. A worker lost while it sends leaves the mail as sent: rather one
    mail too few than the same one twice, for the page says it all as well.
    """
    waiting = ListNotice.objects.filter(recheck=recheck_id, event=event_id, mail=Mail.WAITING)
    sent = failed = 0
    server = get_connection()
    with suppress(OSError):  # one connection for all; where it cannot be had, each mail says so
        server.open()
    for notice in waiting.select_related("event", "player", "user", "rechecked", "recheck"):
        # Claimed first, so that nobody else sends it.
        if waiting.filter(pk=notice.pk).update(mail=Mail.SENT, mail_at=timezone.now()):
            is_sent = _send(notice, server, otherwise=Mail.FAILED if is_last_try else Mail.WAITING)
            sent, failed = sent + is_sent, failed + (not is_sent)
    server.close()
    return Posted(sent, failed)


def _send(notice: ListNotice, server: BaseEmailBackend, *, otherwise: str) -> bool:
    """Whether the server took the mail; `otherwise` is what becomes of one that it did not take."""
    try:
        message(notice, server).send()
    except (OSError, ValueError) as trouble:  # smtplib's exceptions are OSErrors too
        log.warning("A mail about a list was not taken.", notice=notice.pk, why=str(trouble))
        ListNotice.objects.filter(pk=notice.pk).update(mail=otherwise, mail_at=None)
        return False
    return True


def message(notice: ListNotice, server: BaseEmailBackend | None = None) -> EmailMessage:
    """The mail for one person: to a player about his list, to staff about all of the event's lists."""
    event = notice.event
    context = {
        "notice": notice,
        "event": event,
        "starts": words_for(event.starts_local, "full"),
        "due": words_for(event.decklists_due_at.astimezone(event.zone), "full")
        if event.decklists_due_at
        else "",
        "link": _link(notice),
        **_names(notice),
    }
    subject, _, body = render_to_string(f"tournament/decklists/mail_{_kind(notice)}.txt", context).partition(
        "\n"
    )
    to = notice.player.email if notice.player else notice.user.email
    return EmailMessage(subject.strip(), body.strip() + "\n", to=[to], connection=server)


def _kind(notice: ListNotice) -> str:
    if notice.player is None:
        return "lists_to_mend"
    return "list_mended" if notice.rechecked.mends else "list_to_mend"


def _names(notice: ListNotice) -> dict[str, list[str]]:
    """For staff: whose lists are no longer in order, and whose are in order again."""
    if notice.player:
        return {}
    told = ListNotice.objects.filter(event=notice.event, recheck=notice.recheck, player__isnull=False)
    found = list(told.order_by("player__number").values_list("player__name", "rechecked__mends"))
    return {
        "names": [name for name, mends in found if not mends],
        "mended": [name for name, mends in found if mends],
    }


def _link(notice: ListNotice) -> str:
    """Where to look, in full; empty where nobody told under which address this installation is reached."""
    if not settings.BASE_URL:
        return ""
    if notice.player:
        return settings.BASE_URL + reverse("player_list", args=[notice.player.token])
    return settings.BASE_URL + reverse("console_lists", args=[notice.event.slug])
