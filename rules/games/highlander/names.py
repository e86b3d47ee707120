"""Normalize Highlander ids, titles, gems, marks, editions and types."""

from __future__ import annotations

import re
from collections.abc import Mapping

from rules.names import normalize_name

GEMS: Mapping[str, str] = {
    "A": "Agility",
    "S": "Strength",
    "T": "Toughness",
    "E": "Empathy",
    "R": "Reason",
    "M": "Master",
}
ATTRIBUTES = ("A", "S", "T", "E", "R")
MASTER_WORDS = frozenset({"master", "masters", "master's"})

_ID = re.compile(r"^([A-Z0-9]*?[A-Z])\s*#?-?\s*(\d{2,3})(?!\d)\s*(.*)$")
_SETS_WITH_DIGITS = re.compile(
    r"^(HS\d|HM3|HN13|HSFVP|HSFV|TS\d|LG\d|P04|PO4|G0\d|V01|4H|Q2015|\dPP)\s*#?-?\s*(\d+)\s*(.*)$"
)
_ALIASES = {"PO4": "P04", "HN13": "HM3"}
_NOTHING = frozenset({"", "none", "no", "-", "–"})
_WORDS = re.compile(r"[a-z']+")
_ORDINALS = {"first": 1, "second": 2, "third": 3}


def normalize_id(written_id: str) -> str:
    """Return a card number in one form.

    "HtG #187" is HTG-187, "HS3051" is HS3-051, "PO4-022" is P04-022. The suffix of a sub-set (DvK, KvM, CvD)
    stays part of the number. HN13 and HM3 are one set.
    """
    text = " ".join(written_id.upper().split())
    match = _SETS_WITH_DIGITS.match(text) or _ID.match(text)
    if match is None:
        return text
    prefix, number, suffix = match[1], match[2].zfill(2), match[3].strip()
    return f"{_ALIASES.get(prefix, prefix)}-{number}{' ' + suffix if suffix else ''}"


def normalize_title(written_title: str) -> str:
    """Return a title as titles are compared: without case, "&" read as "and"."""
    return (
        normalize_name(written_title.replace("&", " and "))
        if "&" in written_title
        else normalize_name(written_title)
    )


def is_master_title(title: str) -> bool:
    """Return whether a (normal) title has the word Master.

    Master's and Masters count, Masterpiece does not.
    """
    return "master" in title and not MASTER_WORDS.isdisjoint(_WORDS.findall(title))


def is_none_value(value: object) -> bool:
    """Return whether a fact says that there is none.

    Such facts are false, an empty text, "none" or a dash.
    """
    return value is False or (isinstance(value, str) and value.strip().casefold() in _NOTHING)


def parse_gem_letter(name: str) -> str | None:
    """Return the letter of a gem, from its letter or name.

    None for anything that is not a gem.
    """
    letter = name.strip()[:1].upper()
    attribute = GEMS.get(letter)
    return (
        letter if attribute and name.strip().casefold() in (letter.casefold(), attribute.casefold()) else None
    )


def parse_gems(value: object) -> Mapping[str, int] | None:
    """Return gems by letter.

    Letters that are not named are zero. None if the value cannot be read.
    """
    if is_none_value(value):
        return {}
    if not isinstance(value, Mapping):
        return None
    gems: dict[str, int] = {}
    for name, number in value.items():
        letter = parse_gem_letter(str(name))
        if letter is None or type(number) is not int or number < 0:
            return None
        gems[letter] = gems.get(letter, 0) + number
    return gems


def parse_edition(value: object) -> int | None:
    """Return the edition as a number, from 2, "2E", "2nd" or "second".

    None if it cannot be read.
    """
    if type(value) is int:
        return value
    if not isinstance(value, str):
        return None
    text = value.strip().casefold()
    digits = re.match(r"\d+", text)
    return int(digits[0]) if digits else _ORDINALS.get(text.split(" ")[0])


def parse_kinds(kind: object, subtypes: object) -> frozenset[str] | None:
    """Return all words of a type line.

    "Situation: Mortal Ally" is a situation and a mortal ally.
    """
    if not isinstance(kind, str):
        return None
    more = subtypes if isinstance(subtypes, list | tuple) else ()
    parts = [part for text in (kind, *map(str, more)) for part in re.split(r"[:,(]", text)]
    plain = {normalize_name(part.rstrip(") ")).removeprefix("pre-game ") for part in parts if part.strip()}
    return frozenset(plain | {"persona" for part in plain if part.startswith("persona ")})


def parse_mark(value: object) -> str | None:
    """Return the mark of a card: "R", "S" or "".

    "Signed" gives "S". A card without either has "". None if the mark is not known.
    """
    if is_none_value(value):
        return ""
    if not isinstance(value, str):
        return None
    letter = value.strip()[:1].upper()
    return letter if letter in ("R", "S") else ""
