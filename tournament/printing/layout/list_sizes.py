"""How the long lists are set: large for a few people, to be read from afar; denser to save a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tournament.printing.layout.columns import Column, Layout, Page, pages

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
    (Column("l-name", "Player", 40), Column("l-at", "Table"), Column("l-with", "Opponent", 35, is_cut=True)),
    9.5,
    {"A4": 53, "Letter": 50},
    abreast=2,
)
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

# Longer lists are not made denser: a page of many would be saved, and nobody who reads gains by it.
DENSE_UP_TO = 4


@dataclass(frozen=True, slots=True)
class Sizes:
    """A list in three sizes: `large` for so few that one page holds them, `dense` where that saves a page."""

    large: Layout
    usual: Layout
    dense: Layout

    def set(self, rows: Sequence[Sequence[str]], paper: str) -> dict[str, Any]:
        """The rows on pages of the size that fits them, as the template wants both."""
        layout, made = min(self._tried(rows, paper), key=lambda tried: len(tried[1]))
        return {"layout": layout, "pages": made}

    def _tried(self, rows: Sequence[Sequence[str]], paper: str) -> Iterator[tuple[Layout, list[Page]]]:
        """The sizes that come into question, the most readable first."""
        if len(rows) <= self.large.rows[paper]:
            yield self.large, pages(self.large, rows, paper)
        usual = pages(self.usual, rows, paper)
        yield self.usual, usual
        if 1 < len(usual) <= DENSE_UP_TO:
            yield self.dense, pages(self.dense, rows, paper)


def _sizes(usual: Layout, large: tuple[Column, ...], dense: float, dense_rows: dict[str, int]) -> Sizes:
    return Sizes(
        Layout(f"{usual.css} is-large", large, 13, {"A4": 34, "Letter": 32}),
        usual,
        replace(usual, css=f"{usual.css} is-dense", points=dense, rows=dense_rows),
    )


TABLES = _sizes(BY_TABLE, BY_TABLE.columns, 9.5, {"A4": 56, "Letter": 52})
NAMES = _sizes(
    BY_NAME,
    (Column("l-name", "Player", 84), Column("l-at", "Table"), Column("l-with", "Opponent", 70)),
    9,
    {"A4": 60, "Letter": 56},
)
SEATS = _sizes(
    SEATING, (Column("l-name", "Player", 140), Column("l-at", "Table")), 9, {"A4": 60, "Letter": 56}
)
