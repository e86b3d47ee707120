"""What a draft edition would do to upcoming lists, and how far a recheck has come.

Each list is judged twice from its stored cards, under what is published and under the draft as if it were, so
that nothing else than the draft can be the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Any, Literal

from django.db.models import Count, Q, Sum
from django.utils import timezone

import rules
from decks.catalogue.selectors import get_catalogue
from decks.checking.check import StoredListChecker
from decks.checking.result import OUTCOME_LABELS, compare_verdicts
from decks.editions.selectors.editions import published_editions
from decks.rechecks import upcoming
from decks.rechecks.chain import count_failed
from decks.rechecks.models import Recheck
from decks.rechecks.upcoming import ProgressCallback, UpcomingEvent, UpcomingList
from decks.shared.json_shapes import Published
from decks.submissions.models import DeckVersion, Rechecked
from decks.submissions.selectors import load_versions, to_stored_list
from rules import Edition
from rules.finding import Outcome

LISTS_AT_ONCE = 250

MOST_SHOWN, MOST_SHOWN_IN_ALL = 50, 500


@dataclass(frozen=True, slots=True)
class AffectedList(Published):
    """A list that the draft would break, fix or hit otherwise; findings as sentences with their clause."""

    owner: str
    url: str
    before: Outcome
    after: Outcome
    new: list[str]
    gone: list[str]
    is_worse: bool

    @property
    def words(self) -> tuple[str, str]:
        """The outcomes before and after, for people."""
        return OUTCOME_LABELS[self.before], OUTCOME_LABELS[self.after]


@dataclass(slots=True)
class AffectedEvent(Published):
    """A coming event: how many lists it has, how many would break or be fixed, and the first of these."""

    name: str
    day: date
    url: str
    lists: int = 0
    broken: int = 0
    mended: int = 0
    shown: list[AffectedList] = field(default_factory=list)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> AffectedEvent:
        """The event as `to_json` stored it."""
        shown = [AffectedList(**each) for each in data["shown"]]
        return cls(**{**data, "day": date.fromisoformat(data["day"]), "shown": shown})

    @property
    def left_out(self) -> int:
        """Lists that are counted but not shown."""
        return self.broken + self.mended - len(self.shown)

    @property
    def words(self) -> str:
        """What becomes of its lists: “2 of 9 would break, 1 mended”."""
        broken = f"{self.broken} of" if self.broken else "none of"
        mended = f", {self.mended} mended" if self.mended else ""
        return f"{broken} {self.lists} would break{mended}"


@dataclass(slots=True)
class Consequences(Published):
    """What a draft would do. `unaffected` names events with lists that it does not reach, and why."""

    PUBLISHED = ("events", "unaffected", "unjudged")

    events: list[AffectedEvent] = field(default_factory=list)
    unaffected: list[str] = field(default_factory=list)
    unjudged: int = 0
    shown: int = 0

    @property
    def lists(self) -> int:
        return sum(event.lists for event in self.events)

    @property
    def broken(self) -> int:
        return sum(event.broken for event in self.events)

    @property
    def mended(self) -> int:
        return sum(event.mended for event in self.events)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Consequences:
        """The consequences as `to_json` stored them."""
        events = [AffectedEvent.from_json(event) for event in data["events"]]
        shown = sum(len(event.shown) for event in events)
        return cls(events, list(data["unaffected"]), data["unjudged"], shown)


def find_consequences(draft: Edition, progress: ProgressCallback) -> Consequences:
    """What would become of the lists of coming events if the draft were published as it is.

    `progress` hears how many lists are behind us. A handful of queries for each 250 lists.
    """
    events = list(upcoming.get_source().events(draft.game))
    reached = {each.key: each for each in events if draft.holds(each.terms.rules_version, each.terms.on)}
    consequences = Consequences(
        unaffected=[_unaffected_reason(each, draft) for each in events if each.key not in reached]
    )
    today = timezone.localdate()
    affected = {k: AffectedEvent(each.name, each.terms.on or today, each.url) for k, each in reached.items()}
    judges = _make_checkers(draft)
    total, done = len(upcoming.get_source().list_ids(reached)), 0
    for lists in _chunks(upcoming.get_source().lists(reached)):
        for each, version in _with_versions(lists):
            _count_list(consequences, affected[each.occasion], each, version, reached[each.occasion], judges)
        done += len(lists)
        progress(done, max(done, total), f"{done} of {total} lists")
    consequences.events = [event for event in affected.values() if event.lists]
    return consequences


def _make_checkers(draft: Edition) -> tuple[StoredListChecker, StoredListChecker]:
    """Judges under what is published, and under the draft beside it."""
    known, editions = get_catalogue(draft.game), published_editions(draft.game)
    return StoredListChecker(known, editions), StoredListChecker(known, (*editions, draft))


def _unaffected_reason(occasion: UpcomingEvent, draft: Edition) -> str:
    terms = occasion.terms
    if draft.versions and terms.rules_version not in draft.versions:
        return f"{occasion.name} is held under rules {terms.rules_version}, which the edition is not for."
    return f"{occasion.name} is held on {terms.on:%d %B %Y}, before the edition is in force."


def _chunks(lists: Iterable[UpcomingList]) -> Iterator[list[UpcomingList]]:
    each = iter(lists)
    while chunk := list(islice(each, LISTS_AT_ONCE)):
        yield chunk


def _with_versions(lists: Sequence[UpcomingList]) -> Iterator[tuple[UpcomingList, DeckVersion]]:
    """Each list with the version that counts. Two queries."""
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
        touched = _affected_list(each, version, occasion, judges)
    except (rules.UnknownFormat, rules.BadOverlay):
        consequences.unjudged += 1
        return
    if touched is None:
        return
    event.broken += touched.is_worse
    event.mended += not touched.is_worse
    if len(event.shown) < MOST_SHOWN and consequences.shown < MOST_SHOWN_IN_ALL:
        event.shown.append(touched)
        consequences.shown += 1


def _affected_list(
    each: UpcomingList,
    version: DeckVersion,
    occasion: UpcomingEvent,
    judges: tuple[StoredListChecker, StoredListChecker],
) -> AffectedList | None:
    stored = to_stored_list(version)
    before, after = (judge.check(stored, occasion.terms) for judge in judges)
    change = compare_verdicts(before, after)
    new_findings = [*change.new, *(pair.after for pair in change.changed)]
    new = [f"{finding.message} ({finding.clause})" for finding in new_findings if finding.severity != "note"]
    resolved = [
        f"{finding.message} ({finding.clause})" for finding in change.gone if finding.severity != "note"
    ]
    if not new and not resolved and before.outcome == after.outcome:
        return None
    url = upcoming.get_source().list_url(occasion, each.number)
    return AffectedList(each.owner, url, before.outcome, after.outcome, new, resolved, change.is_worse)


@dataclass(frozen=True, slots=True)
class RecheckProgress(Published):
    """How many lists are checked, how many of these are broken or fixed by it, how many parts stopped."""

    PUBLISHED = ("recheck", "state", "words", "percent", "done", "news", "mended", "failed")

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
        total = self.recheck.total
        if self.recheck.cancelled_at is not None:
            return f"Cancelled after {self.done} of {total or 0} lists."
        if total is None:
            return "The lists are being counted."
        if self.is_open:
            return f"{self.done} of {total} lists are checked."
        need = "1 needs" if self.news == 1 else f"{self.news} need"
        mended = f", {self.mended} {'is' if self.mended == 1 else 'are'} legal again" if self.mended else ""
        return f"{total} list{'' if total == 1 else 's'} checked, {need} mending{mended}."


def recheck_progress(recheck: Recheck) -> RecheckProgress:
    """How far the recheck has come. Three queries."""
    done = recheck.parts.aggregate(done=Sum("checked"))["done"] or 0
    rows = Rechecked.objects.filter(recheck=recheck)
    totals = rows.aggregate(
        news=Count("pk", filter=Q(brings_news=True)), mended=Count("pk", filter=Q(mends=True))
    )
    return RecheckProgress(recheck, done, totals["news"], totals["mended"], count_failed(recheck))
