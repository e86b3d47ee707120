"""The standings on paper: places, names and every tiebreaker; of an event that is over, the final places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tournament.brackets.selectors.ranking import final_ranking, without_place
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.printing.headings import is_final
from tournament.printing.layout.columns import Heading
from tournament.printing.layout.figures import Row, set_figures
from tournament.printing.request import Asked
from tournament.shared.text_width import wrapped
from tournament.standings.selectors.groups import standings_in_parts
from tournament.standings.selectors.standings import Line, system_of
from tournament.standings.selectors.table import open_in


def standings_list(asked: Asked) -> dict[str, Any]:
    """Places, names and every tiebreaker, the figures merged into one column; formulas in words below.

    After the last round of an event that is over, the places are the final ones.
    """
    event, shown = asked.event, asked.round
    after = shown.number if shown is not None and not shown.stage.is_elimination else None
    parts = [(part.name, part.lines) for part in standings_in_parts(event, after_round=after)]
    if is_final(event, shown):
        figures = {line.player.pk: line for _, lines in parts for line in lines}
        rows: list[Row | Heading] = list(_final_rows(event, figures))
        return set_figures(rows, _heads(event), [*_final_words(event), *_formulas(event)], asked.paper)
    rows = [row for part in parts for row in _part_rows(*part)]
    return set_figures(rows, _heads(event), [*_open_words(shown), *_formulas(event)], asked.paper)


def _open_words(shown: Round | None) -> list[str]:
    """That results of a published round are missing, and how many."""
    missing = open_in(shown) if shown is not None and not shown.is_draft else 0
    if shown is None or shown.stage.is_elimination or not missing:
        return []
    tables = "1 table has" if missing == 1 else f"{missing} tables have"
    return [f"Round {shown.number} is still played: {tables} no result yet."]


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


def _formulas(event: Event) -> list[str]:
    if not event.has_table_rounds:
        return []
    system = system_of(event)
    said = [
        f"{each.name}{'' if each.key == 'points' else f' ({each.key.upper()})'}: {each.formula}."
        for each in system.describe()
    ]
    return [line for sentence in [*said, f"{system.source}."] for line in wrapped(sentence, 180, 8)]
