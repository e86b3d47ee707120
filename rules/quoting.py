"""What somebody wrote, as a sentence quotes it that tells him what is wrong with it."""

from __future__ import annotations

BEGINNING, END = 20, 19


def in_short(written: object) -> str:
    """The text of a value; a long one without its middle, so that 40 characters are the most.

    >>> in_short(1234), in_short("7" * 300)
    ('1234', '77777777777777777777…7777777777777777777')
    """
    text = str(written)
    if len(text) <= BEGINNING + 1 + END:
        return text
    return f"{text[:BEGINNING]}…{text[-END:]}"
