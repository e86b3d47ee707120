"""From tournament.selectors.public."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tournament.events.models.round import Match, Round
from tournament.standings.selectors.points_before import points_before

_TABLE_FIELDS = (
    "pk", "table", "outcome", "p1_games", "p2_games", "draws", "p1_id", "p1__name", "p2_id", "p2__name",
    "amended_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Side:
    """One player of a table, with the points he came with."""

    id: int
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class Table:
    """One table of a round. Without an opponent `blue` is None; without a result `score` is empty."""

    id: int
    number: int | None
    red: Side
    blue: Side | None
    outcome: str
    score: str
    is_amended: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it still plays."""
        return not self.outcome

    @property
    def result_words(self) -> str:
        """The result as the hall reads it."""
        special = {
            Match.Outcome.BYE: "Bye",
            Match.Outcome.DOUBLE_LOSS: "Both lost",
            Match.Outcome.LOSS_NO_OPPONENT: "Loss",
        }
        return special.get(self.outcome, self.score) if self.outcome else "playing"


@dataclass(frozen=True, slots=True)
class Seating:
    """One player's place in a round, for the list by name. `won` is None where nobody won."""

    player: Side
    opponent: Side | None
    table: Table

    @property
    def score(self) -> str:
        """The result with this player's games first."""
        if self.table.outcome not in ("p1", "p2", "draw"):
            return self.table.result_words
        parts = self.table.score.split("–")
        if self.player.id != self.table.red.id:
            parts[0], parts[1] = parts[1], parts[0]
        return "–".join(parts)


def tables(played: Round) -> list[Table]:
    """The tables of a published round, byes last, with the points the players came with. Two queries."""
    points = points_before(played)
    rows = Match.objects.filter(round=played).values_list(*_TABLE_FIELDS)
    made = [_table(row, points) for row in rows]
    return sorted(made, key=lambda table: (table.number is None, table.number or 0, table.red.name))


def _table(row: tuple[Any, ...], points: Any) -> Table:
    pk, number, outcome, p1_games, p2_games, draws, p1, p1_name, p2, p2_name, amended = row
    score = f"{p1_games}–{p2_games}" + (f"–{draws}" if draws else "")
    return Table(
        id=pk,
        number=number,
        red=Side(p1, p1_name, points[p1]),
        blue=None if p2 is None else Side(p2, p2_name, points[p2]),
        outcome=outcome,
        score=score if outcome in ("p1", "p2", "draw") else "",
        is_amended=amended is not None,
    )


def by_name(rows: Iterable[Table]) -> list[Seating]:
    """Every player of the tables, by name."""
    places = []
    for table in rows:
        places.append(Seating(table.red, table.blue, table))
        if table.blue is not None:
            places.append(Seating(table.blue, table.red, table))
    return sorted(places, key=lambda place: (place.player.name.casefold(), place.player.id))


def search(rows: Iterable[Table], query: str) -> list[Table]:
    """The tables with that number, or with a player of whose name the words are a part, however written."""
    wanted = query.strip().casefold()
    if not wanted:
        return list(rows)
    if wanted.isdecimal():
        return [table for table in rows if table.number == int(wanted)]
    return [
        table
        for table in rows
        if any(wanted in side.name.casefold() for side in (table.red, table.blue) if side)
    ]
