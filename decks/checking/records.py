"""Verdicts as they are stored.

Rows from before there were reasons have sentences in their place.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NotRequired, TypedDict

from decks.matching.reading import reasons_from_json
from rules.finding import Change, Finding, Fix, MissingFact, Outcome, Severity, Verdict
from rules.reason import Reason, plain_reason


class ChangeRecord(TypedDict):
    """One step of a fix."""

    action: Literal["add", "remove", "set"]
    zone: str
    qty: int
    card: str | None
    wanted: dict[str, object] | None


class FixRecord(TypedDict):
    """The smallest change that fixes a finding."""

    changes: list[ChangeRecord]
    reasons: NotRequired[list[object]]
    sentence: NotRequired[str]


class FactRecord(TypedDict):
    """A fact that a verdict waits for."""

    fact: str
    card: str | None
    name: str | None
    detail: NotRequired[str | int | None]


class FindingRecord(TypedDict):
    """A finding of a rule about a list."""

    rule: str
    clause: str
    document: str
    version: str
    code: str
    severity: Severity
    reasons: NotRequired[list[object]]
    message: NotRequired[str]
    cards: list[str]
    lines: list[int]
    limit: object
    found: object
    fix: FixRecord | None
    follows_from: str | None
    facts: list[FactRecord]
    overlay: NotRequired[str | None]


class VerdictRecord(TypedDict):
    """The judgment of one list."""

    verdict: Outcome
    findings: list[FindingRecord]
    game: str
    format: str
    rules: str
    document: str
    editions: list[object]
    overlay: str | None


def verdict_from_json(data: VerdictRecord) -> Verdict:
    """Return the verdict that `Verdict.to_record` stored."""
    return Verdict(
        outcome=data["verdict"],
        findings=tuple(_to_finding(each) for each in data["findings"]),
        game=data["game"],
        format=data["format"],
        version=data["rules"],
        document=data["document"],
        editions=reasons_from_json(data["editions"]),
        overlay=data["overlay"],
    )


def _to_finding(data: FindingRecord) -> Finding:
    return Finding(
        rule=data["rule"],
        clause=data["clause"],
        document=data["document"],
        version=data["version"],
        code=data["code"],
        severity=data["severity"],
        reasons=_reasons(data.get("reasons"), data.get("message", "")),
        cards=tuple(data["cards"]),
        lines=tuple(data["lines"]),
        limit=data["limit"],
        found=data["found"],
        repair=_fix(data["fix"]) if data["fix"] else None,
        follows_from=data["follows_from"],
        facts=tuple(MissingFact(**fact) for fact in data["facts"]),
        overlay=data.get("overlay"),
    )


def _to_change(data: ChangeRecord) -> Change:
    return Change(data["action"], data["zone"], data["qty"], data.get("card"), data.get("wanted"))


def _fix(data: FixRecord) -> Fix:
    changes = tuple(map(_to_change, data["changes"]))
    return Fix(_reasons(data.get("reasons"), data.get("sentence", "")), changes)


def _reasons(records: Sequence[object] | None, sentence: str) -> tuple[Reason, ...]:
    """Return the stored reasons.

    For a row that is older than its codes, return the stored sentence.
    """
    return (plain_reason(sentence),) if records is None else reasons_from_json(records)
