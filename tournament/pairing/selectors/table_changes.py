"""The content of a table before and after a change."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableChange:
    """The content of one table before and after a change.

    The table is None for the bye. The content is empty for nothing. `players_before` and `players_after` are
    the numbers of those who sit there.
    """

    table: int | None
    before: str
    after: str
    players_before: tuple[int, ...] = ()
    players_after: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableContent:
    """Who sits at a table: as people write it, and the numbers of the players."""

    text: str = ""
    numbers: tuple[int, ...] = ()


EMPTY_TABLE = TableContent()


def change_table(table: int | None, before: TableContent, after: TableContent) -> TableChange:
    """Return the change of one table."""
    return TableChange(table, before.text, after.text, before.numbers, after.numbers)
