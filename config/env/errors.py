"""Faults of the configuration, each with a code and a fix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured


@dataclass(frozen=True, slots=True)
class SettingProblem:
    """One fault: a stable code, a sentence, and the smallest thing to do about it."""

    code: str
    sentence: str
    fix: str

    def __str__(self) -> str:
        return f"{self.code}: {self.sentence}\n    Fix: {self.fix}"


class ConfigurationError(ImproperlyConfigured):
    """The error raised while settings are read.

    `problems` holds every fault that was found, never just the first.
    """

    def __init__(self, problems: Sequence[SettingProblem]) -> None:
        self.problems = tuple(problems)
        heading = "Ringside cannot start: check the configuration."
        super().__init__("\n".join([heading, *(f"  {problem}" for problem in self.problems)]))


def refuse_all(problems: Sequence[SettingProblem]) -> None:
    """Raise ConfigurationError with all problems, or do nothing when there is none."""
    if problems:
        raise ConfigurationError(problems)
