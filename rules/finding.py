"""Findings of checks, fixes, and the verdict they add up to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations
from typing import Literal, NamedTuple, Protocol, TypeVar

from rules.reason import Param, Reason
from rules.rendering import get_messages, render, say, translate_text

_T = TypeVar("_T")

Severity = Literal["error", "unknown", "warning", "note"]

Outcome = Literal["legal", "illegal", "unknown"]

ORDER: Mapping[str, int] = {"error": 0, "unknown": 1, "warning": 2, "note": 3}


@dataclass(frozen=True, slots=True)
class Change:
    """One step of a fix: add or remove `qty` cards in a zone.

    `card` is the key of the card to take out or put in; None means any card that fits `wanted_facts`, facts
    that the added card must have (`{"type": "character"}`). An option is fixed with action "set":
    `wanted_facts` then holds the option and the value it should have (None: whatever is true).
    """

    action: Literal["add", "remove", "set"]
    zone: str
    qty: int
    card: str | None = None
    wanted_facts: Mapping[str, object] | None = None

    def to_json(self) -> dict[str, object]:
        wanted_facts = None if self.wanted_facts is None else dict(self.wanted_facts)
        return {
            "action": self.action,
            "zone": self.zone,
            "qty": self.qty,
            "card": self.card,
            "wanted": wanted_facts,
        }


@dataclass(frozen=True, slots=True)
class Fix:
    """The smallest change that fixes a finding.

    It is given as reasons to be put into words and as steps.
    """

    reasons: tuple[Reason, ...] = ()
    changes: tuple[Change, ...] = ()

    @property
    def sentence(self) -> str:
        """Return what to do, in words."""
        return render("fix", *self.reasons)

    def then(self, code: str, changes: Iterable[Change] = (), /, **params: Param) -> Fix:
        """Return this fix followed by one more step."""
        return Fix((*self.reasons, Reason(code, params)), (*self.changes, *changes))

    def to_json(self) -> dict[str, object]:
        return {"sentence": self.sentence, **self.to_record()}

    def parts(self) -> set[tuple[str, str]]:
        """Return what it changes.

        Cards that it takes out, options, and zones that it leaves with another size.
        """
        sizes: dict[str, int] = {}
        changed_parts: set[tuple[str, str]] = set()
        for change in self.changes:
            if change.action == "set":
                changed_parts |= {("option", name) for name in change.wanted_facts or ()}
            else:
                sign = 1 if change.action == "add" else -1
                sizes[change.zone] = sizes.get(change.zone, 0) + sign * change.qty
            if change.action == "remove" and change.card is not None:
                changed_parts.add(("card", change.card))
        return changed_parts | {("zone", zone) for zone, qty in sizes.items() if qty}

    def to_record(self) -> dict[str, object]:
        """Return the fix as it is stored, without words."""
        return {
            "changes": [change.to_json() for change in self.changes],
            "reasons": [reason.to_json() for reason in self.reasons],
        }


class DeferredFix:
    """A fix that is computed when it is first read.

    The reason is that most verdicts are counted or compared, not shown.
    """

    __slots__ = ("_args", "_fix", "_make")

    def __init__(self, make: Callable[..., Fix], *args: object) -> None:
        self._make = make
        self._args = args
        self._fix: Fix | None = None

    @property
    def fix(self) -> Fix:
        """The fix, worked out once."""
        if self._fix is None:
            self._fix = self._make(*self._args)
        return self._fix

    def __eq__(self, other: object) -> bool:
        return self.fix == (other.fix if isinstance(other, DeferredFix) else other)

    def __hash__(self) -> int:
        return hash(self.fix)


Repair = Fix | DeferredFix


def step(code: str, /, **params: Param) -> Reason:
    """Return one sentence of a fix, by the code of its message."""
    return Reason(code, params)


def build_fix(code: str, changes: Iterable[Change] = (), /, **params: Param) -> Fix:
    """Return a fix of one sentence, by the code of its message."""
    return Fix((Reason(code, params),), tuple(changes))


@dataclass(frozen=True, slots=True)
class MissingFact:
    """A fact that a verdict waits for.

    It is the `fact` of the card (by key), or of the list itself (card None). `fact` is the name of a fact as
    catalogues write it, or the code of a message; `detail` is its parameter.
    """

    fact: str
    card: str | None = None
    name: str | None = None
    detail: str | int | None = None

    @property
    def words(self) -> str:
        """The fact in words; one of a catalogue by its name there."""
        is_code = get_messages().find("fact", self.fact) is not None
        if is_code:
            return render("fact", Reason(self.fact, {"detail": self.detail}))
        return translate_text(self.fact)

    def to_json(self) -> dict[str, object]:
        return {**self.to_record(), "fact": self.words, "code": self.fact}

    def to_record(self) -> dict[str, object]:
        """Return the fact as it is stored, without words."""
        return {"fact": self.fact, "card": self.card, "name": self.name, "detail": self.detail}


# A named tuple: making one takes 0.5 microseconds, as a frozen dataclass 2, and each list has several.
class Finding(NamedTuple):
    """One thing that a rule has to say about a list.

    `rule` is the row of the rules digest, `clause`, `document` and `version` say where it is written, `code`
    is stable for programs and `reasons` are the sentences for people, each a code of the section `finding`
    with its parameters. `cards` are keys, `lines` lines of the list. `repair` is the fix, or what works it
    out. `follows_from` names the rule whose breach brings this one with it; `overlay` the local rules that
    changed it.
    """

    rule: str
    clause: str
    document: str
    version: str
    code: str
    severity: Severity
    reasons: tuple[Reason, ...]
    cards: tuple[str, ...] = ()
    lines: tuple[int, ...] = ()
    limit: object = None
    found: object = None
    repair: Repair | None = None
    follows_from: str | None = None
    facts: tuple[MissingFact, ...] = ()
    overlay: str | None = None

    @property
    def fix(self) -> Fix | None:
        """The smallest change that fixes the finding."""
        return self.repair.fix if isinstance(self.repair, DeferredFix) else self.repair

    @property
    def message(self) -> str:
        """Return what the rule has to say, in words."""
        return render("finding", *self.reasons)

    def to_json(self) -> dict[str, object]:
        words = {
            "message": self.message,
            "fix": self.fix.to_json() if self.fix else None,
            "facts": [fact.to_json() for fact in self.facts],
        }
        return {**self.to_record(), **words}

    def to_record(self) -> dict[str, object]:
        """Return the finding as it is stored, without words."""
        return {
            "rule": self.rule,
            "clause": self.clause,
            "document": self.document,
            "version": self.version,
            "code": self.code,
            "severity": self.severity,
            "reasons": [reason.to_json() for reason in self.reasons],
            "cards": list(self.cards),
            "lines": list(self.lines),
            "limit": self.limit,
            "found": self.found,
            "fix": self.fix.to_record() if self.fix else None,
            "follows_from": self.follows_from,
            "facts": [fact.to_record() for fact in self.facts],
            "overlay": self.overlay,
        }

    def merged_with(self, other: Finding) -> Finding:
        """Return both findings as one, for a rule that is broken in two places.

        The rule is still reported once.
        """
        return self._replace(
            reasons=(*self.reasons, *other.reasons),
            cards=_union(self.cards, other.cards),
            lines=tuple(sorted({*self.lines, *other.lines})),
            repair=_join_repairs(self.repair, other.repair),
            facts=_union(self.facts, other.facts),
            follows_from=self.follows_from or other.follows_from,
            overlay=self.overlay or other.overlay,
        )


# As `Finding`, from a tuple of all fields: makes one in half the time.
make_finding = partial(tuple.__new__, Finding)


def _union(first: tuple[_T, ...], second: tuple[_T, ...]) -> tuple[_T, ...]:
    return tuple(dict.fromkeys((*first, *second)))


def _join_repairs(first: Repair | None, second: Repair | None) -> Repair | None:
    if first is None or second is None:
        return first or second
    return DeferredFix(_join_fixes, first, second)


def _join_fixes(*repairs: Repair) -> Fix:
    first, second = (each.fix if isinstance(each, DeferredFix) else each for each in repairs)
    return Fix((*first.reasons, *second.reasons), (*first.changes, *second.changes))


class FixTrial(Protocol):
    """An object that tries the fixes of findings together."""

    def find_alternatives(self, findings: Iterable[Finding]) -> frozenset[str]:
        """Return the rules of the findings whose fixes conflict with other fixes."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgment of one list, with everything it depends on.

    `editions` names the dated lists that were in force, each as a part of a sentence; `overlay` the local
    rules, if any. `joint` tries fixes together; a stored verdict has none, and compares what they change.
    """

    outcome: Outcome
    findings: tuple[Finding, ...]
    game: str
    format: str
    version: str
    document: str
    editions: tuple[Reason, ...] = ()
    overlay: str | None = None
    joint: FixTrial | None = field(default=None, compare=False, repr=False)

    @property
    def edition_words(self) -> tuple[str, ...]:
        """The dated lists, named for people."""
        return tuple(render("reason", each) for each in self.editions)

    @property
    def unknowns(self) -> tuple[MissingFact, ...]:
        """Every fact that was missed, in the order of the findings."""
        return tuple(dict.fromkeys(fact for finding in self.findings for fact in finding.facts))

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The broken rules alone."""
        return tuple(finding for finding in self.findings if finding.severity == "error")

    @property
    def alternatives(self) -> frozenset[str]:
        """Return the broken rules whose fixes conflict with other fixes.

        Such fixes are applied one at a time.
        """
        if self.joint is not None:
            return self.joint.find_alternatives(self.errors)
        pairs = combinations([finding for finding in self.errors if finding.fix], 2)
        return frozenset(each.rule for pair in pairs if overlap(*pair) for each in pair)

    @property
    def overlap_sentence(self) -> str:
        """Return what to do where fixes are alternatives; empty if all add up."""
        return say("verdict", "fixes-overlap") if self.alternatives else ""

    def to_json(self) -> dict[str, object]:
        words = {
            "editions": list(self.edition_words),
            "edition_reasons": [each.to_json() for each in self.editions],
            "unknowns": [fact.to_json() for fact in self.unknowns],
            "findings": [finding.to_json() for finding in self.findings],
            "alternatives": sorted(self.alternatives),
        }
        return {**self.to_record(), **words}

    def to_record(self) -> dict[str, object]:
        """Return the verdict as it is stored, without words."""
        return {
            "verdict": self.outcome,
            "game": self.game,
            "format": self.format,
            "rules": self.version,
            "document": self.document,
            "editions": [each.to_json() for each in self.editions],
            "overlay": self.overlay,
            "unknowns": [fact.to_record() for fact in self.unknowns],
            "findings": [finding.to_record() for finding in self.findings],
        }


def overlap(one: Finding, other: Finding) -> bool:
    """Return whether the fixes of two findings change one part of the list."""
    return bool(one.fix and other.fix and one.fix.parts() & other.fix.parts())


def format_verdict(verdict: Verdict) -> str:
    """Return a verdict as text.

    It has the outcome, what the deck was judged under, and each finding with its fix.
    """
    document, lists = verdict.document, verdict.edition_words
    lines = [
        say(
            "verdict",
            "verdict",
            outcome=verdict.outcome,
            game=verdict.game,
            format=verdict.format,
            document=document,
        )
    ]
    if verdict.overlay:
        lines.append(f"  {say('verdict', 'local-rules', name=verdict.overlay)}")
    if lists:
        lines.append(f"  {say('verdict', 'lists', lists=lists)}")
    for finding in verdict.findings:
        lines += _format_finding(finding, is_alternative=finding.rule in verdict.alternatives)
    if verdict.overlap_sentence:
        lines.append(f"  {verdict.overlap_sentence}")
    return "\n".join(lines)


def _format_finding(finding: Finding, *, is_alternative: bool) -> Iterator[str]:
    headline = say(
        "verdict",
        "finding.at-lines" if finding.lines else "finding",
        severity=finding.severity,
        message=finding.message,
        lines=finding.lines,
        rule=finding.rule,
        clause=finding.clause,
        document=finding.document,
    )
    yield f"  {headline}"
    if finding.follows_from:
        yield f"    {say('verdict', 'follows-from', rule=finding.follows_from)}"
    if finding.fix:
        sentence = finding.fix.sentence
        yield f"    {say('verdict', 'alternative', fix=sentence) if is_alternative else sentence}"
