"""The number of copies in a line of text.

Reads its possible places, and its faults.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from decks.importers.model import MAX_QUANTITY, ParseProblem
from rules.reason import reason

_NUMBER = r"[+−–-]?(?!0\d\d)\d+(?:[.,]\d+)*(?:[eE][+-]?\d+)?"
_TIMES = "[xX×*✕]"

_LEADING = (
    re.compile(rf"^[\[({{]\s*{_TIMES}?\s?({_NUMBER})\s?{_TIMES}?\s*[\])}}]\s*(.+)$"),
    re.compile(rf"^{_TIMES}\s?({_NUMBER})\s+(.+)$"),
    re.compile(rf"^({_NUMBER})\s?{_TIMES}\s+(.+)$"),
    re.compile(rf"^({_NUMBER})[x×](?=[A-Z\"'\[(●•·])(.+)$"),
    re.compile(rf"^({_NUMBER})(?:\s*[,;=|]\s*|\s*:(?![:.·•●])\s*|[.)](?!\d)\s*|\s*[-–—]\s+|\s+)(.+)$"),
)
_TRAILING = (
    re.compile(rf"(?:\s+|\.{{4,}}\s*){_TIMES}\s?({_NUMBER})$"),
    re.compile(rf"(?<!^)\s*[\[({{]\s*{_TIMES}?\s?({_NUMBER})\s?{_TIMES}?\s*[\])}}]$"),
    re.compile(rf"\s+({_NUMBER})\s?{_TIMES}$"),
    re.compile(rf"(?<!^)\s*(?:\s[-–—]|[,;=|]|(?<!:):|\.{{4,}})\s*{_TIMES}?\s?({_NUMBER})$"),
)
_TAIL = 48
_PLAIN_COUNT = re.compile(r"\d+ ")
_LAST = frozenset("0123456789xX×✕*])}")
_BARE = re.compile(r"^(.*\S)\s(\d{1,2})$")


@dataclass(frozen=True, slots=True)
class SplitQuantity:
    """A quantity as written, the rest, and its place.

    The place is leading, trailing, marked, bare or missing.
    """

    quantity_text: str
    rest: str
    place: str


def split_quantity(text: str) -> SplitQuantity:
    """Split the number of copies off a cleaned line.

    Examples: `4 Foo`, `4x Foo`, `x4 Foo`, `[4] Foo`, `Foo x4`, `Foo (4)`. `bare` marks a plain number at the
    end: it may also belong to the name.
    """
    if _PLAIN_COUNT.match(text) and (count := _times_behind(text)):
        return count
    for pattern in _LEADING:
        if match := pattern.match(text):
            return SplitQuantity(match[1], match[2].strip(), "leading")
    if text[-1:] not in _LAST:
        return SplitQuantity("", text, "missing")
    for pattern in _TRAILING:
        if match := pattern.search(text, max(0, len(text) - _TAIL)):
            return SplitQuantity(match[1], text[: match.start()].strip(), "trailing")
    if match := _BARE.match(text):
        return SplitQuantity(match[2], match[1].strip(), "bare")
    return SplitQuantity("", text, "missing")


def _times_behind(text: str) -> SplitQuantity | None:
    """Parse a marked quantity at the end of a line: `6 Swallow Flash x4`.

    The number before it belongs to the name.
    """
    for pattern in (_TRAILING[0], _TRAILING[2]):
        if match := pattern.search(text, max(0, len(text) - _TAIL)):
            return SplitQuantity(match[1], text[: match.start()].strip(), "marked")
    return None


def read_quantity(written_number: str, number: int | None) -> int | ParseProblem:
    """Return the number of copies, or what is wrong with it.

    It is an int from 1 to MAX_QUANTITY. The problem is on source line `number`.
    """
    digits = re.sub("^[−–]", "-", written_number.strip().lstrip("+"))
    if re.fullmatch(r"-?[0-9]+", digits) and len(digits) <= 12:
        return _in_range(int(digits), written_number, number)
    if re.fullmatch(r"[0-9]{1,3}(?:[.,][0-9]{3})+|[0-9]+|[0-9]+[eE]\+?[0-9]+", digits):
        return _too_large(written_number, number)
    return ParseProblem(reason("quantity_not_whole", written=written_number[:40], most=MAX_QUANTITY), number)


def _in_range(value: int, written_number: str, number: int | None) -> int | ParseProblem:
    if value > MAX_QUANTITY:
        return _too_large(written_number, number)
    if value >= 1:
        return value
    return ParseProblem(reason("quantity_not_positive", qty=value), number)


def _too_large(written_number: str, number: int | None) -> ParseProblem:
    return ParseProblem(reason("quantity_too_large", written=written_number[:40], most=MAX_QUANTITY), number)


def assumed_quantity_notice(name: str, number: int | None) -> ParseProblem:
    """Return the notice for a line that names a card and no number of copies."""
    return ParseProblem(reason("quantity_assumed", name=name), number, "notice")
