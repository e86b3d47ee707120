"""What is wrong with an input, all of it at once: a stable code for machines, a sentence for people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. `where` names the place in the input, such as "round 3, match 2"."""

    code: str
    sentence: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}" if self.where else self.sentence


class EngineError(ValueError):
    """Raised when an input cannot be worked on. `problems` holds every problem that was found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(str(problem) for problem in self.problems))


def refuse(problems: Iterable[Problem]) -> None:
    """Raise EngineError when there is at least one problem; do nothing otherwise."""
    found = tuple(problems)
    if found:
        raise EngineError(found)


def refusal(code: str, sentence: str, where: str = "") -> EngineError:
    """An EngineError for a single problem."""
    return EngineError((Problem(code, sentence, where),))
