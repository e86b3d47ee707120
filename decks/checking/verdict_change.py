"""Two verdicts on one list beside each other: what is new, what is gone, what says something else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from rules.finding import Finding, Verdict


class ChangedFinding(NamedTuple):
    """A rule that has something to say in both verdicts, but not the same."""

    before: Finding
    after: Finding


@dataclass(frozen=True, slots=True)
class Difference:
    """How the second of two verdicts differs from the first.

    A finding is the same one when rule and severity are; it has changed when it speaks of other cards, lines,
    counts or facts. Its wording alone changes nothing, as it names the edition it rests on.
    """

    new: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()
    changed: tuple[ChangedFinding, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.new or self.gone or self.changed)

    @property
    def is_worse(self) -> bool:
        """Whether a rule is now broken or left open, or speaks of cards that it did not speak of before."""
        told = (*self.new, *(pair.after for pair in self.changed if _has_more(pair)))
        return any(finding.severity in ("error", "unknown") for finding in told)

    def to_json(self) -> dict[str, Any]:
        return {
            "new": [finding.to_json() for finding in self.new],
            "gone": [finding.to_json() for finding in self.gone],
            "changed": [
                {"before": pair.before.to_json(), "after": pair.after.to_json()} for pair in self.changed
            ],
        }


def difference(before: Verdict, after: Verdict) -> Difference:
    """What the verdict `after` says otherwise than `before`, in the order of their findings."""
    first = {_place(finding): finding for finding in before.findings}
    second = {_place(finding): finding for finding in after.findings}
    return Difference(
        new=tuple(finding for place, finding in second.items() if place not in first),
        gone=tuple(finding for place, finding in first.items() if place not in second),
        changed=tuple(
            ChangedFinding(first[place], finding)
            for place, finding in second.items()
            if place in first and _content(first[place]) != _content(finding)
        ),
    )


def _place(finding: Finding) -> tuple[str, str]:
    return finding.rule, finding.severity


def _content(finding: Finding) -> tuple[Any, ...]:
    """What of a finding matters; stored findings give lists where fresh ones give tuples."""
    whole = finding.to_json()
    return tuple(
        str(whole[part]) for part in ("code", "cards", "lines", "limit", "found", "facts", "overlay")
    )


def _has_more(pair: ChangedFinding) -> bool:
    return bool(set(pair.after.cards) - set(pair.before.cards)) or not pair.after.cards
