"""The long lists: pairings by table and by name, seats, check-in."""

from __future__ import annotations

from typing import Any, NamedTuple

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.printing.layout.columns import pages
from tournament.printing.layout.list_sizes import CHECK_IN, NAMES, SEATS, TABLES
from tournament.printing.request import Asked
from tournament.standings.selectors.points_before import points_before

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
    return TABLES.set(rows, asked.paper)


def _table_row(pair: Pair, points: Any) -> tuple[str, ...]:
    if pair.p2 is None:
        without = "has the bye" if pair.outcome == "bye" else "has no opponent"
        return "–", pair.p1_name, str(points[pair.p1]), without, "", ""
    score = pair.score if pair.outcome else ""
    return str(pair.table), pair.p1_name, str(points[pair.p1]), pair.p2_name, str(points[pair.p2]), score


def by_name(asked: Asked) -> dict[str, Any]:
    """Every player with table and opponent, by name, so that the alphabet runs down the page."""
    rows: list[tuple[str, str, str]] = []
    for pair in tables(asked.shown):
        at = str(pair.table) if pair.p2 is not None else "bye" if pair.outcome == "bye" else "–"
        rows.append((pair.p1_name, at, pair.p2_name))
        if pair.p2 is not None:
            rows.append((pair.p2_name, at, pair.p1_name))
    rows.sort(key=lambda row: row[0].casefold())
    return NAMES.set(rows, asked.paper)


def seating(asked: Asked) -> dict[str, Any]:
    """Everybody by name, two to a table from the event's first: for the players' meeting."""
    free = _free_tables(asked.event)
    people = sorted(_people(asked.event), key=lambda player: player.name.casefold())
    rows = [(player.name, str(free(at // 2))) for at, player in enumerate(people)]
    return SEATS.set(rows, asked.paper)


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
