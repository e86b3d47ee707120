"""Problems of an input, each with a stable code and a sentence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EngineProblem:
    """One thing that is wrong. `where` names the place in the input, such as "round 3, match 2"."""

    code: str
    sentence: str
    where: str = ""

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}" if self.where else self.sentence


class EngineError(ValueError):
    """Raised when an input cannot be worked on. `problems` holds every problem that was found."""

    def __init__(self, problems: Iterable[EngineProblem]) -> None:
        self.problems = tuple(problems)
        super().__init__(" ".join(str(problem) for problem in self.problems))


def raise_problems(problems: Iterable[EngineProblem]) -> None:
    """Raise EngineError when there is at least one problem; do nothing otherwise."""
    listed = tuple(problems)
    if listed:
        raise EngineError(listed)


def make_error(code: str, sentence: str, where: str = "") -> EngineError:
    """An EngineError for a single problem."""
    return EngineError((EngineProblem(code, sentence, where),))
