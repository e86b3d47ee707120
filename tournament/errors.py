"""Refusals of an event's services; lists and catalogue refuse with the same class."""

from __future__ import annotations

from collections.abc import Sequence

from decks.errors import Refused

__all__ = ["Conflict", "Invalid", "Refused", "refuse_all"]


class Conflict(Refused):
    """Somebody else was faster: what the page showed is no longer what stands."""


class Invalid(Refused):
    """Several values are wrong at once; `problems` holds one refusal for each, with its field."""

    def __init__(self, problems: Sequence[Refused]) -> None:
        super().__init__("invalid", " ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


def refuse_all(problems: Sequence[Refused]) -> None:
    """Raise every problem at once; do nothing when there is none."""
    if problems:
        raise problems[0] if len(problems) == 1 else Invalid(problems)
