"""Refusals: a step is not allowed.

A refusal has a code, parameters, and the words that a message gives them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import NotRequired, Self, TypedDict

from decks.shared.wording import format_fix, format_reason
from rules.reason import TOLD, Param, Reason, params_to_json, plain_reason

SECTION = "refusal"


class RefusalRecord(TypedDict):
    """A problem as it is stored, without words."""

    code: str
    params: dict[str, object]
    place: NotRequired[object]
    section: NotRequired[str]


class Refused(Exception):
    """Raised by services.

    The message of its code has the problem and the smallest fix. `code` is stable; variants of its words
    stand after a dot (`same_name.team`). `field` names the value that is wrong, if there is one. `problems`
    holds the refusal itself, or all of them if several were found at once. Texts of other libraries are
    passed as `told`.
    """

    def __init__(self, code: str, *, field: str | None = None, **params: Param) -> None:
        self.reason = Reason(code, params)
        super().__init__(code)
        self._code = code.partition(".")[0]
        self.field = field
        self.section = SECTION
        self.place: Reason | None = None
        self.where: Reason | None = None
        self.problems: tuple[Refused, ...] = (self,)

    @classmethod
    def of(
        cls,
        why: Reason,
        *,
        field: str | None = None,
        section: str = SECTION,
        code: str | None = None,
        where: Reason | None = None,
    ) -> Self:
        """Return the refusal of a reason that was found elsewhere.

        `section` is the section of its message; `code` is what programs see, where it is another; `where` the
        place of the input, where `field` names it in words.
        """
        refusal = cls(code or why.code, field=field)
        refusal._code = refusal.code
        refusal.reason, refusal.section, refusal.where = why, section, where
        return refusal

    def __str__(self) -> str:
        return self.message

    @property
    def code(self) -> str:
        """The code, without the variant of its words."""
        return self._code

    @property
    def params(self) -> Mapping[str, Param]:
        """Return the values of this case by name, as its message uses them.

        There are none for words of another library.
        """
        return {} if TOLD in self.reason.params else self.reason.params

    @property
    def sentence(self) -> str:
        """The problem in a sentence, after its place if it has one."""
        words = format_reason(self.section, self.reason)
        return f"{format_reason('place', self.place)}: {words}" if self.place else words

    @property
    def fix(self) -> str:
        """The smallest fix; empty if there is none."""
        return format_fix(self.section, self.reason)

    @property
    def message(self) -> str:
        """The sentence and the fix, for pages."""
        return f"{self.sentence} {self.fix}".strip()

    def to_json(self) -> dict[str, object]:
        """Return the problem for programs: code and params, and both in words."""
        return {
            "code": self.code,
            "params": params_to_json(self.params),
            "sentence": self.sentence,
            "fix": self.fix,
            "field": self.field,
        }

    def to_records(self) -> list[RefusalRecord]:
        """Return every problem as it is stored, without words."""
        return [problem._to_record() for problem in self.problems]

    def _to_record(self) -> RefusalRecord:
        return {
            "code": self.reason.code,
            "params": params_to_json(self.reason.params),
            "place": self.place.to_json() if self.place else None,
            "section": self.section,
        }

    @classmethod
    def from_record(cls, record: RefusalRecord) -> Self:
        """Return a problem that `to_records` stored.

        A problem from before there were codes has words as its place.
        """
        why = Reason.from_json({"code": record["code"], "params": record["params"]})
        refusal = cls.of(why, section=record.get("section", SECTION))
        place = record.get("place")
        if place:
            refusal.place = plain_reason(place) if isinstance(place, str) else Reason.from_json(place)
        return refusal

    def at_place(self, place: Reason) -> Refused:
        """Return the same refusal for one place of a longer input.

        The section `place` has the words of the place.
        """
        located_refusal = copy(self)
        located_refusal.place = place
        located_refusal.problems = (located_refusal,)
        return located_refusal


class Invalid(Refused):
    """Several values are wrong at once.

    `problems` holds one refusal for each, with its field.
    """

    def __init__(self, problems: Sequence[Refused]) -> None:
        super().__init__("invalid")
        self.problems = tuple(problems)

    @property
    def sentence(self) -> str:
        """Every problem in a sentence, each with its fix."""
        return " ".join(problem.message for problem in self.problems)


def render_records(records: Sequence[RefusalRecord]) -> str:
    """Return problems that were stored, in words."""
    return " ".join(Refused.from_record(record).message for record in records)


def refuse_all(problems: Sequence[Refused]) -> None:
    """Raise every problem at once; do nothing when there is none."""
    if problems:
        raise problems[0] if len(problems) == 1 else Invalid(problems)


class Conflict(Refused):
    """Another user was faster: the page showed outdated values."""
