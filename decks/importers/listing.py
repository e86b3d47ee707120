"""Split a typed list into lines, without bullets, numbering and markup."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from decks.importers.decoding import repair_mojibake
from decks.importers.markup import StrippedLine, may_hold_markup, split_breaks, strip_markup, unwrap_count
from decks.importers.names import clean

_BULLET = re.compile(r"^([•·▪■□◆◇►▶‣⁃✓✔➤→*●○◦>+–—-])\s+(?=\S)")

_ALWAYS = set("▪■□◆◇►▶‣⁃✓✔➤→>-–—+")

_BEFORE_COUNT = re.compile(r"^[•·▪■□◆◇►▶‣⁃✓✔➤→*●○◦>~-]+\s*(?=[\[(]?\d+\s?[xX×]?[\])]?\s)")

_QUOTED = re.compile(r'^[ \t]{0,8}(?:\d{1,9} ?[xX]?[ \t]{1,4})?"[^"]')

_QUOTED_NAME = re.compile(r'^[ \t]{0,8}(?:\d{1,9} ?[xX]?[ \t]{1,4})?"(?:[^"]|"")+"')

_LONGEST = 2_000

"""Characters of a line that is no card whatever is taken off it; it is passed on as it stands."""

_NEGATIVE = re.compile(r"^[-−–]\d")

_NUMBERED = re.compile(r"^(\d{1,3})[.)]\s+(?=\S)")

_CHECKBOX = re.compile(r"^\[[ xX]\]\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One source line, cleaned.

    `raw` is the source, `text` what is left without bullets and markup.
    """

    number: int
    raw: str
    text: str
    is_emphasized: bool
    had_codes: bool
    is_repaired: bool


def split_source_lines(text: str) -> list[SourceLine]:
    """Return the source lines of a text.

    Bullets, numbering and markup of the list are removed from each. A source line that is broken by tags
    comes back as several of one number.
    """
    source_lines = [
        _source_line(number, part)
        for number, raw in enumerate(text.splitlines(), start=1)
        for part in _split_breaks(raw)
    ]
    bullets = _find_bullets(source_lines)
    is_numbered = _is_numbered(source_lines)
    return [_without_bullet(row, bullets, is_numbered=is_numbered) for row in source_lines]


def _split_breaks(raw: str) -> list[str]:
    """Return the lines into which tags break a source line.

    Tags inside a name in quotation marks do not break it.
    """
    quoted_match = _QUOTED_NAME.match(raw)
    if not quoted_match:
        return split_breaks(raw)
    first, *others = split_breaks(f"x{raw[quoted_match.end() :]}")
    return [quoted_match[0] + first[1:], *others]


def _source_line(number: int, raw: str) -> SourceLine:
    if len(raw) > _LONGEST:
        return SourceLine(number, raw, raw, False, False, False)
    if _QUOTED.match(raw):
        quoted_match = _QUOTED_NAME.match(raw)
        behind = strip_markup(raw[quoted_match.end() :]).text if quoted_match else ""
        return SourceLine(
            number, raw, clean(quoted_match[0] + behind if quoted_match else raw), False, False, False
        )
    whole = repair_mojibake(raw)
    stripped_line = strip_markup(whole) if may_hold_markup(whole) else StrippedLine(whole, False, False)
    tabbed_text = (
        stripped_line.text.rstrip().replace("\t", " ", 1)
        if stripped_line.text[:1].isdigit()
        else stripped_line.text
    )
    text = unwrap_count(clean(_tab_before_count(tabbed_text)))
    return SourceLine(number, raw, text, stripped_line.is_emphasized, stripped_line.had_codes, whole != raw)


def _tab_before_count(text: str) -> str:
    """Keep a number after a tab at the end of a line as a separate column.

    The column is a count.
    """
    head, tab, tail = text.rstrip().rpartition("\t")
    return f"{head} x{tail.strip()}" if tab and head.strip() and tail.strip().isdigit() else text


def _find_bullets(source_lines: Sequence[SourceLine]) -> set[str]:
    """Find the characters that are bullets: before a count or before most lines.

    A rarer character may be a rank dot.
    """
    worded_rows = [row.text for row in source_lines if any(map(str.isalnum, row.text))]
    opening_counts = Counter(
        match[1] for text in worded_rows if (match := _BULLET.match(text)) and not text.endswith(match[1])
    )
    counting = {text[0] for text in worded_rows if _BEFORE_COUNT.match(text)}
    return (
        _ALWAYS
        | counting
        | {sign for sign, count in opening_counts.items() if count >= 3 and count * 2 >= len(worded_rows)}
    )


def _is_numbered(source_lines: Iterable[SourceLine]) -> bool:
    """Return whether lines are numbered 1, 2, 3 … in order.

    Then the numbers are not quantities.
    """
    numbers = [int(match[1]) for row in source_lines if (match := _NUMBERED.match(row.text))]
    return len(numbers) >= 3 and numbers == list(range(1, len(numbers) + 1))


def _without_bullet(row: SourceLine, bullets: set[str], *, is_numbered: bool) -> SourceLine:
    text = row.text
    if _NEGATIVE.match(text) or not text:
        return row
    if is_numbered:
        text = _NUMBERED.sub("", text)
    text = _CHECKBOX.sub("", _BEFORE_COUNT.sub("", text))
    match = _BULLET.match(text)
    if match and match[1] in bullets:
        text = unwrap_count(text[match.end() :])
    if text == row.text:
        return row
    return SourceLine(row.number, row.raw, text, row.is_emphasized, row.had_codes, row.is_repaired)
