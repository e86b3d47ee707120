"""The rows of tables as HTML.

A result changes one of them, and the others are as they were.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from django.template.loader import get_template
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format, localize
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from decks.shared.cache import SingleFlightCache
from tournament.access.permissions import Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.results.round_page import Mark, RoundPage, RowShape, TableRow, get_shape
from tournament.results.selectors import OpenTable
from tournament.shared.text import get_length_class

# Four rounds of 500 tables, say, each for two languages.
CACHED_ROWS = 4000
# Begins what is in a row for what differs from reader to reader or from row to row. No name can hold it.
MARK: Final = secrets.token_hex(16)
OPEN_TABLE_FIELDS = ("address", "table", "p1", "p2", "extension")

_patterns: SingleFlightCache[tuple[Hashable, ...], str] = SingleFlightCache(CACHED_ROWS)


def render_rows(
    page: RoundPage,
    event: Event,
    rights: frozenset[Right],
    *,
    show: str,
    token: str,
    is_partial: bool = False,
) -> SafeString:
    """Return the rows of a page, with this token in their forms.

    A row is filled once for what it shows. `is_partial`: each takes the place of the row that a page has.
    """
    zone = timezone.get_current_timezone_name()
    context = {"can_score": Right.SCORE in rights, "show": show, "is_partial": is_partial}
    context |= {"has_boards": event.has_boards, "scores": tuple(page.scores)}
    shared_key = (*context.values(), get_language())
    fill = _RowFiller(event.slug, context, shared_key).fill
    rows = [
        _patterns.get_or_compute((event.slug, zone, *shared_key, *_list_facts(row)), partial(fill, row))
        for row in page.rows
    ]
    return SafeString("".join(rows).replace(_mark("token"), escape(token)))


class _RowFiller:
    """Fills rows.

    Rows that differ in names and numbers alone have one pattern, rendered once.
    """

    def __init__(self, slug: str, context: Mapping[str, object], shared_key: tuple[Hashable, ...]) -> None:
        self.context, self.shared_key = context, shared_key
        names = ("console_match", "console_match_result", "console_player")
        self.get_match, self.get_entry, self.get_player = (_find_addresses(name, slug) for name in names)

    def fill(self, row: TableRow) -> str:
        """Return the row with its names and numbers."""
        fields = dict(self._list_fields(row))
        shape = get_shape(row)
        pattern = _patterns.get_or_compute(
            ("row", *self.shared_key, shape), partial(self._render_pattern, shape, tuple(fields))
        )
        return pattern.format(**{name: escape(value) for name, value in fields.items()})

    def _render_pattern(self, shape: RowShape, names: Sequence[str]) -> str:
        match: dict[str, object] = {name: _mark(name) for name in names}
        for seat in ("p1", "p2"):
            match[seat] = {name: _mark(f"{seat}_{name}") for name in ("name", "length", "address", "points")}
        template = get_template("tournament/results/_round_row.html")
        values = {**self.context, "shape": shape, "match": {**match, "outcome": shape.outcome}}
        return _make_pattern(template.render({**values, "csrf_token": _mark("token")}), *names)

    def _list_fields(self, row: TableRow) -> Iterator[tuple[str, object]]:
        match, ended_at = row.match, row.match.result_at
        yield "id", match.pk
        yield "table", match.table or "–"
        yield "table_id", match.table
        yield "revision", match.revision
        yield "address", self.get_match(match.pk)
        yield "entry_address", self.get_entry(match.pk)
        yield "result", row.row.result_words
        yield from zip(("claim_1", "claim_2"), row.claims, strict=True)
        yield "claim", row.reported_score
        yield "time", date_format(timezone.localtime(ended_at), "TIME_FORMAT") if ended_at else ""
        yield "author", row.entered_by
        yield from self._list_player_fields("p1", match.p1, row.row.p1_points)
        if match.p2 is not None:
            yield from self._list_player_fields("p2", match.p2, row.row.p2_points)

    def _list_player_fields(self, seat: str, player: Player, points: object) -> Iterator[tuple[str, object]]:
        yield f"{seat}_name", str(player)
        yield f"{seat}_length", get_length_class(str(player))
        yield f"{seat}_address", self.get_player(player.number)
        yield f"{seat}_points", localize(points)


def _find_addresses(name: str, slug: str) -> Callable[[int], str]:
    """Return a function that writes addresses ending with a number.

    They are those of one page, written without a search for each.
    """
    before, _, after = reverse(name, args=[slug, 0]).rpartition("0")
    return lambda number: f"{before}{number}{after}"


def render_open_rows(rows: Sequence[OpenTable], event: Event) -> SafeString:
    """Return the rows of the tables still playing.

    One is filled again if more than its minutes change.
    """
    shared_key = ("open", event.slug, get_language())

    get_address = _find_addresses("console_match", event.slug)

    def fill(row: OpenTable) -> str:
        fields = _list_open_fields(row, get_address(row.match.pk))
        html = format_html(_get_open_pattern(row), **fields, minutes=_mark("minutes"))
        return _make_pattern(html, "minutes")

    patterns = (
        _patterns.get_or_compute((*shared_key, *_list_open_facts(row)), partial(fill, row)) for row in rows
    )
    minutes = (escape(localize(row.minutes)) for row in rows)
    filled_rows = (pattern.format(minutes=each) for pattern, each in zip(patterns, minutes, strict=True))
    return SafeString("".join(filled_rows))


def _get_open_pattern(row: OpenTable) -> str:
    """Return the pattern of a row, rendered once for all.

    Such rows differ from each other only in names and numbers.
    """
    state = "disputed" if row.match.is_disputed else "reported" if row.reports else "playing"
    context = {"state": state, "has_extension": row.extension > 0}

    def render() -> str:
        marks = {name: _mark(name) for name in (*OPEN_TABLE_FIELDS, "minutes")}
        html = get_template("tournament/results/_open_table_row.html").render({**marks, **context})
        return _make_pattern(html, *marks)

    return _patterns.get_or_compute(("open", get_language(), *context.values()), render)


def _list_open_fields(row: OpenTable, address: str) -> dict[str, object]:
    match = row.match
    values = (address, match.table or "–", *match.names, localize(row.extension))
    return dict(zip(OPEN_TABLE_FIELDS, values, strict=True))


def _list_open_facts(row: OpenTable) -> tuple[Hashable, ...]:
    """List everything that a row of a table still playing shows but its minutes."""
    match = row.match
    return (match.pk, match.table, match.is_disputed, bool(row.reports), row.extension, match.names)


def _mark(name: str) -> str:
    """Return what is in a rendered row for a field of this name."""
    return f"{MARK}-{name}-"


def _make_pattern(html: str, *names: str) -> str:
    """Return HTML as a pattern with named fields in place of marks."""
    pattern = html.replace("{", "{{").replace("}", "}}")
    for name in names:
        pattern = pattern.replace(_mark(name), f"{{{name}}}")
    return pattern


def _list_facts(row: TableRow) -> tuple[Hashable, ...]:
    """List everything that the template of a row shows or asks for.

    See `_round_row.html`.
    """
    match = row.match
    return (
        match.pk,
        match.revision,
        match.table,
        match.outcome,
        match.winner_id,
        match.result_at,
        row.state,
        row.entered_by,
        row.row.result_words,
        row.reported_score,
        *row.claims,
        *_player_facts(match.p1, row.row.p1_points, row.p1_marks),
        *_player_facts(match.p2, row.row.p2_points, row.p2_marks),
        tuple(row.marks),
    )


def _player_facts(player: Player | None, points: Hashable, marks: Iterable[Mark]) -> tuple[Hashable, ...]:
    return (player and player.number, str(player), points, tuple(marks))
