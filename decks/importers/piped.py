"""`Name|SET|picture` as Forge writes a card: set, and which of several pictures or which collector number."""

from __future__ import annotations

import re
from typing import NamedTuple

_PIPED = re.compile(
    r"(?P<name>[^|]*[^|+\s])\s?(?P<foil>\+)?\s?\|\s?(?P<code>[A-Za-z0-9]{2,12})"
    r"(?:\s?\|\s?(?:\[(?P<number>\w{1,8})\]|(?P<picture>\d{1,3})))?\s?"
)


class Piped(NamedTuple):
    """What such a text states. `ignored` is no fact of the card: its picture, or that the copy is foil."""

    name: str
    code: str
    number: str | None
    ignored: tuple[str, ...]


def split_piped(text: str) -> Piped | None:
    """The parts of a name with bars; None where the bars stand for something else."""
    found = _PIPED.fullmatch(text) if "|" in text else None
    if found is None:
        return None
    marks = ("foil" if found["foil"] else "", f"|{found['picture']}" if found["picture"] else "")
    return Piped(found["name"].strip(), found["code"], found["number"], tuple(filter(None, marks)))
