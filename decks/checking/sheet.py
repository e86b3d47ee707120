"""A checked list line by line.

Gives what each line is, what is said of it, and what can be pressed at it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from decks.checking.changes import ListChanges, TextChange
from decks.checking.questions import LineQuestion
from decks.matching.model import NOT_KNOWN
from decks.matching.reading import CheckedLine
from rules.finding import Finding

_SEVERITIES = {"error": "error", "unknown": "open", "warning": "open"}


@dataclass(frozen=True, slots=True)
class SheetLine:
    """A line with its `state`.

    The state is "ok", "error" (breaks a rule), "open" (not understood), "ask" (a question), "head" (a
    heading) or "" (nothing to say).
    """

    line: CheckedLine
    state: str
    says: str
    question: LineQuestion | None
    changes: tuple[TextChange, ...]

    @property
    def number(self) -> int:
        return self.line.number


def build_sheet(
    lines: Iterable[tuple[CheckedLine, LineQuestion | None]],
    findings: Sequence[Finding],
    changes: ListChanges,
) -> list[SheetLine]:
    """Return the lines of a checked list, each with its question, for the page."""
    findings_by_line, every = _find_by_line(findings), list(lines)
    copies = _count_copies(line for line, _ in every)
    return [
        SheetLine(
            line,
            _state_of(line, findings_by_line.get(line.number, ())),
            _say_of(line, findings_by_line.get(line.number, ()), copies),
            question,
            tuple(_changes_at(line, findings_by_line.get(line.number, ()), changes)),
        )
        for line, question in every
    ]


def _count_copies(lines: Iterable[CheckedLine]) -> Mapping[str, int]:
    """Count the copies of each card, wherever it is."""
    copies: dict[str, int] = {}
    for line in lines:
        if line.card_key and line.zone not in ("aside", "pool"):
            copies[line.card_key] = copies.get(line.card_key, 0) + (line.qty or 0)
    return copies


def _find_by_line(findings: Sequence[Finding]) -> Mapping[int, list[Finding]]:
    by_line: dict[int, list[Finding]] = {}
    for finding in findings:
        if finding.severity in _SEVERITIES:
            for line in finding.lines:
                by_line.setdefault(line, []).append(finding)
    return by_line


def _changes_at(line: CheckedLine, findings: Sequence[Finding], changes: ListChanges) -> Iterator[TextChange]:
    yield from changes.get_cards(line.number)
    for finding in findings:
        fix = changes.fixes.get(finding.rule)
        for part in fix.parts if fix else ():
            if any(edit.line in changes.get_lines(line.number) for edit in part.edits):
                yield part


def _state_of(line: CheckedLine, findings: Sequence[Finding]) -> str:
    if line.is_question or line.status in ("ambiguous", "conflict"):
        return "ask"
    if line.kind == "section":
        return "head"
    if not line.is_resolved:
        return "open"
    severities = {_SEVERITIES[each.severity] for each in findings}
    if severities:
        return "error" if "error" in severities else "open"
    return "ok" if line.kind == "card" else ""


def _say_of(line: CheckedLine, findings: Sequence[Finding], copies: Mapping[str, int]) -> str:
    if line.status == "ambiguous" and line.kind == "card" and line.suggestions and line.other_qty is None:
        cards = len({each.card_key for each in line.suggestions})
        words = ngettext("Which card is it?", "%(cards)s cards share this name", cards)
        return words % {"cards": cards}
    is_name_known = any(each.code.startswith("version_unknown") for each in line.reasons)
    if line.kind == "card" and line.status in NOT_KNOWN and not (line.is_resolved or is_name_known):
        return gettext("No card with this name")
    if not line.is_resolved:
        return " ".join(line.notes)
    return next(_say_findings(findings, copies.get(line.card_key or "", 0)), "")


def _say_findings(findings: Sequence[Finding], copies: int) -> Iterator[str]:
    """Yield the text of the findings.

    It is short where the whole sentence is beside the line.
    """
    for finding in findings:
        limit = finding.limit
        if finding.code == "banned-card":
            yield gettext("Banned")
        elif finding.code == "too-many-copies" and type(limit) is int and copies > limit:
            yield gettext("%(copies)s copies, maximum %(limit)s") % {"copies": copies, "limit": limit}
        else:
            yield finding.message
