"""Texts that Ringside gave in English before they were codes.

They occur in rows and in changes of the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tournament.log.changes import ChangeData, Values, convert_rows
from tournament.shared import coded_texts
from tournament.shared.coded_texts import CODED_COLUMNS

OLD_TEXTS: Mapping[str, str] = {
    "the player": coded_texts.BY_PLAYER,
    "both players": coded_texts.BY_BOTH_PLAYERS,
    "A visitor": coded_texts.BY_VISITOR,
    "Disqualified": coded_texts.DISQUALIFIED,
    "Not checked in": coded_texts.NOT_CHECKED_IN,
    "marked on the result slip": coded_texts.ON_SLIP,
}

VARIANTS_OF_DROPS = {coded_texts.DISQUALIFIED: "disqualified", coded_texts.ON_SLIP: "on_slip"}


def encode_text(text: str) -> str:
    """Return the code if the text stands for one, else the text."""
    return OLD_TEXTS.get(text, text)


def encode_row(table: str, values: Values) -> Values:
    """Return the columns of a row, with a code where there was a text for it."""
    column = CODED_COLUMNS.get(table, "")
    return {**values, column: encode_text(values[column])} if column in values else values


def encode_drop(line: Mapping[str, Any]) -> dict[str, str]:  # Any: columns of a log line
    """Return the changed columns of a log line about a drop.

    Ringside gave the reason of the drop.
    """
    variant = VARIANTS_OF_DROPS.get(encode_text(line["reason"]), "")
    return {"variant": variant, "reason": ""} if variant and line["action"] == "player_dropped" else {}


def encode_changes(changes: Iterable[ChangeData]) -> list[ChangeData]:
    """Return the changes of a step with codes."""
    return [_encode_change(change) for change in changes]


def _encode_change(change: ChangeData) -> ChangeData:
    table = change["table"]
    return (
        convert_rows(change, lambda _, values: encode_row(table, values))
        if table in CODED_COLUMNS
        else change
    )
