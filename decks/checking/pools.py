"""The pool of a limited deck, entered beside the list: its lines follow those of the list."""

from __future__ import annotations

from dataclasses import replace

from decks.importers.model import Line, ParsedDeck, Problem

HEADING = "Pool"


def with_pool(deck: ParsedDeck, pool: ParsedDeck) -> ParsedDeck:
    """Both as one: every card of the pool lies in the pool, whatever heading it stood under there.

    Line numbers go on after the last line of the list, with one for a heading; so each number means one line.
    """
    offset = max((line.number for line in deck.lines), default=0) + 1
    heading = Line(offset, HEADING, "section", name=HEADING, zone="pool", section=HEADING)
    return replace(
        deck,
        lines=(*deck.lines, heading, *(_moved(line, offset) for line in pool.lines)),
        problems=(*deck.problems, *(_numbered(problem, offset) for problem in pool.problems)),
        notices=(*deck.notices, *(_numbered(notice, offset) for notice in pool.notices)),
    )


def _moved(line: Line, offset: int) -> Line:
    return replace(
        line,
        number=line.number + offset,
        zone="aside" if line.zone == "aside" else "pool",
        problem=line.problem and _numbered(line.problem, offset),
        notices=tuple(_numbered(notice, offset) for notice in line.notices),
    )


def _numbered(problem: Problem, offset: int) -> Problem:
    if problem.line is None:
        return replace(problem, sentence=f"{HEADING}: {problem.sentence}")
    return replace(problem, line=problem.line + offset)
