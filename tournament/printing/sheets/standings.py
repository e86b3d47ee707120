"""Standings of an event and table of a league: places, names, merged figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy

from decks.shared.wording import say_reason
from rules.reason import reason
from tournament.brackets.selectors.bracket import final_ranking, players_without_place
from tournament.engine.exits import QUALIFIED
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.leagues.models import League
from tournament.leagues.selectors import LeagueEventResult, LeagueTable, PersonRow, league_table
from tournament.printing.columns import HeadingRow, merge_number_columns
from tournament.printing.list_fit import (
    COLUMN_GAP,
    PAGE_WIDTH,
    FittedColumn,
    PrintedListKind,
    count_effort,
    fit_list,
)
from tournament.printing.request import FilledContext, LeagueContext, PrintRequest, ask_cut, is_final_sheet
from tournament.shared.text import MM_PER_POINT, MONOSPACE_WIDTH, format_exact, wrap_name
from tournament.standings.selectors.exits import count_event_exits, load_event_exits
from tournament.standings.selectors.groups import standings_by_group
from tournament.standings.selectors.standings import StandingsLine, scoring_system_of
from tournament.standings.selectors.table import count_open_tables


def build_standings(request: PrintRequest) -> FilledContext:
    """Print places, names and tiebreakers.

    The figures are merged into one column. The formulas are below in words. After the last round of an event
    that is over, the places are the final ones.
    """
    event, shown_round = request.event, request.round
    after = shown_round.number if shown_round is not None and not shown_round.stage.is_elimination else None
    parts = [(part.name, part.lines) for part in standings_by_group(event, after_round=after)]
    if is_final_sheet(event, shown_round):
        figures = {line.player.pk: line for _, lines in parts for line in lines}
        rows: list[FigureRow | HeadingRow] = list(_final_rows(event, figures))
        return build_figure_pages(
            rows,
            _figure_headings(event),
            [*_final_place_notes(event), *_list_system_notes(event)],
            request.paper,
        )
    exits = load_event_exits(event, after_round=after)
    rows = [row for name, lines in parts for row in _group_rows(name, lines, exits)]
    return build_figure_pages(
        rows,
        _figure_headings(event),
        [*_missing_result_notes(shown_round), *_exit_notes(event, after), *_list_system_notes(event)],
        request.paper,
    )


def _exit_notes(event: Event, after: int | None) -> list[str]:
    """Return how many players have left Swiss rounds with exits."""
    counts = count_event_exits(event, after_round=after)
    return [say_reason(counts.words)] if counts else []


def _missing_result_notes(shown_round: Round | None) -> list[str]:
    """Return that results of a published round are missing, and how many."""
    open_count = count_open_tables(shown_round) if shown_round is not None and not shown_round.is_draft else 0
    if shown_round is None or shown_round.stage.is_elimination or not open_count:
        return []
    return [say_reason(reason("missing_results", round=shown_round.number, tables=open_count))]


def _group_rows(
    name: str, lines: Iterable[StandingsLine], exits: Mapping[int, str]
) -> Iterator[FigureRow | HeadingRow]:
    """Yield the rows of one table; that of a group begins with its name."""
    if name:
        yield HeadingRow(("", name, ""))
    for line in lines:
        yield str(line.rank), _format_name(line, exits.get(line.player.pk)), _list_figures(line)


def _final_rows(event: Event, lines: Mapping[int, StandingsLine]) -> Iterator[FigureRow]:
    """Yield the final places, with the figures of the rounds if there are any."""
    for each in final_ranking(event):
        line = lines.get(each.player.pk)
        yield (
            str(each.place),
            _format_name(line) if line else each.player.name,
            _list_figures(line) if line else [],
        )


def _final_place_notes(event: Event) -> list[str]:
    """Return how the final places were decided, and who has none.

    The first is told only where the rounds alone do not say it.
    """
    notes = []
    if event.has_bracket:
        notes = [reason("final_places", is_cut=ask_cut(event))]
        notes += [reason("final_places.rounds")] if event.has_table_rounds else []
    out = tuple(player.name for player in players_without_place(event))
    sentences = [" ".join(map(say_reason, notes))]
    sentences += [say_reason(reason("without_place", players=out))] if out else []
    return list(filter(None, sentences))


def _format_name(line: StandingsLine, left: str | None = None) -> str:
    """Return a name as it is printed: with a word for a player who does not play on."""
    values = {"player": line.player.name}
    if line.is_dropped:
        return gettext("%(player)s (dropped)") % values
    if left == QUALIFIED:
        return gettext("%(player)s (qualified)") % values
    return gettext("%(player)s (eliminated)") % values if left else line.player.name


def _list_figures(line: StandingsLine) -> list[str]:
    shown_figures = [figure for figure, t in line.named_figures if t.kind_name != "lot"]
    return [_format_points(line.row.points), line.record, *shown_figures]


def _format_points(points: Any) -> str:
    return str(points) if points.denominator != 1 or isinstance(points, int) else str(points.numerator)


def _figure_headings(event: Event) -> list[str]:
    if not event.has_table_rounds:
        return []
    return [
        gettext("Points"),
        gettext("W-L-D"),
        *(t.key.upper() for t in scoring_system_of(event).tiebreakers if t.kind_name != "lot"),
    ]


def _list_system_notes(event: Event) -> list[str]:
    """Return the lines below the standings.

    They are each column with its formula, and the source of the system.
    """
    if not event.has_table_rounds:
        return []
    source = say_reason(reason("source_note", source=scoring_system_of(event).source))
    return [*list_formula_notes(event), source]


def list_formula_notes(event: Event) -> list[str]:
    """Return how each column of the standings is calculated.

    Each note has the letters above the column.
    """
    notes = [
        reason("tiebreaker_note.points", name=each.name, formula=each.formula)
        if each.key == "points"
        else reason("tiebreaker_note", name=each.name, key=each.key.upper(), formula=each.formula)
        for each in scoring_system_of(event).describe()
    ]
    return list(map(say_reason, notes))


# The type of the figures is smaller than that of the names, and leaves them so many millimeters at least.
NUMBER_SIZES = (14, 12.5, 11, 9.5, 8.5, 7.5, 6.5, 5.5)

NAME_MM = 55.0

PLACE_MM = 14.0

# Figures are set smaller for long names down to this size, and to this part of the size of the names.
LEAST_NUMBER_POINTS, LEAST_NUMBER_PART = 9.5, 0.65

FigureRow = tuple[str, str, Sequence[str]]


def build_figure_pages(
    rows: Sequence[FigureRow | HeadingRow], heads: Sequence[str], words: list[str], paper: str
) -> FilledContext:
    """Return rows on pages, with the words below the last row.

    The figures are as wide as the widest of them. A row without figures is one of someone who has none.
    """
    cells = [row[2] or [""] * len(heads) if heads else [] for row in rows if not isinstance(row, HeadingRow)]
    head, merged_rows = merge_number_columns(cells, heads)
    figures = iter(merged_rows)
    lines = [row if isinstance(row, HeadingRow) else (row[0], row[1], next(figures)) for row in rows]
    return fit_list(_make_figure_kind(head, [row[1] for row in lines]), lines, paper, words)


def _make_figure_kind(head: str, names: Sequence[str]) -> PrintedListKind:
    """Return a list of names with figures that are as long as their heading."""

    @cache
    def number_size(points: float) -> float:
        return _fit_number_size(head, names, points)

    def columns(points: float) -> Sequence[FittedColumn]:
        return (
            FittedColumn("l-place", gettext_lazy("Place")),
            FittedColumn("l-name", gettext_lazy("Player"), is_name=True),
            FittedColumn("l-figures", head, mm=_measure_figures(head, number_size(points)) or None),
        )

    def css(points: float) -> str:
        return f" n{number_size(points) * 10:.0f}"

    return PrintedListKind("standings", columns, figures_css=css)


def _measure_figures(head: str, points: float) -> float:
    return len(head) * MONOSPACE_WIDTH / 1000 * points * MM_PER_POINT


def _fit_number_size(head: str, names: Sequence[str], points: float) -> float:
    """Return the type size of the figures beside names of a given size.

    It is as large as the names allow.
    """
    sizes = [size for size in NUMBER_SIZES if size < points]
    fitting = [size for size in sizes if _measure_name_room(head, size) >= NAME_MM] or sizes[-1:]
    least = max(LEAST_NUMBER_POINTS, points * LEAST_NUMBER_PART)
    candidates = [size for size in fitting if size >= least] or fitting[:1]
    rooms = {size: _measure_name_room(head, size) - 2 * COLUMN_GAP for size in candidates}
    return min(candidates, key=lambda size: _count_names_effort(names, rooms[size], points))


def _measure_name_room(head: str, number_points: float) -> float:
    return PAGE_WIDTH - PLACE_MM - _measure_figures(head, number_points)


def _count_names_effort(names: Sequence[str], mm: float, points: float) -> float:
    """Return the effort to read the names in a width in millimeters."""
    wrapped_names = (wrap_name(name, mm, points) for name in names)
    return sum(count_effort(step, len(lines)) for step, lines in wrapped_names)


# As many events are in columns of their own; of a longer season the first ones are added up in one.
MAX_EVENT_COLUMNS = 10

NO_RESULT = "–"


def build_league_table(league: League, paper: str, now: datetime) -> LeagueContext:
    """Return the context of a league's current table for the column template.

    The paper is A4 or Letter.
    """
    table = league_table(league)
    first = max(len(table.finished_events) - MAX_EVENT_COLUMNS, 0)
    rows: list[FigureRow | HeadingRow] = [
        (str(row.rank), row.name, list(_league_figures(row, first))) for row in table.rows
    ]
    return {
        **build_figure_pages(
            rows,
            _league_headings(len(table.finished_events), first),
            list(_league_notes(league, table)),
            paper,
        ),
        "title": gettext("League table"),
        "about": f"{league.name} · {_format_progress(table)}",
        "paper": paper,
        "printed_at": now.astimezone(table.finished_events[-1].zone) if table.finished_events else now,
    }


def _format_progress(table: LeagueTable) -> str:
    finished_count, upcoming_count = len(table.finished_events), len(table.upcoming_events)
    return say_reason(reason("league_progress", finished=finished_count, upcoming=upcoming_count))


def _league_headings(events: int, first: int) -> list[str]:
    together = [f"1-{first}"] if first else []
    return [gettext("Points"), *together, *map(str, range(first + 1, events + 1))]


def _league_figures(row: PersonRow, first: int) -> Iterator[str]:
    """Yield the sum, then one figure for each event.

    If there are many events, the first ones are together in one figure.
    """
    yield format_exact(row.points)
    if first:
        counting_points = [cell.points for cell in row.results[:first] if cell is not None and cell.counts]
        yield format_exact(sum(counting_points)) if counting_points else NO_RESULT
    yield from map(_format_result, row.results[first:])


def _format_result(cell: LeagueEventResult | None) -> str:
    if cell is None:
        return NO_RESULT
    return format_exact(cell.points) if cell.counts else f"({format_exact(cell.points)})"


def _league_notes(league: League, table: LeagueTable) -> Iterator[str]:
    """Yield which number is which event, what counts, and what a place is worth."""
    yield from filter(None, (_event_note(table.finished_events), _counting_note(league), _points_note(table)))


def _event_note(over: Sequence[Event]) -> str:
    events = tuple(
        reason(
            "league_event",
            number=number,
            event=event.name,
            date=date_format(event.starts_local, "DATE_FORMAT"),
        )
        for number, event in enumerate(over, 1)
    )
    return say_reason(reason("league_events", events=events)) if events else ""


def _counting_note(league: League) -> str:
    return say_reason(reason("league_counting", best_of=league.best_of or 0))


def _points_note(table: LeagueTable) -> str:
    spans = [
        reason("league_points.place", points=points, place=first)
        if first == last
        else reason("league_points.places", points=points, first=first, last=last)
        for first, last, points in table.points.spans
    ]
    others = reason("league_points.others", points=table.points.others)
    return say_reason(reason("league_points", spans=(*spans, others)))
