"""Compare names, measure and wrap text, format numbers and times."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import datetime
from fractions import Fraction
from functools import lru_cache
from typing import Any
from unicodedata import east_asian_width

from django.utils.formats import date_format, get_format
from django.utils.translation import gettext, ngettext

MM_PER_POINT = 25.4 / 72

MONOSPACE_WIDTH = 605

WIDE_LETTER_WIDTH = 1000

EMOJI_WIDTH = 1400

SIZE_STEPS = (100, 88, 76)

# For words that are too long for their line and break nowhere; they are never smaller than so many points.
SMALL_STEPS = (64, 55, 46, 38, 32)
LEAST_POINTS = 4.8

_BY_WIDTH = {
    350: "'IijlΙІіјłı ,./:;\\|ι’‘·\xa0",
    450: "()-[]ft!r",
    500: '"*JЈ',
    550: "cszεζгзсэєѕ“”",
    600: "?L_kvxyΓγκλνξςυχвтухчьŁ–•",
    650: "$0123456789FTabdeghnopqu{}ΞΣΤβδηθμορστГЗТУабеиклоряßøđðþ€",
    700: "ABEKPSVXYZΑΒΔΕΖΚΛΡΥΧαπφЅАБВЕРХЧЬднпцћџÞ",
    750: "CNRUΝψЄИКСЭЯъ",
    800: "&DGHOQΗΘΟΠΦΩЏДЛНОПЦмыØĐÐ",
    850: "#+<=>^w~ΨωЪю",
    900: "MΜЂЋМФЫфњ",
    950: "жшщљ",
    1000: "%WmæÆ—…",
    1100: "@ЊœЉЖШЩЮŒ",
}

_WIDTHS = {letter: width for width, letters in _BY_WIDTH.items() for letter in letters}


@lru_cache(maxsize=4096)
def _letter_width(letter: str) -> int:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if unicodedata.category(letter) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    if ord(letter) >= 0x1F000:
        return EMOJI_WIDTH
    base = unicodedata.normalize("NFD", letter)[0]
    return _WIDTHS.get(base, WIDE_LETTER_WIDTH)


@lru_cache(maxsize=8192)
def measure_width(text: str) -> int:
    """Return the width of a text in thousandths of its type size.

    In a wide script, each character counts a whole size.
    """
    return sum(map(_letter_width, text))


def fits_width(text: str, mm: float, points: float) -> bool:
    """Return whether a text of a given size fits into a given width in millimeters."""
    return measure_width(text) * points * MM_PER_POINT <= mm * 1000


def find_size_step(text: str, mm: float, points: float) -> int | None:
    """Return the largest step at which a text fits on one line, or None.

    The steps are in percent of the type size.
    """
    return next((step for step in SIZE_STEPS if fits_width(text, mm, points * step / 100)), None)


def list_small_steps(points: float) -> list[int]:
    """Return the steps below the usual ones at which a type can still be read."""
    return [step for step in SMALL_STEPS if points * step / 100 >= LEAST_POINTS]


def find_readable_step(text: str, mm: float, points: float) -> int:
    """Return the largest step at which a text fits on one line.

    If there is none, it is the smallest that can be read.
    """
    steps = [*SIZE_STEPS, *list_small_steps(points)]
    return next((step for step in steps if fits_width(text, mm, points * step / 100)), steps[-1])


# Places where a line may end: at a space, behind a hyphen or a stroke, and between signs of East Asia.
_EAST_ASIAN = "\u2e80-\u9fff\uf900-\ufaff"
_PIECES = re.compile(rf"( *)([{_EAST_ASIAN}]|[^ {_EAST_ASIAN}]+?[-‐–/](?=[^ ])|[^ {_EAST_ASIAN}]+)")


def wrap_text(text: str, mm: float, points: float) -> list[str]:
    """Return a text in lines that fit.

    They break where words break. A piece that is too long breaks inside.
    """
    pieces = [
        (space if at == 0 else "", part)
        for space, piece in _PIECES.findall(text)
        for at, part in enumerate(_split_letters(piece, mm, points))
    ]
    return _join_pieces(pieces, mm, points)


def wrap_words(text: str, mm: float, points: float) -> list[str] | None:
    """Return a text in lines that fit, broken only where words break.

    It is None if a piece is too long for a line.
    """
    pieces = _PIECES.findall(text)
    if not all(fits_width(piece, mm, points) for _, piece in pieces):
        return None
    return _join_pieces(pieces, mm, points)


def wrap_name(name: str, mm: float, points: float) -> tuple[int, list[str]]:
    """Return a name in as few lines as its words allow, and their size step.

    A long word is set smaller.
    """
    step = find_size_step(name, mm, points)
    if step is not None:
        return step, [name]
    wrapped_sizes = [(step, wrap_words(name, mm, points * step / 100)) for step in SIZE_STEPS]
    fits = [(step, lines) for step, lines in wrapped_sizes if lines is not None]
    if fits:
        return min(fits, key=lambda each: len(each[1]))
    small = list_small_steps(points) or [SMALL_STEPS[0]]
    for step in small:
        lines = wrap_words(name, mm, points * step / 100)
        if lines is not None:
            return step, lines
    return small[-1], wrap_text(name, mm, points * small[-1] / 100)


def _join_pieces(pieces: Iterable[tuple[str, str]], mm: float, points: float) -> list[str]:
    lines = [""]
    for space, piece in pieces:
        longer = f"{lines[-1]}{space}{piece}" if lines[-1] else piece
        if fits_width(longer, mm, points):
            lines[-1] = longer
        else:
            lines.append(piece)
    return [line for line in lines if line] or [""]


def _split_letters(word: str, mm: float, points: float) -> Iterator[str]:
    if fits_width(word, mm, points):
        yield word
        return
    part = ""
    for letter in word:
        # A mark that sits on the letter before it must not begin a line.
        if part and _letter_width(letter) and not fits_width(part + letter, mm, points):
            yield part
            part = ""
        part += letter
    yield part


def shorten_text(text: str, mm: float, points: float) -> str:
    """Return a text that fits on one line; what is left out is marked by “…”."""
    if fits_width(text, mm, points):
        return text
    shown_text = text
    while shown_text and not fits_width(f"{shown_text}…", mm, points):
        shown_text = shown_text[:-1]
    return f"{shown_text.rstrip()}…"


MAX_FOLDED_LENGTH = 160

PLAIN_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)


def fold_name(name: str) -> str:
    """Return a name as it is compared: without case, accents, spaces and signs.

    >>> fold_name("  José  Ångström-Lee ") == fold_name("jose angstromlee")
    True
    """
    plain_name = _decompose(_decompose(name).casefold()).casefold().translate(PLAIN_LETTERS)
    letters = "".join(char for char in plain_name if char.isalnum())
    # Marks that a space kept apart have an order of their own once they meet.
    return (letters or _decompose("".join(plain_name.split())))[:MAX_FOLDED_LENGTH]


def holds_name(words: str, *names: str) -> bool:
    """Return whether a name holds the words, however both are written.

    Databases differ here: SQLite knows the case of ASCII letters alone.

    >>> holds_name("ángstrom", "Jose ÅNGSTRÖM")
    True
    """
    folded_words = fold_name(words)
    return any(folded_words in fold_name(name) for name in names)


def _decompose(text: str) -> str:
    return unicodedata.normalize("NFKD", text)


LONGISH_WIDTH, LONG_WIDTH, LONGER_WIDTH, LONGEST_WIDTH = 15, 20, 30, 56

EAST_ASIAN_WIDE = frozenset("WF")


def get_length_class(name: str) -> str:
    """Return how small a name must be set to fit in a row.

    East Asian characters count double.
    """
    width = sum(2 if east_asian_width(sign) in EAST_ASIAN_WIDE else 1 for sign in name)
    steps = (
        (LONGEST_WIDTH, "is-longest"),
        (LONGER_WIDTH, "is-longer"),
        (LONG_WIDTH, "is-long"),
        (LONGISH_WIDTH, "is-longish"),
    )
    return next((look for limit, look in steps if width > limit), "")


def format_moment(local: datetime, face: str) -> str:
    """Return the moment in words; the zone is named where it could be mistaken."""
    if face == "time":
        return date_format(local, "TIME_FORMAT")
    if face == "date":
        return date_format(local, "DATE_FORMAT")
    return f"{date_format(local, 'DATETIME_FORMAT')} ({local.tzname()})"


def format_decimals(value: Fraction, places: int) -> str:
    """Return a fraction with the given number of decimals.

    It is rounded half up and computed in whole numbers.
    """
    scale = 10**places
    shifted_value = (abs(value.numerator) * scale * 2 + value.denominator) // (2 * value.denominator)
    sign = "-" if value < 0 and shifted_value else ""
    point = get_format("DECIMAL_SEPARATOR")
    return f"{sign}{shifted_value // scale}{point}{shifted_value % scale:0{places}d}"


def format_percent(number: str) -> str:
    """Return a number of percent with its sign, in the reader's language."""
    return get_percent_pattern() % {"number": number}


def get_percent_pattern() -> str:
    """Return where the reader's language puts the sign; the parameter is `number`."""
    return gettext("%(number)s%%")


def format_exact(value: Any) -> str:
    """Return an exact value for people.

    Whole numbers stay as they are. Fractions have three decimals, rounded half up.
    """
    if isinstance(value, Fraction) and value.denominator != 1:
        return format_decimals(value, 3)
    return str(value)


def describe_wait(seconds: int) -> str:
    """Return a time to wait for people: never shorter than it is."""
    if seconds <= 90:
        return ngettext("%(count)d second", "%(count)d seconds", seconds) % {"count": seconds}
    minutes = math.ceil(seconds / 60)
    return ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
