"""How wide a text gets on paper, so that names are set smaller or wrapped before they touch a neighbour.

Widths are in thousandths of the type size and taken from the widest of the fonts that sheets ask for, so that
a line fits whichever of them a machine has. Letters that no table knows count as wide.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

MM_A_POINT = 25.4 / 72
MONO = 605
WIDE = 1000
PICTURE = 1400
STEPS = (100, 88, 76)

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
def _letter(letter: str) -> int:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if unicodedata.category(letter) in ("Mn", "Me", "Cf", "Cc"):
        return 0
    if ord(letter) >= 0x1F000:
        return PICTURE
    base = unicodedata.normalize("NFD", letter)[0]
    return _WIDTHS.get(base, WIDE)


def thousandths(text: str) -> int:
    """The width of a text in thousandths of its type size; a wide script counts a whole size a sign."""
    return sum(map(_letter, text))


def fits(text: str, mm: float, points: float) -> bool:
    """Whether a text set in so many points fits into so many millimetres."""
    return thousandths(text) * points * MM_A_POINT <= mm * 1000


def step_for(text: str, mm: float, points: float) -> int | None:
    """The largest of the steps (per cent of the type size) at which a text fits on one line, or None."""
    return next((step for step in STEPS if fits(text, mm, points * step / 100)), None)


def wrapped(text: str, mm: float, points: float) -> list[str]:
    """A text in lines that fit, broken between words and, where one word is too long, inside it."""
    lines = [""]
    for word in _parts(text.split(" "), mm, points):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if fits(longer, mm, points):
            lines[-1] = longer
        else:
            lines.append(word)
    return [line for line in lines if line] or [""]


def _parts(words: list[str], mm: float, points: float) -> Iterator[str]:
    for word in words:
        part = ""
        for letter in word:
            # A mark that sits on the letter before it must not begin a line.
            if part and _letter(letter) and not fits(part + letter, mm, points):
                yield part
                part = ""
            part += letter
        yield part


def shortened(text: str, mm: float, points: float) -> str:
    """A text that fits on one line; what is left out is marked by “…”."""
    if fits(text, mm, points):
        return text
    kept = text
    while kept and not fits(f"{kept}…", mm, points):
        kept = kept[:-1]
    return f"{kept.rstrip()}…"
