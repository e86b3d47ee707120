"""Names as they are compared."""

from __future__ import annotations

import unicodedata

LONGEST = 160
LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"})


def fold(name: str) -> str:
    """A name as it is compared: without case, accents, spaces and signs.

    >>> fold("  José  Ångström-Lee ") == fold("jose angstromlee")
    True
    """
    plain = _decomposed(_decomposed(name).casefold()).casefold().translate(LETTERS)
    letters = "".join(char for char in plain if char.isalnum())
    # Marks that a space kept apart have an order of their own once they meet.
    return (letters or _decomposed("".join(plain.split())))[:LONGEST]


def _decomposed(text: str) -> str:
    return unicodedata.normalize("NFKD", text)
