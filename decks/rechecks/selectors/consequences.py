"""What a draft edition would do to the lists of coming events: which of them it breaks or mends, and how.

Each list is judged twice from its stored cards, under what is published and under the draft as if it were, so
that nothing else than the draft can be the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any

import rules
from decks.catalogue.selectors.catalogue import catalogue
from decks.checking.judge import Judge
from decks.checking.result import WORDS
from decks.checking.verdict_change import difference
from decks.editions.selectors.editions import published
from decks.rechecks import upcoming as coming
from decks.rechecks.upcoming import ComingList, Occasion
from decks.submissions.models import DeckVersion
from decks.submissions.stored import stored_of
from rules import Edition

LISTS_AT_ONCE = 250
MOST_SHOWN, MOST_SHOWN_IN_ALL = 50, 500
LIGHT = ("pk", "outcome", "entries", "options")
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class TouchedList:
    """A list that the draft would break, mend or hit otherwise; findings as sentences with their clause."""

    owner: str
    url: str
    before: str
    after: str
    new: list[str]
    gone: list[str]
    is_worse: bool

    @property
    def words(self) -> tuple[str, str]:
        """The outcomes before and after, for people."""
        return WORDS[self.before], WORDS[self.after]


@dataclass(slots=True)
class TouchedEvent:
    """A coming event: how many lists it has, how many would break or be mended, and the first of these."""

    name: str
    day: str
    url: str
    lists: int = 0
    broken: int = 0
    mended: int = 0
    shown: list[TouchedList] = field(default_factory=list)

    @property
    def left_out(self) -> int:
        """Lists that are counted but not shown."""
        return self.broken + self.mended - len(self.shown)


@dataclass(slots=True)
class Consequences:
    """What a draft would do. `unaffected` names events with lists that it does not reach, and why."""

    events: list[TouchedEvent] = field(default_factory=list)
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

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Consequences:
        """The consequences as `to_json` stored them."""
        events = [
            TouchedEvent(**{**event, "shown": [TouchedList(**each) for each in event["shown"]]})
            for event in data["events"]
        ]
        return cls(events, list(data["unaffected"]), data["unjudged"], data["shown"])


def consequences_of(draft: Edition, progress: Progress) -> Consequences:
    """What would become of the lists of coming events if the draft were published as it is.

    `progress` hears how many lists are behind us. A handful of queries for each 250 lists.
    """
    occasions = list(coming.source().occasions(draft.game))
    reached = {each.key: each for each in occasions if draft.holds(each.terms.rules_version, each.terms.on)}
    found = Consequences(unaffected=[_why_not(each, draft) for each in occasions if each.key not in reached])
    events = {key: TouchedEvent(each.name, str(each.terms.on), each.url) for key, each in reached.items()}
    judges = _judges(draft)
    total, done = len(coming.source().list_ids(reached)), 0
    for lists in _chunks(coming.source().lists(reached)):
        for each, version in _with_versions(lists):
            _take(found, events[each.occasion], each, version, reached[each.occasion], judges)
        done += len(lists)
        progress(done, max(done, total), f"{done} of {total} lists")
    found.events = [event for event in events.values() if event.lists]
    return found


def _judges(draft: Edition) -> tuple[Judge, Judge]:
    """Judges under what is published, and under the draft beside it."""
    known, editions = catalogue(draft.game), published(draft.game)
    return Judge(known, editions), Judge(known, (*editions, draft))


def _why_not(occasion: Occasion, draft: Edition) -> str:
    terms = occasion.terms
    if draft.versions and terms.rules_version not in draft.versions:
        return f"{occasion.name} is held under rules {terms.rules_version}, which the edition is not for."
    return f"{occasion.name} is held on {terms.on:%d %B %Y}, before the edition is in force."


def _chunks(lists: Iterable[ComingList]) -> Iterator[list[ComingList]]:
    each = iter(lists)
    while chunk := list(islice(each, LISTS_AT_ONCE)):
        yield chunk


def _with_versions(lists: Sequence[ComingList]) -> Iterator[tuple[ComingList, DeckVersion]]:
    """Each list with the version that counts. Two queries; one that was legal comes without its lines."""
    rows = DeckVersion.objects.filter(pk__in=[each.version_id for each in lists])
    held = {row.pk: row for row in rows.filter(outcome="legal").only(*LIGHT)}
    held |= {row.pk: row for row in rows.exclude(outcome="legal").defer("source_text", "verdict")}
    return ((each, held[each.version_id]) for each in lists if each.version_id in held)


def _take(
    found: Consequences,
    event: TouchedEvent,
    each: ComingList,
    version: DeckVersion,
    occasion: Occasion,
    judges: tuple[Judge, Judge],
) -> None:
    """Judge a list under both and count what comes of it."""
    event.lists += 1
    try:
        touched = _touched(each, version, occasion, judges)
    except (rules.UnknownFormat, rules.BadOverlay):
        found.unjudged += 1
        return
    if touched is None:
        return
    event.broken += touched.is_worse
    event.mended += not touched.is_worse
    if len(event.shown) < MOST_SHOWN and found.shown < MOST_SHOWN_IN_ALL:
        event.shown.append(touched)
        found.shown += 1


def _touched(
    each: ComingList, version: DeckVersion, occasion: Occasion, judges: tuple[Judge, Judge]
) -> TouchedList | None:
    stored = stored_of(version)
    before, after = (judge.judge(stored, occasion.terms) for judge in judges)
    change = difference(before.verdict, after.verdict)
    told = [*change.new, *(pair.after for pair in change.changed)]
    new = [f"{finding.message} ({finding.clause})" for finding in told if finding.severity != "note"]
    gone = [f"{finding.message} ({finding.clause})" for finding in change.gone if finding.severity != "note"]
    if not new and not gone and before.outcome == after.outcome:
        return None
    url = coming.source().list_url(occasion, each.number)
    return TouchedList(each.owner, url, before.outcome, after.outcome, new, gone, change.is_worse)
