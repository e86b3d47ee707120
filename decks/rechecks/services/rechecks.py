"""Checking the lists of coming events again: after a new edition, or when one event's own terms have changed.

The rows are the truth. A recheck is cut into parts, each a job of its own that any worker may take; a part
that was broken off goes on where its rows end. What a check says is added and nothing is ever changed, so a
part done twice leaves what it left the first time.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db import IntegrityError, transaction
from django.dispatch import Signal
from django.utils import timezone

from decks import jobs
from decks.editions.models import ListEdition
from decks.editions.selectors.editions import as_edition
from decks.jobs.models import Job
from decks.rechecks import upcoming as coming
from decks.rechecks.models import Recheck, RecheckPart
from decks.rechecks.upcoming import Occasion
from rules import Edition

PLAN, PART, LOOK_AHEAD = "plan_recheck", "recheck_part", "would_break"
LISTS_A_PART = 2_000

recheck_ended = Signal()
"""Sent with `recheck` inside the transaction in which it ends, done or cancelled."""


def start(edition: ListEdition, *, asked_by: str = "") -> Recheck:
    """Check the lists of coming events again, in the background; called when an edition has been published.

    Returns the recheck of this edition that is under way, if there is one.
    """
    since = f", in force since {edition.in_force:%d %B %Y}" if edition.in_force else ""
    made = Recheck(
        game=edition.game,
        edition=edition,
        cause=f"{edition.name} {edition.number}{since}"[:300],
        since=edition.in_force,
        asked_by=asked_by[:160],
        asked_at=timezone.now(),
    )
    try:
        with transaction.atomic():
            made.save(force_insert=True)
    except IntegrityError:
        made = Recheck.objects.get(edition=edition, ended_at__isnull=True)
    jobs.enqueue(PLAN, {"recheck": made.pk}, key=str(made.pk), requested_by=asked_by[:200])
    return made


def start_for(occasion: int, game: str, cause: str, *, asked_by: str = "") -> Recheck:
    """Check the lists of one coming event again, in the background, because its own terms have changed."""
    made = Recheck.objects.create(
        game=game,
        occasion=occasion,
        cause=cause[:300],
        asked_by=asked_by[:160],
        asked_at=timezone.now(),
    )
    jobs.enqueue(PLAN, {"recheck": made.pk}, key=str(made.pk), requested_by=asked_by[:200])
    return made


def look_ahead(draft: ListEdition, *, asked_by: str = "") -> Job:
    """Ask which lists of coming events the draft would break as it stands; the result is a `Consequences`."""
    payload, key = {"draft": draft.pk}, look_ahead_key(draft)
    return jobs.enqueue(LOOK_AHEAD, payload, key=key, requested_by=asked_by[:200])


def look_ahead_key(draft: ListEdition) -> str:
    """By which the job for this state of the draft is found."""
    return f"{draft.pk}:{draft.revision}"


@transaction.atomic
def plan(recheck_id: int) -> Recheck:
    """Cut the recheck into parts and ask for each; again, only for those that are not done."""
    recheck = Recheck.objects.select_for_update().get(pk=recheck_id)
    if recheck.ended_at is not None:
        return recheck
    if recheck.total is None:
        _cut(recheck)
    for part in recheck.parts.filter(done_at__isnull=True):
        jobs.enqueue(PART, {"part": part.pk}, key=str(part.pk), requested_by=recheck.asked_by)
    end_if_done(recheck_id)
    return recheck


def _cut(recheck: Recheck) -> None:
    held = [occasion.key for occasion in concerned(recheck)]
    ids = coming.source().list_ids(held)
    shares = [ids[start : start + LISTS_A_PART] for start in range(0, len(ids), LISTS_A_PART)]
    RecheckPart.objects.bulk_create(
        RecheckPart(recheck=recheck, number=number, first=share[0], last=share[-1], lists=len(share))
        for number, share in enumerate(shares, start=1)
    )
    recheck.total = len(ids)
    recheck.save(update_fields=["total"])


def concerned(recheck: Recheck) -> list[Occasion]:
    """The coming events that the recheck is about: those held under its edition, or one alone."""
    occasions = coming.source().occasions(recheck.game)
    if recheck.edition is None:
        return [occasion for occasion in occasions if occasion.key == recheck.occasion]
    return list(under(as_edition(recheck.edition), occasions))


def under(edition: Edition, occasions: Iterable[Occasion]) -> Iterable[Occasion]:
    """The events in which an edition would be in force, by their days and their versions of the rules."""
    for occasion in occasions:
        terms = occasion.terms
        if edition.holds(terms.rules_version, terms.on):
            yield occasion


def end_if_done(recheck_id: int) -> bool:
    """End the recheck once all of its parts are done; whether this call ended it."""
    with transaction.atomic():
        if RecheckPart.objects.filter(recheck=recheck_id, done_at__isnull=True).exists():
            return False
        return _end(recheck_id)


def resume(recheck_id: int, *, asked_by: str = "") -> Job:
    """Ask for the parts that are not done once more, as after an error that stopped them."""
    return jobs.enqueue(PLAN, {"recheck": recheck_id}, key=str(recheck_id), requested_by=asked_by[:200])


def cancel(recheck_id: int) -> bool:
    """Stop the recheck; what was checked until now counts. Whether it was still under way."""
    with transaction.atomic():
        now = timezone.now()
        is_ended = _end(recheck_id, cancelled_at=now)
        for key in _keys(recheck_id):
            open_job = Job.objects.filter(kind=PART, key=key, state__in=["queued", "running"]).first()
            if open_job is not None:
                jobs.cancel(open_job.pk)
    return is_ended


def _keys(recheck_id: int) -> list[str]:
    parts = RecheckPart.objects.filter(recheck=recheck_id, done_at__isnull=True)
    return [str(pk) for pk in parts.values_list("pk", flat=True)]


def _end(recheck_id: int, **more: object) -> bool:
    # Conditional, so that of two workers with the last two parts only one tells the events.
    under_way = Recheck.objects.filter(pk=recheck_id, ended_at__isnull=True)
    if not under_way.update(ended_at=timezone.now(), **more):
        return False
    recheck_ended.send(Recheck, recheck=Recheck.objects.get(pk=recheck_id))
    return True
