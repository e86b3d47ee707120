"""Effects of a draft edition on the lists of coming events.

They are given as computed and as stored in the result of a job.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import TypedDict

from decks.checking.result import format_outcome
from decks.matching.reading import reasons_from_json
from decks.shared.json_shapes import Published
from decks.shared.stated_reasons import StatedReason, state_reason
from decks.shared.wording import format_reason
from rules.finding import Finding, Outcome
from rules.reason import Reason, plain_reason, reason
from rules.rendering import render


class StoredFinding(TypedDict):
    """The sentence and the clause of a finding, as the result of a job stores them."""

    reasons: list[dict[str, object]]
    clause: str


class StoredList(TypedDict):
    """An `AffectedList` as a job's result holds it.

    From before their codes, findings are sentences.
    """

    owner: str
    url: str
    before: Outcome
    after: Outcome
    new: list[StoredFinding | str]
    gone: list[StoredFinding | str]
    is_worse: bool


class StoredEvent(TypedDict):
    """An `AffectedEvent` as a job's result holds it."""

    name: str
    day: str
    url: str
    lists: int
    broken: int
    mended: int
    shown: list[StoredList]


class StoredConsequences(TypedDict):
    """`Consequences` as a job's result holds them."""

    events: list[StoredEvent]
    unaffected: list[object]
    unjudged: int


@dataclass(frozen=True, slots=True)
class CitedFinding(Published):
    """The reasons of a finding, with its clause.

    Rows older than the codes have the clause in the sentence.
    """

    PUBLISHED = {"reasons": "stated_reasons", "clause": "clause"}

    reasons: tuple[Reason, ...]
    clause: str = ""

    @classmethod
    def of(cls, finding: Finding) -> CitedFinding:
        return cls(finding.reasons, finding.clause)

    @classmethod
    def from_record(cls, record: StoredFinding | str) -> CitedFinding:
        """Return the finding as `to_record` stored it."""
        if isinstance(record, str):
            return cls((plain_reason(record),))
        return cls(reasons_from_json(record["reasons"]), record["clause"])

    def to_record(self) -> StoredFinding:
        """Return the finding as it is stored, without words."""
        return {"reasons": [each.to_json() for each in self.reasons], "clause": self.clause}

    @property
    def stated_reasons(self) -> list[StatedReason]:
        """What it says, for programs and people."""
        return [state_reason(each, section="finding") for each in self.reasons]

    @property
    def words(self) -> str:
        """Return what it says, with its clause."""
        message = render("finding", *self.reasons)
        return f"{message} ({self.clause})" if self.clause else message


@dataclass(frozen=True, slots=True)
class AffectedList(Published):
    """A list that the draft would break, fix or hit otherwise."""

    owner: str
    url: str
    before: Outcome
    after: Outcome
    new: tuple[CitedFinding, ...]
    gone: tuple[CitedFinding, ...]
    is_worse: bool

    @classmethod
    def from_record(cls, record: StoredList) -> AffectedList:
        """Return the list as `to_record` stored it."""
        new, gone_findings = (
            tuple(map(CitedFinding.from_record, records)) for records in (record["new"], record["gone"])
        )
        outcomes = record["before"], record["after"]
        return cls(record["owner"], record["url"], *outcomes, new, gone_findings, record["is_worse"])

    def to_record(self) -> StoredList:
        """Return the list as it is stored, without words."""
        return {
            "owner": self.owner,
            "url": self.url,
            "before": self.before,
            "after": self.after,
            "new": [each.to_record() for each in self.new],
            "gone": [each.to_record() for each in self.gone],
            "is_worse": self.is_worse,
        }

    @property
    def new_words(self) -> list[str]:
        """The new findings, a sentence each."""
        return [each.words for each in self.new]

    @property
    def gone_words(self) -> list[str]:
        """The findings that are gone, a sentence each."""
        return [each.words for each in self.gone]

    @property
    def words(self) -> tuple[str, str]:
        """The outcomes before and after, for people."""
        return format_outcome(self.before), format_outcome(self.after)


@dataclass(slots=True)
class AffectedEvent(Published):
    """A coming event.

    Holds how many lists it has, how many would break or be fixed, and the first of these.
    """

    name: str
    day: date
    url: str
    lists: int = 0
    broken: int = 0
    mended: int = 0
    shown: list[AffectedList] = field(default_factory=list)

    @classmethod
    def from_record(cls, record: StoredEvent) -> AffectedEvent:
        """Return the event as `to_record` stored it."""
        shown_lists = [AffectedList.from_record(each) for each in record["shown"]]
        counts = record["lists"], record["broken"], record["mended"]
        return cls(record["name"], date.fromisoformat(record["day"]), record["url"], *counts, shown_lists)

    def to_record(self) -> StoredEvent:
        """Return the event as it is stored, without words."""
        return {
            "name": self.name,
            "day": self.day.isoformat(),
            "url": self.url,
            "lists": self.lists,
            "broken": self.broken,
            "mended": self.mended,
            "shown": [each.to_record() for each in self.shown],
        }

    @property
    def left_out(self) -> int:
        """Lists that are counted but not shown."""
        return self.broken + self.mended - len(self.shown)

    @property
    def words(self) -> str:
        """Return what becomes of its lists: “2 of 9 would break, 1 legal again”."""
        counts = reason("lists_affected", broken=self.broken, lists=self.lists, mended=self.mended)
        return format_reason("reason", counts)


@dataclass(slots=True)
class Consequences(Published):
    """The effects of a draft.

    `unaffected` names events with lists that it does not reach, and why.
    """

    PUBLISHED = {"events": "events", "unaffected": "stated_unaffected", "unjudged": "unjudged"}

    events: list[AffectedEvent] = field(default_factory=list)
    unaffected: list[Reason] = field(default_factory=list)
    unjudged: int = 0
    shown_count: int = 0

    @property
    def lists(self) -> int:
        return sum(event.lists for event in self.events)

    @property
    def broken_count(self) -> int:
        return sum(event.broken for event in self.events)

    @property
    def fixed_count(self) -> int:
        return sum(event.mended for event in self.events)

    @property
    def unaffected_words(self) -> list[str]:
        """Why the draft does not reach an event, a sentence each."""
        return [format_reason("reason", why) for why in self.unaffected]

    @property
    def stated_unaffected(self) -> list[StatedReason]:
        """Why the draft does not reach an event, for programs and people."""
        return [state_reason(why) for why in self.unaffected]

    @classmethod
    def from_record(cls, record: StoredConsequences) -> Consequences:
        """Return the consequences as `to_record` stored them."""
        events = [AffectedEvent.from_record(event) for event in record["events"]]
        shown_count = sum(len(event.shown) for event in events)
        return cls(events, list(reasons_from_json(record["unaffected"])), record["unjudged"], shown_count)

    def to_record(self) -> StoredConsequences:
        """Return the consequences as a job's result holds them, without words."""
        return {
            "events": [event.to_record() for event in self.events],
            "unaffected": [why.to_json() for why in self.unaffected],
            "unjudged": self.unjudged,
        }
