"""A parsed deck as text, line by line.

People can read and compare golden files with it.
"""

from __future__ import annotations

from decks.importers.model import AlternativeReading, DeckLine, ParsedDeck, ParseProblem


def render(deck: ParsedDeck) -> str:
    """Return an exact rendering of everything in a parsed deck.

    Sentences are left to other tests.
    """
    head = f"{deck.format} {deck.encoding}"
    facts = [
        f"title: {deck.title}" if deck.title else "",
        f"game: {deck.game_hint}" if deck.game_hint else "",
    ]
    whole = [_format_problem(problem) for problem in (*deck.problems, *deck.notices) if problem.line is None]
    lines = [_line(line) for line in deck.lines]
    elsewhere = [
        _format_problem(problem)
        for problem in deck.problems
        if problem not in [line.problem for line in deck.lines]
    ]
    return "\n".join(
        [head, *filter(None, facts), *whole, *(one for one in elsewhere if one not in whole), *lines, ""]
    )


def _format_problem(problem: ParseProblem) -> str:
    where = "" if problem.line is None else f" in line {problem.line}"
    return f"{problem.severity}: {problem.code}{where}"


def _line(line: DeckLine) -> str:
    parts = [str(line.number), line.kind]
    if line.kind == "card":
        parts += [f"{line.qty} x '{line.name}'", line.zone, *_marks(line)]
    elif line.kind == "section":
        announcement = "" if line.announced_count is None else f" announces {line.announced_count}"
        parts += [f"'{line.name}' opens {line.zone}{announcement}"]
    elif line.problem:
        parts += [line.problem.code, line.zone]
    parts += [f"({notice.code})" for notice in line.notices]
    parts += [f"or {_format_reading(reading)}" for reading in line.alternatives]
    return " | ".join(parts)


def _marks(line: DeckLine) -> list[str]:
    marks = {
        "dots": line.dots,
        "set": line.set_code,
        "number": line.collector_number,
        "variant": line.variant,
        "id": line.card_id,
        "ignored": ", ".join(line.ignored_marks),
    }
    return [f"{name} {value}" for name, value in marks.items() if value]


def _format_reading(reading: AlternativeReading) -> str:
    return f"{reading.qty} x '{reading.name}'" + (f" dots {reading.dots}" if reading.dots else "")
