"""Telling the people of coming events what a new edition did to their lists: in the log, on pages, by mail.

Each event is told in one step; the notices written there say who is told, so that nobody is told twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, F, Q

from decks import jobs
from decks.models import Recheck, Rechecked
from tournament.models import Event, ListNotice, StaffRole
from tournament.services.actor import SYSTEM
from tournament.services.recorder import step

TELL, MAIL = "tell_of_recheck", "mail_list_notices"
MAIL_TRIES = 5
NAMED = 5
IN_CHARGE = (StaffRole.Kind.OWNER, StaffRole.Kind.ORGANIZER)
Mail = ListNotice.Mail


class Touched(NamedTuple):
    """An event whose lists were checked again: how many, and how many of them brought news."""

    event_id: int
    checked: int
    news: int


def touched(recheck: Recheck) -> list[Touched]:
    """The events whose lists a recheck has looked at, by id. One query."""
    rows = Rechecked.objects.filter(recheck=recheck, version__deck_list__player__isnull=False)
    rows = rows.order_by().values_list("version__deck_list__player__event")
    found = rows.annotate(checked=Count("pk"), news=Count("pk", filter=Q(brings_news=True)))
    return sorted(Touched(*row) for row in found)


def tell(recheck: Recheck, progress: Callable[[int, int, str], None]) -> int:
    """Tell every event that the recheck touched, each in a step of its own; how many were told now."""
    events = touched(recheck)
    told = 0
    for number, each in enumerate(events, start=1):
        told += tell_event(recheck, each)
        progress(number, len(events), f"{number} of {len(events)} events")
    return told


def tell_event(recheck: Recheck, found: Touched) -> bool:
    """Write log line and notices of one event and ask for the mails; False where that was done before."""
    with step(Event.objects.get(pk=found.event_id), SYSTEM) as recorder:
        event = recorder.event
        if event.list_notices.filter(recheck=recheck).exists():
            return False
        rows = _news(recheck, event)
        recorder.create_all(
            [
                *_for_players(recheck, event, rows, recorder.now),
                *_for_staff(recheck, event, rows, recorder.now),
            ]
        )
        recorder.say("lists_checked_again", _sentence(found, rows), reason=recheck.cause)
        if event.list_notices.filter(recheck=recheck, mail=Mail.WAITING).exists():
            _ask_for_mails(recheck, event)
    return True


def _ask_for_mails(recheck: Recheck, event: Event) -> None:
    payload = {"recheck": recheck.pk, "event": event.pk}
    jobs.enqueue(MAIL, payload, key=f"{recheck.pk}:{event.pk}", max_tries=MAIL_TRIES)


def _news(recheck: Recheck, event: Event) -> list[Rechecked]:
    """The later verdicts with news on lists that still count; who mended his list meanwhile hears nothing."""
    rows = Rechecked.objects.filter(
        recheck=recheck, brings_news=True, version__deck_list__player__event=event
    )
    rows = rows.filter(version=F("version__deck_list__current")).defer("verdict", "judged_under")
    return list(
        rows.select_related("version__deck_list__player").order_by("version__deck_list__player__number")
    )


def _for_players(
    recheck: Recheck, event: Event, rows: Sequence[Rechecked], now: datetime
) -> list[ListNotice]:
    return [
        ListNotice(
            event=event,
            recheck=recheck,
            rechecked=row,
            player=row.version.deck_list.player,
            written_at=now,
            mail=Mail.WAITING if row.version.deck_list.player.email else Mail.NONE,
        )
        for row in rows
    ]


def _for_staff(recheck: Recheck, event: Event, rows: Sequence[Rechecked], now: datetime) -> list[ListNotice]:
    """Owner and co-organizers hear by mail only where a list was hit; their notice says that it was told."""
    roles = event.staff.filter(kind__in=IN_CHARGE).select_related("user").order_by("pk")
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


def _sentence(found: Touched, rows: Sequence[Rechecked]) -> str:
    lists = "1 list was" if found.checked == 1 else f"{found.checked} lists were"
    if not rows:
        return f"{lists} checked again; no more rules are broken than before."
    names = [row.version.deck_list.player.name for row in rows]
    rest = len(names) - NAMED
    named = ", ".join(names[:NAMED]) + (f" and {rest} more" if rest > 0 else "")
    need = "1 needs" if len(names) == 1 else f"{len(names)} need"
    return f"{lists} checked again; {need} mending: {named}."
