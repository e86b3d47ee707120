"""The standings on paper: places, names and every tiebreaker; of an event that is over, the final places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tournament.models import Event
from tournament.printing.asked import Asked
from tournament.printing.columns import Column, Heading, Layout, Page, numbered, numbers, pages
from tournament.printing.heads import is_final
from tournament.printing.measure import MM_A_POINT, MONO, wrapped
from tournament.selectors.groups import standings_in_parts
from tournament.selectors.ranking import final_ranking, without_place
from tournament.selectors.standings import Line, system_of

ROWS = {"A4": 45, "Letter": 41}
POINTS = 10.5
NUMBER_SIZES = (9.5, 8.5, 7.5, 6.5, 5.5)
ROOM = 168.0
# Denser, where that saves a page of a few.
DENSE_ROWS, DENSE_POINTS, DENSE_UP_TO = {"A4": 53, "Letter": 50}, 9.5, 5
# A line of words below the last row is at most so much of a row high.
WORDS_HEIGHT = 0.81

Row = tuple[str, str, Sequence[str]]


def standings_list(asked: Asked) -> dict[str, Any]:
    """Places, names and every tiebreaker, the figures merged into one column; formulas in words below.

    After the last round of an event that is over, the places are the final ones.
    """
    event, shown = asked.event, asked.round
    after = shown.number if shown is not None and not shown.stage.is_elimination else None
    parts = [(part.name, part.lines) for part in standings_in_parts(event, after_round=after)]
    if is_final(event, shown):
        figures = {line.player.pk: line for _, lines in parts for line in lines}
        return _set(asked, list(_final_rows(event, figures)), [*_final_words(event), *_formulas(event)])
    return _set(asked, [row for part in parts for row in _part_rows(*part)], _formulas(event))


def _set(asked: Asked, rows: Sequence[Row | Heading], words: list[str]) -> dict[str, Any]:
    """Rows on pages, the figures as wide as the widest of them; the words stand below the last."""
    heads = _heads(asked.event)
    told = [row[2] or [""] * len(heads) if heads else [] for row in rows if not isinstance(row, Heading)]
    head, merged = numbers(told, heads)
    size, room = _number_size(len(head))
    columns = (Column("l-place", "Place"), Column("l-name", "Player", room), Column("l-figures", head))
    figures = iter(merged)
    lines = [row if isinstance(row, Heading) else (row[0], row[1], next(figures)) for row in rows]
    usual = Layout(f"standings n{int(size * 10)}", columns, POINTS, ROWS)
    tried = [(usual, _pages(usual, lines, words, asked.paper))]
    if 1 < len(tried[0][1]) <= DENSE_UP_TO:
        dense = replace(usual, css=f"{usual.css} is-dense", points=DENSE_POINTS, rows=DENSE_ROWS)
        tried.append((dense, _pages(dense, lines, words, asked.paper)))
    layout, made = min(tried, key=lambda each: len(each[1]))
    return {"layout": layout, "pages": made, "words": words}


def _pages(layout: Layout, lines: Sequence[Sequence[str]], words: list[str], paper: str) -> list[Page]:
    """The rows on pages, and one more for the words where they do not fit below the last row."""
    made = pages(layout, lines, paper)
    if made[-1].rows + len(words) * WORDS_HEIGHT + 1 > layout.rows[paper]:
        made = numbered([*made, Page([], 0)])
    return made


def _part_rows(name: str, lines: Iterable[Line]) -> Iterator[Row | Heading]:
    """The rows of one table; that of a group begins with its name."""
    if name:
        yield Heading(("", f"{name}:", ""))
    for line in lines:
        yield str(line.rank), _name(line), _figures(line)


def _final_rows(event: Event, lines: Mapping[int, Line]) -> Iterator[Row]:
    """The final places, with the figures of the rounds for whoever has some."""
    for each in final_ranking(event):
        line = lines.get(each.player.pk)
        yield (
            str(each.place),
            _name(line) if line else each.player.name,
            _figures(line) if line else [],
        )


def _final_words(event: Event) -> list[str]:
    """How the final places came about, where the rounds alone do not say it, and who has none."""
    said = []
    if event.has_bracket:
        said = [f"Places by the {event.bracket_word.lower()}; who went out in the same round shares a place."]
        if event.has_table_rounds:
            said = [f"{said[0]} The others follow by the rounds before it, of which all figures are."]
    out = ", ".join(player.name for player in without_place(event))
    said += [f"Without a place, by decision of the judges: {out}."] if out else []
    return [line for sentence in said for line in wrapped(sentence, 180, 8)]


def _name(line: Line) -> str:
    return line.player.name + (" (dropped)" if line.is_dropped else "")


def _figures(line: Line) -> list[str]:
    shown = [cell.removesuffix(" %") for cell, t in line.named_cells if t.kind_name != "lot"]
    return [_plain(line.row.points), line.record, *shown]


def _plain(points: Any) -> str:
    return str(points) if points.denominator != 1 or isinstance(points, int) else str(points.numerator)


def _heads(event: Event) -> list[str]:
    if not event.has_table_rounds:
        return []
    return ["PTS", "W-L-D", *(t.key.upper() for t in system_of(event).tiebreakers if t.kind_name != "lot")]


def _number_size(signs: int) -> tuple[float, float]:
    """The type size of the figures, and the millimetres left for names beside them."""
    for size in NUMBER_SIZES:
        taken = signs * MONO / 1000 * size * MM_A_POINT
        if ROOM - taken >= 55:
            break
    return size, max(ROOM - taken - 2, 30)


def _formulas(event: Event) -> list[str]:
    if not event.has_table_rounds:
        return []
    system = system_of(event)
    said = [
        f"{each.name}{'' if each.key == 'points' else f' ({each.key.upper()})'}: {each.formula}."
        for each in system.describe()
    ]
    return [line for sentence in [*said, f"{system.source}."] for line in wrapped(sentence, 180, 8)]
