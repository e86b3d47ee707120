"""Questions that a list leaves open, and the answers a person can press."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

import rules
from decks.importers.answers import AnswerOption, LineEdit, ListQuestion, apply_edits, find_questions
from decks.importers.decoding import decode
from decks.importers.parsing import parse
from decks.importers.pools import is_open_in_pool, pool_offset
from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused
from decks.shared.wording import format_reason
from rules.reason import Reason

MOST_ANSWERS = 40
LONGEST_EDITS = 4_000

_OPTIONAL_ZONES = frozenset({"sideboard", "pregame"})
_IN_A_POOL = frozenset({"title", "heading", "card", "count", "aside"})


@dataclass(frozen=True, slots=True)
class LineAnswer(Published):
    """An answer to press.

    Holds its code, and the change that it makes in the field `text` or `pool`. `number` is the count that it
    writes.
    """

    PUBLISHED = {"answer": "code", "words": "words"}

    code: str
    edits: tuple[LineEdit, ...]
    number: int | None = None

    @property
    def words(self) -> str:
        """The answer as a button says it."""
        return format_reason("answer", Reason(self.code, {"number": self.number}))

    @property
    def edits_json(self) -> str:
        """Return the change as JSON for the page's script.

        Empty if it is so large that the server makes the change.
        """
        edits = json.dumps([{"line": edit.line, "was": edit.was, "now": edit.now} for edit in self.edits])
        return edits if len(edits) <= LONGEST_EDITS else ""


@dataclass(frozen=True, slots=True)
class LineQuestion(Published):
    """Return the open question of a line.

    `field` is the field in which the answer changes the text.
    """

    PUBLISHED = ("line", "code", "answers")

    line: int
    code: str
    answers: tuple[LineAnswer, ...]
    field: str = "text"


def list_questions(game: str, text: str | bytes, pool: str | bytes = "") -> tuple[LineQuestion, ...]:
    """Return the questions of a list and of its pool.

    The line numbers of the pool continue from those of the list.
    """
    deck = parse(text)
    questions = [
        _to_line_question(each, game)
        for each in (find_questions(deck, decode(text).text) if deck.questions else ())
    ]
    parsed_pool = parse(pool) if pool.strip() else None
    if parsed_pool is not None and parsed_pool.questions:
        offset = pool_offset(deck)
        of_pool = (
            each for each in find_questions(parsed_pool, decode(pool).text) if is_open_in_pool(each.code)
        )
        questions += [_to_line_question(each, game, offset) for each in of_pool]
    return tuple(questions)


def _to_line_question(question: ListQuestion, game: str, offset: int = 0) -> LineQuestion:
    zones = next((each.zones for each in rules.games() if each.key == game), ())
    answers = [each for each in question.answers if each.code not in _OPTIONAL_ZONES - set(zones)]
    if offset:
        answers = [each for each in answers if each.code in _IN_A_POOL]
    return LineQuestion(
        question.line + offset,
        question.code,
        tuple(map(_to_line_answer, answers)),
        "pool" if offset else "text",
    )


def _to_line_answer(answer: AnswerOption) -> LineAnswer:
    return LineAnswer(answer.code, answer.edits, answer.number)


def read_answer(value: str) -> tuple[int, str]:
    """Parse the line and code of a pressed answer, such as `61:sideboard`.

    A line that is not a line number becomes 0.
    """
    line, _, code = value.partition(":")
    return (int(line) if line.isdecimal() and len(line) < 9 else 0), code


def answer_questions(
    game: str, answers: Iterable[tuple[int, str]], *, text: str, pool: str = ""
) -> tuple[str, str]:
    """Return the list and the pool with the answers in their text, one after another.

    Raises Refused (answer_unknown) for a line that asks nothing, or is not answered so.
    """
    for line, code in answers:
        question = next((each for each in list_questions(game, text, pool) if each.line == line), None)
        answer = next((each for each in question.answers if each.code == code), None) if question else None
        if question is None or answer is None:
            raise _unknown_answer(line, code, question)
        if question.field == "pool":
            pool = apply_edits(pool, answer.edits)
        else:
            text = apply_edits(text, answer.edits)
    return text, pool


def _unknown_answer(line: int, code: str, question: LineQuestion | None) -> Refused:
    if question is None:
        return Refused("answer_unknown.nothing_asked", field="answers", line=line)
    known_codes = tuple(each.code for each in question.answers)
    return Refused("answer_unknown", field="answers", answer=code[:40], line=line, known=known_codes)
