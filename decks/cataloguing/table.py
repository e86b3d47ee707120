"""Catalogues as tables: CSV with commas or semicolons, and the tab-separated card data of LackeyCCG."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import Any

from decks.cataloguing.content import Content
from decks.cataloguing.describe import Problem, Record
from decks.errors import Refused

NUMBERS = frozenset(
    {"dots", "set_size", "vitality", "hand_size", "restriction", "hand_icons", "lowers_minimum", "bp", "sp"}
)
TRUTHS = frozenset({"unique", "infinity", "off_hand", "must_pair", "standalone", "is_deck_card"})
LISTS = frozenset(
    {
        "keywords",
        "split",
        "symbols",
        "character_only",
        "titles",
        "groups",
        "admits",
        "forbids_titles",
        "aliases",
    }
)
OTHER_NAMES = {
    "card_name": "name",
    "cardname": "name",
    "collector_number": "number",
    "collectornumber": "number",
    "card_number": "number",
    "set_code": "set",
    "setcode": "set",
    "card_type": "type",
}
_YES, _NO = {"true", "yes", "1", "y"}, {"false", "no", "0", "n"}


def read(text: str) -> Content:
    """Records of a table with a header row. Raises Refused (catalogue_unreadable) without names."""
    head = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max("\t;,", key=head.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    content = Content()
    try:
        header = [_header(cell) for cell in next(rows, [])]
        if not {"name", "title"} & set(header):
            raise Refused("catalogue_unreadable", "The table has no column “name”.", fix="Name the columns.")
        for row in rows:
            _take(content, f"line {rows.line_num}", header, row)
    except csv.Error as error:
        raise Refused("catalogue_unreadable", f"Line {rows.line_num} of the table: {error}.") from error
    return content


def _header(cell: str) -> str:
    name = re.sub(r"\W+", "_", cell.strip().casefold()).strip("_")
    return OTHER_NAMES.get(name, name)


def _take(content: Content, place: str, header: list[str], row: list[str]) -> None:
    if not any(cell.strip() for cell in row):
        return
    if len(row) > len(header):
        sentence = f"The row has {len(row)} cells, the header {len(header)}."
        content.problems.append(Problem(place, "row_too_long", sentence))
        return
    facts: dict[str, Any] = {}
    for name, cell in zip(header, row, strict=False):
        if name and cell.strip():
            value = _value(name, cell.strip())
            if value is None:
                sentence = f"“{cell.strip()[:40]}” cannot be read as {name}; the fact stays unknown."
                content.problems.append(Problem(place, "value_not_understood", sentence))
            else:
                facts[name] = value
    key = facts.pop("key", None)
    content.records.append(Record(place, key, facts))


def _value(name: str, cell: str) -> Any:
    """The cell as the kind of value that the fact has; None when it cannot be read."""
    if name in NUMBERS:
        return int(cell) if re.fullmatch(r"\d{1,6}", cell) else None
    if name in TRUTHS:
        word = cell.casefold()
        return True if word in _YES else False if word in _NO else None
    if cell[0] in "[{":
        try:
            return json.loads(cell)
        except (ValueError, RecursionError):
            return None
    if name in LISTS:
        return [
            part.strip() for part in re.split(r"[;|/]" if name == "split" else r"[;|]", cell) if part.strip()
        ]
    return cell
