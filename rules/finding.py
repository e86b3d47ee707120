"""Findings of checks, fixes, and the verdict they add up to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeVar

_T = TypeVar("_T")

Severity = Literal["error", "unknown", "warning", "note"]

Outcome = Literal["legal", "illegal", "unknown"]

ORDER: Mapping[str, int] = {"error": 0, "unknown": 1, "warning": 2, "note": 3}


class Change(NamedTuple):
    """One step of a fix: add or remove `qty` cards in a zone.

    `card` is the key of the card to take out or put in; None means any card that fits `wanted`, facts that
    the added card must have (`{"type": "character"}`). An option is fixed with action "set": `wanted` then
    holds the option and the value it should have (None: whatever is true).
    """

    action: Literal["add", "remove", "set"]
    zone: str
    qty: int
    card: str | None = None
    wanted: Mapping[str, object] | None = None

    def to_json(self) -> dict[str, object]:
        wanted = None if self.wanted is None else dict(self.wanted)
        return {
            "action": self.action,
            "zone": self.zone,
            "qty": self.qty,
            "card": self.card,
            "wanted": wanted,
        }


class Fix(NamedTuple):
    """The smallest change that fixes a finding, as a sentence and as steps."""

    sentence: str
    changes: tuple[Change, ...] = ()

    def to_json(self) -> dict[str, object]:
        return {"sentence": self.sentence, "changes": [change.to_json() for change in self.changes]}


class MissingFact(NamedTuple):
    """A fact that a verdict waits for: `fact` of the card (by key), or of the list itself (card None)."""

    fact: str
    card: str | None = None
    name: str | None = None

    def to_json(self) -> dict[str, object]:
        return {"fact": self.fact, "card": self.card, "name": self.name}


class Finding(NamedTuple):
    """One thing that a rule has to say about a list.

    `rule` is the row of the rules digest, `clause`, `document` and `version` say where it is written, `code`
    is stable for programs and `message` a sentence for people. `cards` are keys, `lines` lines of the list.
    `follows_from` names the rule whose breach brings this one with it; `overlay` the local rules that
    changed it.
    """

    rule: str
    clause: str
    document: str
    version: str
    code: str
    severity: Severity
    message: str
    cards: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    limit: object = None
    found: object = None
    fix: Fix | None = None
    follows_from: str | None = None
    facts: tuple[MissingFact, ...] = ()
    overlay: str | None = None

    def to_json(self) -> dict[str, object]:
        return {
            "rule": self.rule,
            "clause": self.clause,
            "document": self.document,
            "version": self.version,
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "cards": list(self.cards),
            "lines": list(self.lines),
            "limit": self.limit,
            "found": self.found,
            "fix": self.fix.to_json() if self.fix else None,
            "follows_from": self.follows_from,
            "facts": [fact.to_json() for fact in self.facts],
            "overlay": self.overlay,
        }

    def joined(self, other: Finding) -> Finding:
        """Both as one, for a rule that is broken in two places: it is still reported once."""
        return self._replace(
            message=f"{self.message} {other.message}",
            cards=_union(self.cards, other.cards),
            lines=_union(self.lines, other.lines),
            fix=_joined_fix(self.fix, other.fix),
            facts=_union(self.facts, other.facts),
            follows_from=self.follows_from or other.follows_from,
            overlay=self.overlay or other.overlay,
        )


def _union(first: tuple[_T, ...], second: tuple[_T, ...]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _joined_fix(first: Fix | None, second: Fix | None) -> Fix | None:
    if first is None or second is None:
        return first or second
    return Fix(f"{first.sentence} {second.sentence}", (*first.changes, *second.changes))


class Verdict(NamedTuple):
    """The judgement of one list, with everything it rests on.

    `editions` names the dated lists that were in force, `overlay` the local rules, if any.
    """

    outcome: Outcome
    findings: tuple[Finding, ...]
    game: str
    format: str
    version: str
    document: str
    editions: tuple[str, ...] = ()
    overlay: str | None = None

    @property
    def unknowns(self) -> tuple[MissingFact, ...]:
        """Every fact that was missed, in the order of the findings."""
        return tuple(dict.fromkeys(fact for finding in self.findings for fact in finding.facts))

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The broken rules alone."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

    def to_json(self) -> dict[str, object]:
        return {
            "verdict": self.outcome,
            "game": self.game,
            "format": self.format,
            "rules": self.version,
            "document": self.document,
            "editions": list(self.editions),
            "overlay": self.overlay,
            "unknowns": [fact.to_json() for fact in self.unknowns],
            "findings": [finding.to_json() for finding in self.findings],
        }


def format_verdict(verdict: Verdict) -> str:
    """A verdict as text: the outcome, what it was judged under, and each finding with its fix."""
    outcome = {"unknown": "cannot be checked"}.get(verdict.outcome, verdict.outcome)
    under = f"{verdict.game} {verdict.format}, {verdict.document}"
    local = [f"  Local rules: {verdict.overlay}."] if verdict.overlay else []
    lists = [f"  Lists: {'; '.join(verdict.editions)}."] if verdict.editions else []
    return "\n".join([f"{outcome} ({under})", *local, *lists, *map(_format_finding, verdict.findings)])


def _format_finding(finding: Finding) -> str:
    lines = f" (line {', '.join(map(str, finding.lines))})" if finding.lines else ""
    cited = f"[{finding.rule}, {finding.clause}, {finding.document}]"
    headline = f"  {finding.severity}: {finding.message}{lines} {cited}"
    mend = [f"    {finding.fix.sentence}"] if finding.fix else []
    cause = [f"    It follows from {finding.follows_from}."] if finding.follows_from else []
    return "\n".join([headline, *cause, *mend])
