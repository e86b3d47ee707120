"""The long lists: pairings by table and by name, standings, seats, check-in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from tournament.models import Event, Player, Round
from tournament.printing.asked import Asked
from tournament.printing.columns import Column, Heading, Layout, Page, numbered, numbers, pages
from tournament.printing.measure import MM_A_POINT, MONO, wrapped
from tournament.selectors.groups import Part, standings_in_parts
from tournament.selectors.points import points_before
from tournament.selectors.standings import Line, system_of

BY_TABLE = Layout(
    "by-table",
    (
        Column("l-table", "Table"),
        Column("l-one", "First player", 60),
        Column("l-one-points", "Pts"),
        Column("l-two", "Second player", 60),
        Column("l-two-points", "Pts"),
        Column("l-result", "Result"),
    ),
    10.5,
    {"A4": 45, "Letter": 41},
)
BY_NAME = Layout(
    "by-name",
    (Column("l-name", "Player", 42), Column("l-at", "Table"), Column("l-with", "Opponent", 31, is_cut=True)),
    9.5,
    {"A4": 53, "Letter": 50},
    abreast=2,
)
STANDINGS_ROWS = {"A4": 45, "Letter": 41}
STANDINGS_POINTS = 10.5
NUMBER_SIZES = (9.5, 8.5, 7.5, 6.5, 5.5)
ROOM = 168.0
SEATING = Layout(
    "by-name is-seating",
    (Column("l-name", "Player", 70), Column("l-at", "Table")),
    9.5,
    {"A4": 53, "Letter": 50},
    abreast=2,
)
CHECK_IN = Layout(
    "check-in",
    (
        Column("l-tick", "Here"),
        Column("l-number", "No."),
        Column("l-name", "Player", 74),
        Column("l-status", "Decklist"),
        Column("l-note", "Note"),
    ),
    10.5,
    {"A4": 45, "Letter": 41},
)
LIST_WORDS = {"legal": "legal", "illegal": "not legal", "unknown": "not checked"}


class Pair(NamedTuple):
    """One table as lists show it."""

    table: int | None
    p1: int
    p1_name: str
    p2: int | None
    p2_name: str
    outcome: str
    score: str


FIELDS = ("table", "p1_id", "p1__name", "p2_id", "p2__name", "outcome", "p1_games", "p2_games", "draws")


def tables(shown: Round) -> list[Pair]:
    """The tables of a round in order, byes last. One query, of values only."""
    rows = shown.matches.order_by("table", "pk").values_list(*FIELDS)
    found = [
        Pair(*row[:4], row[4] or "", row[5], "-".join(map(str, row[6:] if row[8] else row[6:8])))
        for row in rows
    ]
    return sorted(found, key=lambda pair: (pair.table is None, pair.table or 0))


def by_table(asked: Asked) -> dict[str, Any]:
    """Pairings in the order of the tables, with the points that both bring, and results that stand."""
    shown = asked.shown
    points = points_before(shown)
    rows = [_table_row(pair, points) for pair in tables(shown)]
    return {"layout": BY_TABLE, "pages": pages(BY_TABLE, rows, asked.paper)}


def _table_row(pair: Pair, points: Any) -> tuple[str, ...]:
    if pair.p2 is None:
        without = "has the bye" if pair.outcome == "bye" else "has no opponent"
        return "–", pair.p1_name, str(points[pair.p1]), without, "", ""
    score = pair.score if pair.outcome else ""
    return str(pair.table), pair.p1_name, str(points[pair.p1]), pair.p2_name, str(points[pair.p2]), score


def by_name(asked: Asked) -> dict[str, Any]:
    """Every player with table and opponent, by name, in two strips so that the alphabet runs down."""
    rows: list[tuple[str, str, str]] = []
    for pair in tables(asked.shown):
        at = str(pair.table) if pair.p2 is not None else "bye" if pair.outcome == "bye" else "–"
        rows.append((pair.p1_name, at, pair.p2_name))
        if pair.p2 is not None:
            rows.append((pair.p2_name, at, pair.p1_name))
    rows.sort(key=lambda row: row[0].casefold())
    return {"layout": BY_NAME, "pages": pages(BY_NAME, rows, asked.paper)}


def standings_list(asked: Asked) -> dict[str, Any]:
    """Places, names and every tiebreaker, the figures merged into one column; formulas in words below."""
    shown = asked.round
    after = shown.number if shown is not None and not shown.stage.is_elimination else None
    system = system_of(asked.event)
    parts = standings_in_parts(asked.event, after_round=after)
    lines = [line for part in parts for line in part.lines]
    head, figures = numbers([_figures(line) for line in lines], _heads(system.tiebreakers))
    size, room = _number_size(len(head))
    layout = Layout(
        f"standings n{int(size * 10)}",
        (Column("l-place", "Place"), Column("l-name", "Player", room), Column("l-figures", head)),
        STANDINGS_POINTS,
        STANDINGS_ROWS,
    )
    texts = iter(figures)
    rows = [row for part in parts for row in _part_rows(part, texts)]
    made = pages(layout, rows, asked.paper)
    words = _formulas(asked.event)
    if made and made[-1].rows + len(words) * 0.7 + 1 > STANDINGS_ROWS[asked.paper]:
        made = numbered([*made, Page([], 0)])
    return {"layout": layout, "pages": made, "words": words}


def _part_rows(part: Part, figures: Iterator[str]) -> Iterator[Sequence[str]]:
    """The rows of one table; that of a group begins with its name."""
    if part.name:
        yield Heading(("", f"{part.name}:", ""))
    for line in part.lines:
        yield str(line.rank), line.player.name + (" (dropped)" if line.is_dropped else ""), next(figures)


def _figures(line: Line) -> list[str]:
    shown = [cell.removesuffix(" %") for cell, t in line.named_cells if t.kind_name != "lot"]
    return [_plain(line.row.points), line.record, *shown]


def _plain(points: Any) -> str:
    return str(points) if points.denominator != 1 or isinstance(points, int) else str(points.numerator)


def _heads(tiebreakers: Iterable[Any]) -> list[str]:
    return ["PTS", "W-L-D", *(t.key.upper() for t in tiebreakers if t.kind_name != "lot")]


def _number_size(signs: int) -> tuple[float, float]:
    """The type size of the figures, and the millimetres left for names beside them."""
    for size in NUMBER_SIZES:
        taken = signs * MONO / 1000 * size * MM_A_POINT
        if ROOM - taken >= 55:
            break
    return size, max(ROOM - taken - 2, 30)


def _formulas(event: Event) -> list[str]:
    system = system_of(event)
    said = [
        f"{each.name}{'' if each.key == 'points' else f' ({each.key.upper()})'}: {each.formula}."
        for each in system.describe()
    ]
    return [line for sentence in [*said, f"{system.source}."] for line in wrapped(sentence, 180, 8)]


def seating(asked: Asked) -> dict[str, Any]:
    """Everybody by name, two to a table from the event's first: for the players' meeting."""
    free = _free_tables(asked.event)
    people = sorted(_people(asked.event), key=lambda player: player.name.casefold())
    rows = [(player.name, str(free(at // 2))) for at, player in enumerate(people)]
    return {"layout": SEATING, "pages": pages(SEATING, rows, asked.paper)}


def _free_tables(event: Event) -> Any:
    reserved = {int(number) for number in event.reserved_tables}
    wanted = iter(range(event.first_table, event.first_table + 100_000))
    known: list[int] = []

    def at(index: int) -> int:
        while len(known) <= index:
            number = next(wanted)
            if number not in reserved:
                known.append(number)
        return known[index]

    return at


def _people(event: Event) -> list[Player]:
    held = event.players.filter(status=Player.Status.REGISTERED, dropped_after__isnull=True)
    return list(held.select_related("deck_list__current"))


def check_in(asked: Asked) -> dict[str, Any]:
    """Everybody who is registered by name, then the waiting list, with a box to tick and the list's state."""
    found = asked.event.players.exclude(status=Player.Status.WITHDRAWN).filter(dropped_after__isnull=True)
    people = sorted(
        found.select_related("deck_list__current"),
        key=lambda p: (p.status != Player.Status.REGISTERED, p.name.casefold()),
    )
    rows = [_check_in_row(player, asked.event) for player in people]
    return {"layout": CHECK_IN, "pages": pages(CHECK_IN, rows, asked.paper)}


def _check_in_row(player: Player, event: Event) -> tuple[str, ...]:
    version = player.deck_list.current if player.deck_list else None
    has = LIST_WORDS.get(version.outcome, "in") if version else "missing" if event.decklists_required else "–"
    note = "waiting list" if player.status == Player.Status.WAITING else ""
    return "×" if player.checked_in_at else " ", str(player.number), player.name, has, note
