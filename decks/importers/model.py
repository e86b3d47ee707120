"""What a deck file becomes: its lines, each with what it says, and the problems found on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["card", "section", "comment", "blank", "problem"]
Severity = Literal["error", "notice"]

MAX_QUANTITY = 999
"""More copies than this on one line is a slip of the pen, never a deck."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to tell the person who wrote the file.

    `code` is stable and for machines; `sentence` is for people. An `error` left something unread; a
    `notice` tells how something was read. `line` counts source lines from 1; None means the file as a
    whole.
    """

    code: str
    sentence: str
    line: int | None = None
    severity: Severity = "error"


@dataclass(frozen=True, slots=True)
class Reading:
    """Another way in which the same words can be meant. Only a catalogue can tell which one holds."""

    name: str
    qty: int
    dots: int | None = None
    set_code: str | None = None
    collector_number: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One source line, or one entry of a structured file, and what it says.

    `number` counts source lines from 1; entries that share a source line share the number. `text` is the
    source as written. `name` is the card name without quantity, rank dots and marks; `written` is the
    same part as it stands in the file. `qty` is set exactly for cards. `zone` is `main`, `sideboard`,
    `pregame`, `pool` or `aside` (tokens, maybes: never part of a list). `section` is the heading above
    the line. `ignored` names marks that say nothing of the card (prices, categories). `announced` is the
    count that a heading states. `problem` is set exactly when `kind` is `problem`.
    """

    number: int
    text: str
    kind: Kind
    qty: int | None = None
    name: str = ""
    set_code: str | None = None
    collector_number: str | None = None
    dots: int | None = None
    variant: str | None = None
    zone: str = "main"
    card_id: str | None = None
    problem: Problem | None = None
    section: str | None = None
    written: str = ""
    alternatives: tuple[Reading, ...] = ()
    ignored: tuple[str, ...] = ()
    notices: tuple[Problem, ...] = ()
    announced: int | None = None


@dataclass(frozen=True, slots=True)
class ParsedDeck:
    """A whole file.

    `problems` are errors, `notices` tell how unclear things were read; both stand in the order of the
    lines. `format` is the file type that the content showed, `unknown` where it showed none. `game_hint`
    is what the file says of its game, in its own spelling (a name or a package's identifier).
    """

    format: str
    lines: tuple[Line, ...]
    problems: tuple[Problem, ...] = ()
    title: str | None = None
    game_hint: str | None = None
    notices: tuple[Problem, ...] = ()
    encoding: str = "utf-8"

    @property
    def cards(self) -> tuple[Line, ...]:
        """The lines that name cards, in the order of the file."""
        return tuple(line for line in self.lines if line.kind == "card")

    def total(self, zone: str) -> int:
        """How many cards the file lists in a zone."""
        return sum(line.qty or 0 for line in self.lines if line.kind == "card" and line.zone == zone)


@dataclass(slots=True)
class Draft:
    """What a reader has gathered so far; `finish` makes it final."""

    format: str
    lines: list[Line] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    notices: list[Problem] = field(default_factory=list)
    title: str | None = None
    game_hint: str | None = None
    encoding: str = "utf-8"

    def tell(self, problem: Problem) -> None:
        """Keep a problem that belongs to the file rather than to a line that is kept."""
        (self.problems if problem.severity == "error" else self.notices).append(problem)

    def finish(self) -> ParsedDeck:
        """The parsed deck, with the problems of its lines beside those of the file."""
        problems = [*self.problems, *(line.problem for line in self.lines if line.problem)]
        notices = [*self.notices, *(notice for line in self.lines for notice in line.notices)]
        return ParsedDeck(
            format=self.format,
            lines=tuple(self.lines),
            problems=in_order(problems),
            notices=in_order(notices),
            title=self.title,
            game_hint=self.game_hint,
            encoding=self.encoding,
        )


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems of the whole file first, then by line; those of one line keep their order."""
    return tuple(sorted(problems, key=lambda problem: problem.line or 0))
