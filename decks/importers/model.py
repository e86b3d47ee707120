"""Parsed deck file: lines, problems, and the stable codes of problems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from rules.reason import Param, Reason, reason
from rules.rendering import register_messages, render

register_messages(Path(__file__).parent)

LineKind = Literal["card", "section", "comment", "blank", "problem"]

Severity = Literal["error", "notice"]

MAX_QUANTITY = 999

"""More copies than this on one line is a slip of the pen, never a deck."""


@dataclass(frozen=True, slots=True)
class ParseProblem:
    """One thing to tell the person who wrote the file.

    An `error` left something unread; a `notice` says how something was read. `line` counts source lines from
    1; None means the file as a whole, or the file of the pool.
    """

    reason: Reason
    line: int | None = None
    severity: Severity = "error"
    is_of_pool: bool = False

    @property
    def code(self) -> str:
        """The stable code, without the variant of its words."""
        return self.reason.code.partition(".")[0]

    @property
    def params(self) -> Mapping[str, Param]:
        """The values of this case by name."""
        return self.reason.params

    @property
    def placed_reason(self) -> Reason:
        """The reason with the line, or the file, of which it speaks."""
        if self.line is not None:
            return reason("at_line", line=self.line, why=self.reason)
        return reason("of_pool", why=self.reason) if self.is_of_pool else self.reason

    @property
    def sentence(self) -> str:
        """The reason in words."""
        return render("reason", self.reason)


@dataclass(frozen=True, slots=True)
class AlternativeReading:
    """Another way in which the same words can be meant.

    Only a catalogue can tell which one holds. `why` says how the words were read. `is_marked` tells that
    brackets set the set and number apart, so that a set of that code settles it. `is_asked` tells that the
    line means more than another name by it, so that it is only ever asked about.
    """

    name: str
    qty: int
    dots: int | None = None
    set_code: str | None = None
    collector_number: str | None = None
    why: Reason | None = None
    is_marked: bool = False
    is_asked: bool = False


@dataclass(frozen=True, slots=True)
class DeckLine:
    """One source line, or one entry of a structured file, and what it says.

    `number` counts source lines from 1; entries that share a source line share the number. `text` is the
    source as written. `name` is the card name without quantity, rank dots and marks; `written_text` is the
    same part as it is in the file. `qty` is set exactly for cards. `zone` is `main`, `sideboard`,
    `pregame`, `pool` or `aside` (tokens, maybes: never part of a list). `section` is the heading above
    the line. `card_id` is the identifier in the file; `is_key_or_name` tells that the same word may be the
    name instead. `ignored_marks` names marks that say nothing of the card (prices, categories).
    `announced_count` is the count that a heading states. `problem` is set exactly when `kind` is `problem`.
    """

    number: int
    text: str
    kind: LineKind
    qty: int | None = None
    name: str = ""
    set_code: str | None = None
    collector_number: str | None = None
    dots: int | None = None
    variant: str | None = None
    zone: str = "main"
    card_id: str | None = None
    problem: ParseProblem | None = None
    section: str | None = None
    written_text: str = ""
    alternatives: tuple[AlternativeReading, ...] = ()
    ignored_marks: tuple[str, ...] = ()
    notices: tuple[ParseProblem, ...] = ()
    announced_count: int | None = None
    is_key_or_name: bool = False

    @property
    def question(self) -> ParseProblem | None:
        """The first notice at this line that someone has to answer."""
        return next((notice for notice in self.notices if notice.code in QUESTION_CODES), None)


@dataclass(frozen=True, slots=True)
class ParsedDeck:
    """A whole file.

    `problems` are errors, `notices` tell how unclear things were read; both are in the order of the lines.
    `format` is the file type that the content showed, `unknown` where it showed none. `game_hint` is what the
    file says of its game, in its own spelling (a name or a package's identifier).
    """

    format: str
    lines: tuple[DeckLine, ...]
    problems: tuple[ParseProblem, ...] = ()
    title: str | None = None
    game_hint: str | None = None
    notices: tuple[ParseProblem, ...] = ()
    encoding: str = "utf-8"

    @property
    def questions(self) -> tuple[DeckLine, ...]:
        """The lines with a notice that someone has to answer."""
        return tuple(line for line in self.lines if line.question)

    @property
    def cards(self) -> tuple[DeckLine, ...]:
        """The lines that name cards, in the order of the file."""
        return tuple(line for line in self.lines if line.kind == "card")

    def total(self, zone: str) -> int:
        """Return how many cards the file lists in a zone."""
        return sum(line.qty or 0 for line in self.lines if line.kind == "card" and line.zone == zone)


@dataclass(slots=True)
class DeckBuilder:
    """The data that a reader has collected so far; `finish` makes it final."""

    format: str
    lines: list[DeckLine] = field(default_factory=list)
    problems: list[ParseProblem] = field(default_factory=list)
    notices: list[ParseProblem] = field(default_factory=list)
    title: str | None = None
    game_hint: str | None = None
    encoding: str = "utf-8"

    def add_problem(self, problem: ParseProblem) -> None:
        """Keep a problem that belongs to the file rather than to a line that is kept."""
        (self.problems if problem.severity == "error" else self.notices).append(problem)

    def finish(self) -> ParsedDeck:
        """Return the parsed deck with the problems of its lines and of the file."""
        problems = [*self.problems, *(line.problem for line in self.lines if line.problem)]
        notices = [*self.notices, *(notice for line in self.lines for notice in line.notices)]
        return ParsedDeck(
            format=self.format,
            lines=tuple(self.lines),
            problems=sort_problems(problems),
            notices=sort_problems(notices),
            title=self.title,
            game_hint=self.game_hint,
            encoding=self.encoding,
        )


def sort_problems(problems: Iterable[ParseProblem]) -> tuple[ParseProblem, ...]:
    """Return problems of the whole file first, then by line.

    Those of the same line keep their order.
    """
    return tuple(sorted(problems, key=lambda problem: problem.line or 0))


ERROR_CODES = {
    "too_large": "The file, or one element of it, is larger than can be read.",
    "too_many_lines": "The file has more lines or entries than any list.",
    "not_text": "The file is a picture, a spreadsheet or something else that is no text.",
    "web_page": "The file is a whole web page.",
    "xml_forbidden_construct": "The XML declares a document type or entities.",
    "xml_too_deep": "The XML is nested deeper than any deck file.",
    "xml_malformed": "The XML breaks off or is not well formed.",
    "xml_unknown": "The XML is of a kind that is no deck file.",
    "json_malformed": "The JSON is not well formed.",
    "line_too_long": "A line or field is longer than any card.",
    "line_not_understood": "A line is neither a card nor a heading.",
    "entry_not_understood": "An entry of a JSON file has an unknown shape, or says something twice.",
    "element_not_understood": "An element of an XML file, or text between its elements, is unknown.",
    "name_missing": "A line or entry names no card.",
    "quantity_not_positive": "A number of copies is zero or less.",
    "quantity_too_large": "A number of copies is larger than one line can hold.",
    "quantity_not_whole": "A number of copies is no whole number.",
    "column_unclear": "A table has a column of numbers that may be copies or collector numbers.",
    "quotation_open": "A row of a table opens a quotation mark and does not close it.",
    "too_many_cells": "A row of a table has more cells than the table has columns.",
}

"""What was left unread: a list with one of these cannot be judged legal."""

NOTICE_CODES = {
    "encoding_guessed": "The file is not in UTF-8; it was read as Windows-1252.",
    "characters_lost": "Some characters could not be read or stored.",
    "mojibake_repaired": "Garbled characters of a name were put right.",
    "quantity_assumed": "No number of copies is written; one was read.",
    "dots_unclear": "The dots before and after a name differ and were not read as a rank.",
    "dot_or_bullet": "A sign before a name was read as a rank dot and may be a bullet.",
    "heading_or_card": "A line was read as a card and may be a heading.",
    "card_in_comment": "A comment begins like a card, which is not in the list.",
    "title_assumed": "A line in bold or the like above the list was read as its title, not as a card.",
    "heading_unknown": "A heading is in words that are not known; its cards stay in the zone above.",
    "heading_count_differs": "A heading announces another number of cards than stand below it.",
    "total_differs": "A total differs from the number of cards that were read.",
    "type_below_sideboard": "A card type stands below the sideboard; its cards were counted there.",
    "blank_line_without_heading": "A blank line or a rule parts the list, and no heading follows it.",
    "zone_unread": "A mark, column or key that was not read may say in which part of the list a card is.",
    "set_aside": "Cards below a heading such as Tokens or Maybe, or marked so, are not part of the list.",
    "zone_marked": "A mark beside a card, such as [Sideboard], says in which part of the list it is.",
    "columns_unused": "Columns of a table were not read.",
}

"""How something unclear was read: for a person to look at."""

QUESTION_CODES = frozenset(
    {
        "heading_unknown",
        "heading_or_card",
        "heading_count_differs",
        "total_differs",
        "blank_line_without_heading",
        "zone_unread",
    }
)

"""Notices that leave open what the list holds: until they are answered it cannot be called legal."""
