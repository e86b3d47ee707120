"""Cells of tables for spreadsheets.

A text that a spreadsheet would run as a formula gets a guard before it. Every table that Ringside writes goes
through `write_rows`; readers of such tables call `unguard`. The guard is an apostrophe. Numbers stay numbers,
negative ones too.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from typing import Protocol

GUARD = "'"
# Signs that begin a formula, the wide ones of East Asian keyboards among them, and breaks that hide one.
_FORMULA = re.compile(r"'*(?:[\t\r\n]|\s*[=+\-@＝＋－＠])")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?")


def guard(cell: object) -> str:
    """Return the text of a cell that no spreadsheet takes for a formula.

    None becomes an empty cell.
    """
    text = "" if cell is None else str(cell)
    return f"{GUARD}{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unguard(cell: str) -> str:
    """Return the text as it was before `guard`."""
    return cell[1:] if cell.startswith(GUARD) and _FORMULA.match(cell) else cell


class Writable(Protocol):
    """A target for text: a file, or an answer to a browser."""

    def write(self, text: str, /) -> object: ...


def write_rows(
    file: Writable, rows: Iterable[Iterable[object]], *, separator: str = ",", line_end: str = "\r\n"
) -> None:
    """Write rows of guarded cells."""
    writer = csv.writer(file, delimiter=separator, lineterminator=line_end)
    writer.writerows([guard(cell) for cell in row] for row in rows)
