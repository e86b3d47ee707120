"""From decks.selectors.days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import rules
from decks.checking.result import WORDS, CheckedList
from decks.checking.verdict_change import Difference, difference
from rules import Verdict


@dataclass(frozen=True, slots=True)
class DayVerdict:
    """The verdict of one day. `note` says so where the rules themselves were not yet in force on it."""

    day: date
    outcome: str
    verdict: Verdict
    note: str = ""

    @property
    def words(self) -> str:
        """The outcome for people."""
        return WORDS[self.outcome]

    @property
    def editions(self) -> tuple[str, ...]:
        """The lists that were in force on the day, named for people."""
        return self.verdict.editions

    def to_json(self) -> dict[str, Any]:
        """Day, outcome and verdict, for programs."""
        return {
            "on": self.day.isoformat(),
            "outcome": self.outcome,
            "note": self.note,
            "verdict": self.verdict.to_json(),
        }


@dataclass(frozen=True, slots=True)
class TwoDays:
    """One list on two days; `change` is what the second says otherwise than the first."""

    first: DayVerdict
    second: DayVerdict
    change: Difference

    @property
    def same_lists(self) -> bool:
        """Whether the same lists were in force on both days."""
        return self.first.editions == self.second.editions

    @classmethod
    def of(cls, one: DayVerdict, other: DayVerdict) -> TwoDays:
        """The two in the order of their days."""
        first, second = sorted((one, other), key=lambda each: each.day)
        return cls(first, second, difference(first.verdict, second.verdict))

    def to_json(self) -> dict[str, Any]:
        """Both days and the difference, for programs."""
        return {
            "first": self.first.to_json(),
            "second": self.second.to_json(),
            "change": self.change.to_json(),
        }


def of_checked(checked: CheckedList, day: date) -> DayVerdict:
    """The verdict of a list that was checked for the day."""
    return DayVerdict(day, checked.outcome, checked.verdict, _note(checked.verdict, day))


def _note(verdict: Verdict, day: date) -> str:
    game = next(each for each in rules.games() if each.key == verdict.game)
    version = game.version(verdict.version)
    if version is None or version.in_force is None or version.in_force <= day:
        return ""
    return f"These rules hold since {version.in_force:%d %B %Y}; on this day they were not yet in force."
