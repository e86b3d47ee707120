"""Refusals: a step is not allowed, with a code, a sentence and a fix."""

from __future__ import annotations

from collections.abc import Sequence


class Refused(Exception):
    """Raised by services. `sentence` says what is wrong, `fix` the smallest way out, `code` is stable.

    `field` names the value that is wrong, where there is one; `problems` holds the refusal itself, or all
    of them where several were found at once.
    """

    def __init__(self, code: str, sentence: str, *, fix: str = "", field: str | None = None) -> None:
        super().__init__(f"{sentence} {fix}".strip())
        self.code = code
        self.sentence = sentence
        self.fix = fix
        self.field = field
        self.problems: tuple[Refused, ...] = (self,)

    @property
    def message(self) -> str:
        """The sentence and the way out, for pages."""
        return f"{self.sentence} {self.fix}".strip()


class Invalid(Refused):
    """Several values are wrong at once; `problems` holds one refusal for each, with its field."""

    def __init__(self, problems: Sequence[Refused]) -> None:
        super().__init__("invalid", " ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


def refuse_all(problems: Sequence[Refused]) -> None:
    """Raise every problem at once; do nothing when there is none."""
    if problems:
        raise problems[0] if len(problems) == 1 else Invalid(problems)


class Conflict(Refused):
    """Another user was faster: the page showed outdated values."""
