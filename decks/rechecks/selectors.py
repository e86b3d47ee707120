"""Effects of a draft edition on upcoming lists, and the progress of a recheck.

Each list is judged twice from its stored cards, under what is published and under the draft as if it were, so
that nothing else than the draft can be the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from django.db.models import Count, Q, Sum
from django.utils import timezone

import rules
from decks.catalogue.selectors import get_catalogue
from decks.checking.check import StoredListChecker
from decks.checking.result import compare_verdicts
from decks.editions.selectors.editions import published_editions
from decks.jobs.handlers import ProgressCallback
from decks.jobs.models import Job
from decks.rechecks import upcoming
from decks.rechecks.chain import count_failed
from decks.rechecks.consequences import AffectedEvent, AffectedList, CitedFinding, Consequences
from decks.rechecks.models import Recheck
from decks.rechecks.upcoming import UpcomingEvent, UpcomingList
from decks.shared.causes import describe_day
from decks.shared.json_shapes import Published
from decks.shared.stated_reasons import StatedReason, state_reason
from decks.submissions.models import DeckVersion, Rechecked
from decks.submissions.selectors import load_versions, to_reread_list
from rules import Edition
from rules.reason import Reason, reason

LISTS_AT_ONCE = 250

MOST_SHOWN, MOST_SHOWN_IN_ALL = 50, 500


def find_stored_consequences(job: Job | None) -> Consequences | None:
    """Return what a job that looked ahead has found; None until it is done."""
    if job is None or job.state != Job.State.DONE or not job.result:
        return None
    return Consequences.from_record(job.result)


def find_consequences(draft: Edition, progress: ProgressCallback) -> Consequences:
    """Return what would happen to the lists of coming events.

    This assumes that the draft is published as it is. `progress` hears how many lists are behind us. A
    handful of queries for each 250 lists.
    """
    events = list(upcoming.get_source().events(draft.game))
    reached_events = {
        each.key: each for each in events if draft.holds(each.terms.rules_version, each.terms.on)
    }
    consequences = Consequences(
        unaffected=[_unaffected_reason(each, draft) for each in events if each.key not in reached_events]
    )
    today = timezone.localdate()
    affected_events = {
        k: AffectedEvent(each.name, each.terms.on or today, each.url) for k, each in reached_events.items()
    }
    judges = _make_checkers(draft)
    total, done_count = len(upcoming.get_source().list_ids(reached_events)), 0
    for lists in _chunks(upcoming.get_source().lists(reached_events)):
        for each, version in _with_versions(lists):
            _count_list(
                consequences,
                affected_events[each.occasion],
                each,
                version,
                reached_events[each.occasion],
                judges,
            )
        done_count += len(lists)
        progress(done_count, max(done_count, total), reason("lists_done", done=done_count, total=total))
    consequences.events = [event for event in affected_events.values() if event.lists]
    return consequences


def _make_checkers(draft: Edition) -> tuple[StoredListChecker, StoredListChecker]:
    """Make the judges under what is published, and under the draft beside it."""
    catalogue, editions = get_catalogue(draft.game), published_editions(draft.game)
    return StoredListChecker(catalogue, editions), StoredListChecker(catalogue, (*editions, draft))


def _unaffected_reason(occasion: UpcomingEvent, draft: Edition) -> Reason:
    terms = occasion.terms
    if draft.versions and terms.rules_version not in draft.versions:
        return reason("event_under_other_rules", event=occasion.name, rules=terms.rules_version)
    day = describe_day(terms.on) if terms.on else None
    return reason("event_before_edition", event=occasion.name, day=day)


def _chunks(lists: Iterable[UpcomingList]) -> Iterator[list[UpcomingList]]:
    each = iter(lists)
    while chunk := list(islice(each, LISTS_AT_ONCE)):
        yield chunk


def _with_versions(lists: Sequence[UpcomingList]) -> Iterator[tuple[UpcomingList, DeckVersion]]:
    """Return each list with the version that counts. Two queries."""
    versions = {version.pk: version for version in load_versions([each.version_id for each in lists])}
    return ((each, versions[each.version_id]) for each in lists if each.version_id in versions)


def _count_list(
    consequences: Consequences,
    event: AffectedEvent,
    each: UpcomingList,
    version: DeckVersion,
    occasion: UpcomingEvent,
    judges: tuple[StoredListChecker, StoredListChecker],
) -> None:
    """Judge a list under both and count what comes of it."""
    event.lists += 1
    try:
        affected_list = _affected_list(each, version, occasion, judges)
    except (rules.UnknownFormat, rules.BadOverlay):
        consequences.unjudged += 1
        return
    if affected_list is None:
        return
    event.broken += affected_list.is_worse
    event.mended += not affected_list.is_worse
    if len(event.shown) < MOST_SHOWN and consequences.shown_count < MOST_SHOWN_IN_ALL:
        event.shown.append(affected_list)
        consequences.shown_count += 1


def _affected_list(
    each: UpcomingList,
    version: DeckVersion,
    occasion: UpcomingEvent,
    judges: tuple[StoredListChecker, StoredListChecker],
) -> AffectedList | None:
    reread_list = to_reread_list(version)
    before, after = (judge.check(reread_list, occasion.terms) for judge in judges)
    change = compare_verdicts(before, after)
    new_findings = [*change.new, *(pair.after for pair in change.changed)]
    new, resolved_rows = (
        tuple(CitedFinding.of(finding) for finding in findings if finding.severity != "note")
        for findings in (new_findings, change.gone)
    )
    if not new and not resolved_rows and before.outcome == after.outcome:
        return None
    url = upcoming.get_source().list_url(occasion, each.number)
    return AffectedList(each.owner, url, before.outcome, after.outcome, new, resolved_rows, change.is_worse)


@dataclass(frozen=True, slots=True)
class RecheckProgress(Published):
    """The progress of a recheck.

    Holds how many lists are checked, how many of these are broken or fixed by it, and how many parts stopped.
    """

    PUBLISHED = ("recheck", "state", "progress", "percent", "done", "news", "mended", "failed")

    recheck: Recheck
    done: int
    news: int
    mended: int
    failed: int

    @property
    def is_open(self) -> bool:
        """Whether workers may still be at it."""
        return self.recheck.ended_at is None

    @property
    def state(self) -> Literal["open", "done", "cancelled"]:
        """In a word."""
        if self.is_open:
            return "open"
        return "cancelled" if self.recheck.cancelled_at else "done"

    @property
    def percent(self) -> int | None:
        """From 0 to 100; None until the lists have been counted."""
        total = self.recheck.total
        return None if total is None else 100 if not total else min(100, 100 * self.done // total)

    @property
    def words(self) -> str:
        """Where it is, in a sentence."""
        return self.progress.sentence

    @property
    def progress(self) -> StatedReason:
        """Where it is, for programs and people."""
        return state_reason(self._stage)

    @property
    def _stage(self) -> Reason:
        total = self.recheck.total
        if self.recheck.cancelled_at is not None:
            return reason("recheck_cancelled", done=self.done, total=total or 0)
        if total is None:
            return reason("recheck_counting")
        if self.is_open:
            return reason("recheck_open", done=self.done, total=total)
        return reason("recheck_done", total=total, news=self.news, mended=self.mended)


def recheck_progress(recheck: Recheck) -> RecheckProgress:
    """Return how far the recheck has come. Three queries."""
    checked_count = recheck.parts.aggregate(done=Sum("checked_count"))["done"] or 0
    rows = Rechecked.objects.filter(recheck=recheck)
    totals = rows.aggregate(
        news=Count("pk", filter=Q(brings_news=True)), mended=Count("pk", filter=Q(mends=True))
    )
    return RecheckProgress(recheck, checked_count, totals["news"], totals["mended"], count_failed(recheck))
