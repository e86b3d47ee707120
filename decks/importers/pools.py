"""A list and its pool as one parsed deck."""

from __future__ import annotations

from dataclasses import replace

from decks.importers.model import DeckLine, ParsedDeck, ParseProblem
from decks.importers.parsing import parse

POOL_HEADING = "Pool"


def pool_offset(deck: ParsedDeck) -> int:
    """Return the number of the line that is between a list and its pool."""
    return max((line.number for line in deck.lines), default=0) + 1


def is_open_in_pool(code: str) -> bool:
    """Return whether a question matters in a pool.

    All cards of a pool are in the same part, the pool.
    """
    return code != "blank_line_without_heading"


def append_pool(deck: ParsedDeck, pool: ParsedDeck) -> ParsedDeck:
    """Join both: every card of the pool is in the pool, whatever its heading there.

    Line numbers go on after the last line of the list, with one for a heading; so each number means one line.
    """
    offset = pool_offset(deck)
    heading = DeckLine(offset, POOL_HEADING, "section", name=POOL_HEADING, zone="pool", section=POOL_HEADING)
    return replace(
        deck,
        lines=(*deck.lines, heading, *(_shift_line(line, offset) for line in pool.lines)),
        problems=(*deck.problems, *(_shift_problem(problem, offset) for problem in pool.problems)),
        notices=(
            *deck.notices,
            *(_shift_problem(each, offset) for each in pool.notices if is_open_in_pool(each.code)),
        ),
    )


def _shift_line(line: DeckLine, offset: int) -> DeckLine:
    return replace(
        line,
        number=line.number + offset,
        zone="aside" if line.zone == "aside" else "pool",
        problem=line.problem and _shift_problem(line.problem, offset),
        notices=tuple(_shift_problem(each, offset) for each in line.notices if is_open_in_pool(each.code)),
    )


def _shift_problem(problem: ParseProblem, offset: int) -> ParseProblem:
    if problem.line is None:
        return replace(problem, is_of_pool=True)
    return replace(problem, line=problem.line + offset)


def parse_list(text: str | bytes, pool: str | bytes = "") -> ParsedDeck:
    """Return a list with its pool, if it has one, as lines."""
    return append_pool(parse(text), parse(pool)) if pool.strip() else parse(text)
