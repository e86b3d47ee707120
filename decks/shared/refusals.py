"""Refusals: a step is not allowed, with a code, parameters, and the words that a message gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

from decks.shared.wording import format_fix, format_reason
from rules.reason import TOLD, Param, Reason

SECTION = "refusal"


class Refused(Exception):
    """Raised by services. The message of its code says what is wrong, and the smallest way out.

    `code` is stable; variants of its words stand after a dot (`same_name.team`). `field` names the value that
    is wrong, where there is one. `problems` holds the refusal itself, or all of them where several were found
    at once. Words of another library are given as `told`.
    """

    def __init__(
        self, code: str, sentence: str = "", *, fix: str = "", field: str | None = None, **params: Param
    ) -> None:
        self.reason = Reason(code, {**params, TOLD: sentence} if sentence else params)
        super().__init__(code)
        self._fix = fix
        self.field = field
        self.place = ""
        self.problems: tuple[Refused, ...] = (self,)

    def __str__(self) -> str:
        return self.message

    @property
    def code(self) -> str:
        """The code, without the variant of its words."""
        return self.reason.code.partition(".")[0]

    @property
    def params(self) -> Mapping[str, Param]:
        """The values of this case by name, as its message uses them; none for words of another library."""
        return {} if TOLD in self.reason.params else self.reason.params

    @property
    def sentence(self) -> str:
        """What is wrong, behind the place where it stands."""
        words = format_reason(SECTION, self.reason)
        return f"{self.place}: {words}" if self.place else words

    @property
    def fix(self) -> str:
        """The smallest way out; empty where there is none."""
        return self._fix if TOLD in self.reason.params else format_fix(SECTION, self.reason)

    @property
    def message(self) -> str:
        """The sentence and the way out, for pages."""
        return f"{self.sentence} {self.fix}".strip()

    def located(self, place: str) -> Refused:
        """The same refusal, said of one place of a longer input."""
        located = copy(self)
        located.place = place
        located.problems = (located,)
        return located


class Invalid(Refused):
    """Several values are wrong at once; `problems` holds one refusal for each, with its field."""

    def __init__(self, problems: Sequence[Refused]) -> None:
        super().__init__("invalid")
        self.problems = tuple(problems)

    @property
    def sentence(self) -> str:
        """What is wrong with each value, and the ways out."""
        return " ".join(problem.message for problem in self.problems)


def refuse_all(problems: Sequence[Refused]) -> None:
    """Raise every problem at once; do nothing when there is none."""
    if problems:
        raise problems[0] if len(problems) == 1 else Invalid(problems)


class Conflict(Refused):
    """Another user was faster: the page showed outdated values."""
