"""How a whole list is typed: bullets before its lines, numbered lines, and what that makes of each line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from decks.importers.decoding import repair_mojibake
from decks.importers.markup import Unmarked, strip_markup
from decks.importers.names import clean

_BULLET = re.compile(r"^([•·▪■□◆◇►▶‣⁃✓✔➤→*●○◦>+–—-])\s+(?=\S)")
_ALWAYS = set("▪■□◆◇►▶‣⁃✓✔➤→>-–—+")
_BEFORE_COUNT = re.compile(r"^[•·▪■□◆◇►▶‣⁃✓✔➤→*●○◦>~-]+\s*(?=[\[(]?\d+\s?[xX×]?[\])]?\s)")
_QUOTED = re.compile(r'^[ \t]{0,8}(?:\d{1,9} ?[xX]?[ \t]{1,4})?"[^"]')
_LONGEST = 2_000
"""Characters of a line that is no card whatever is taken off it; it is passed on as it stands."""

_NEGATIVE = re.compile(r"^[-−–]\d")
_NUMBERED = re.compile(r"^(\d{1,3})[.)]\s+(?=\S)")
_CHECKBOX = re.compile(r"^\[[ xX]\]\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Row:
    """One source line, cleaned. `raw` is the source, `text` what is left without bullets and markup."""

    number: int
    raw: str
    text: str
    emphasised: bool
    had_codes: bool
    repaired: bool


def rows(text: str) -> list[Row]:
    """The source lines of a text, each without the bullets, numbering and markup of the list."""
    read = [_row(number, raw) for number, raw in enumerate(text.splitlines(), start=1)]
    bullets = _bullets(read)
    numbered = _is_numbered(read)
    return [_without_bullet(row, bullets, numbered=numbered) for row in read]


def _row(number: int, raw: str) -> Row:
    if len(raw) > _LONGEST:
        return Row(number, raw, raw, False, False, False)
    if _QUOTED.match(raw):
        return Row(number, raw, clean(raw), False, False, False)
    whole = repair_mojibake(raw)
    unmarked = strip_markup(whole) if _may_hold_markup(whole) else Unmarked(whole, False, False)
    tabbed = unmarked.text.rstrip().replace("\t", " ", 1) if unmarked.text[:1].isdigit() else unmarked.text
    text = clean(_tab_before_count(tabbed))
    return Row(number, raw, text, unmarked.emphasised, unmarked.had_codes, whole != raw)


def _tab_before_count(text: str) -> str:
    """A number behind a tab at the end of a line is a column of its own: a count."""
    head, tab, tail = text.rstrip().rpartition("\t")
    return f"{head} x{tail.strip()}" if tab and head.strip() and tail.strip().isdigit() else text


def _may_hold_markup(text: str) -> bool:
    return "[" in text or "<" in text or "&" in text


def _bullets(read: Sequence[Row]) -> set[str]:
    """Signs before a count or most lines are bullets; one that opens a few may be a character's rank dot."""
    worded = [row.text for row in read if any(map(str.isalnum, row.text))]
    opened = Counter(
        found[1] for text in worded if (found := _BULLET.match(text)) and not text.endswith(found[1])
    )
    counting = {text[0] for text in worded if _BEFORE_COUNT.match(text)}
    return (
        _ALWAYS
        | counting
        | {sign for sign, count in opened.items() if count >= 3 and count * 2 >= len(worded)}
    )


def _is_numbered(read: Iterable[Row]) -> bool:
    """Whether lines are numbered 1, 2, 3 … in order, so that the numbers are no quantities."""
    found = [int(match[1]) for row in read if (match := _NUMBERED.match(row.text))]
    return len(found) >= 3 and found == list(range(1, len(found) + 1))


def _without_bullet(row: Row, bullets: set[str], *, numbered: bool) -> Row:
    text = row.text
    if _NEGATIVE.match(text) or not text:
        return row
    if numbered:
        text = _NUMBERED.sub("", text)
    text = _CHECKBOX.sub("", _BEFORE_COUNT.sub("", text))
    found = _BULLET.match(text)
    if found and found[1] in bullets:
        text = text[found.end() :]
    if text == row.text:
        return row
    return Row(row.number, row.raw, text, row.emphasised, row.had_codes, row.repaired)
