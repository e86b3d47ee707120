"""Telling the people of coming events what a new edition did to their lists: in the log, on pages, by mail.

Each event is told in one step; the notices written there say who is told, so that nobody is told twice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, F, Q

from decks import jobs
from decks.rechecks.models import Recheck
from decks.submissions.models import Rechecked
from decks.submissions.selectors.standing import standing, with_standing
from tournament.access.actor import SYSTEM
from tournament.decklists.models.notice import ListNotice
from tournament.events.models.event import Event, StaffRole
from tournament.log.step import step

TELL, MAIL = "tell_of_recheck", "mail_list_notices"
MAIL_TRIES = 5
NAMED = 5
IN_CHARGE = (StaffRole.Kind.OWNER, StaffRole.Kind.ORGANIZER)
Mail = ListNotice.Mail


class Touched(NamedTuple):
    """An event whose lists were checked again, and how many of them."""

    event_id: int
    checked: int


def touched(recheck: Recheck) -> list[Touched]:
    """The events whose lists a recheck has looked at, by id. One query."""
    rows = Rechecked.objects.filter(recheck=recheck, version__deck_list__player__isnull=False)
    rows = rows.order_by().values_list("version__deck_list__player__event")
    return sorted(Touched(*row) for row in rows.annotate(checked=Count("pk")))


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
    """The later verdicts that break or mend a list that still counts, by the players' numbers.

    Who handed in another list meanwhile hears nothing, nor who has a ruling that stands over a mended list.
    """
    rows = Rechecked.objects.filter(recheck=recheck, version__deck_list__player__event=event)
    rows = rows.filter(Q(brings_news=True) | Q(mends=True), version=F("version__deck_list__current"))
    found = rows.defer("verdict", "judged_under").select_related("version__deck_list__player")
    found = found.prefetch_related(*with_standing("version"))
    told = found.order_by("version__deck_list__player__number")
    return [row for row in told if row.brings_news or standing(row.version).ruling is None]


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
    """Owner and co-organizers hear by mail only where a list broke or was mended; the notice says so."""
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
    broken = _counted([row for row in rows if row.brings_news], "needs mending", "need mending")
    mended = _counted([row for row in rows if row.mends], "is legal again", "are legal again")
    said = "; ".join(part for part in (broken, mended) if part)
    return f"{lists} checked again; {said or 'no more rules are broken than before'}."


def _counted(rows: Sequence[Rechecked], one: str, several: str) -> str:
    """How many lists it is true of, and whose; empty for none."""
    if not rows:
        return ""
    names = [row.version.deck_list.player.name for row in rows]
    rest = len(names) - NAMED
    named = ", ".join(names[:NAMED]) + (f" and {rest} more" if rest > 0 else "")
    return f"{len(names)} {one if len(names) == 1 else several}: {named}"
