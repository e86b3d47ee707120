"""Card names as people type them.

Contains cleaning, comparing, and the rank dots of characters.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

MOST_DOTS = 6
"""A longer run of dots is a leader between name and count, or decoration."""

_HARD_MARKS = "●•·∙⋅・‧○◦⚫⬤⦁∘*★☆"
_SOFT_MARKS = ".…"
_MARKS = re.escape(_HARD_MARKS + _SOFT_MARKS + ":")
_WORTH = {":": 2, "…": 3}

_INVISIBLE = dict.fromkeys(
    [0xAD, 0x61C, 0x180E, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070)]
)
_SPACES = dict.fromkeys(
    [*range(0x20), *range(0x7F, 0xA1), *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000], " "
)
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_CLEANING = {**_INVISIBLE, **_SPACES, **_FULL_WIDTH}

_STRAIGHT = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("“”„″", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        "…": "...",
    }
)
_LETTERS = str.maketrans(
    {"ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "&": "and"}
)

_NOT_WORD = re.compile(r"[\W_]+")
_ANY_MARK = re.compile(rf"[{_MARKS}]")
_TRAILING = re.compile(rf"^(.*[^\s(\[{_MARKS}])[\s(\[]*([{_MARKS}](?:[\s{_MARKS}]*[{_MARKS}])?)[)\]]?$")
_LEADING = re.compile(rf"^[(\[]?([{_MARKS}](?:[\s{_MARKS}]*[{_MARKS}])?)[\s)\]]*([^\s{_MARKS}].*)$")
_WORDED_AFTER = re.compile(r"^(.+?)[\s,]*[(\[]?\b([1-6])[\s-]?dots?[)\]]?$", re.IGNORECASE)
_WORDED_BEFORE = re.compile(r"^([1-6])[\s-]?dots?\s+(.+)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RankedName:
    """A name without its rank dots.

    `dots` is None if none are written; `is_soft` tells that they may be punctuation. `is_clear` is false if
    the dots before and after disagree, `before_only` true if they are before it alone.
    """

    name: str
    dots: int | None
    is_soft: bool
    is_clear: bool = True
    before_only: bool = False


def clean(text: str) -> str:
    """Return the text on one line, with characters normalized.

    Invisible characters are removed, each kind of space becomes one blank, and wide forms become plain.
    """
    if not (text.isascii() and text.isprintable()):
        text = text.translate(_CLEANING)
    return " ".join(text.split())


def straighten(text: str) -> str:
    """Replace typographic quotes, dashes and the ellipsis by what a keyboard has."""
    return text if text.isascii() else text.translate(_STRAIGHT)


def exact_key(name: str) -> str:
    """Return a key that ignores case, spacing and typography of a name.

    It is equal for names that differ in these alone.
    """
    return straighten(clean(name)).casefold()


def fold(name: str) -> str:
    """Return a key that also ignores accents, punctuation and spacing.

    It is never empty for a real name.
    """
    text = name.casefold()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    else:
        text = text.replace("&", "and")
    return "".join(filter(str.isalnum, text)) or exact_key(name)


def spaced_fold(name: str) -> str:
    """Return a name in lower case, without accents, with one blank between words.

    Apostrophes and full stops are removed, so that the parts around them are joined.
    """
    text = unicodedata.normalize("NFKD", straighten(name).casefold().replace("&", " and "))
    text = "".join(char for char in text if not unicodedata.combining(char) and char not in "'.")
    return _NOT_WORD.sub(" ", text).strip()


def count_dots(marks: str) -> int | None:
    """Return how many dots a run of marks represents.

    None if it is a leader or a lone colon.
    """
    packed_text = "".join(marks.split())
    if packed_text == ":":
        return None
    count = sum(_WORTH.get(mark, 1) for mark in packed_text)
    return count if count <= MOST_DOTS else None


def split_dots(name: str) -> RankedName:
    """Split a name and its rank dots, in any spelling.

    Examples: `Ken ●●`, `●●Ken`, `· Ken ·`, `Ken**`, `Ken..`, `Ken::`. Full stops may as well be punctuation
    (`M.I.A.`): then `is_soft` is true. Marks on both sides count once; where the two sides disagree nothing
    is taken off and `is_clear` is false.
    """
    if worded_name := _read_worded_rank(name):
        return worded_name
    if not _ANY_MARK.search(name):
        return RankedName(name, None, is_soft=False)
    before, inner = _split_leading_dots(name)
    after, core = _split_trailing_dots(inner)
    if before and after and count_dots(before) != count_dots(after):
        return RankedName(name, None, is_soft=False, is_clear=_all_soft(before + after))
    marks = after or before
    dots = count_dots(marks) if marks else None
    if dots is None:
        return RankedName(name, None, is_soft=False)
    return RankedName(core, dots, is_soft=_all_soft(before + after), before_only=not after)


def _read_worded_rank(name: str) -> RankedName | None:
    """Read `Ken 2 dots`, `Ken (2-dot)` and `2-dot Ken`."""
    if "dot" not in name.lower():
        return None
    if after := _WORDED_AFTER.match(name):
        return RankedName(after[1], int(after[2]), is_soft=False)
    if before := _WORDED_BEFORE.match(name):
        return RankedName(before[2], int(before[1]), is_soft=False)
    return None


def _split_leading_dots(name: str) -> tuple[str, str]:
    match = _LEADING.match(name)
    if not match or count_dots(match[1]) is None:
        return "", name
    return match[1], match[2]


def _split_trailing_dots(name: str) -> tuple[str, str]:
    match = _TRAILING.match(name)
    if not match or count_dots(match[2]) is None:
        return "", name
    return match[2], match[1].rstrip()


def _all_soft(marks: str) -> bool:
    return all(mark in _SOFT_MARKS or mark.isspace() for mark in marks)
