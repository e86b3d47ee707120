"""Headings of a list.

Says which zone they open, which card type they name, and the count they announce.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from decks.importers.heading_words import HeadingWords, get_heading_words
from decks.importers.names import clean, fold

_NUMBER_WORDS = r"(?:\s*(?:cards?|total|in all|karten|cartas|cartes))*"
_COUNTED = (
    re.compile(
        rf"^(?P<words>.*?)\s*[(\[{{]\s*(?P<count>\d{{1,4}}){_NUMBER_WORDS}\s*[)\]}}]\s*:?$", re.IGNORECASE
    ),
    re.compile(rf"^(?P<words>.*?)\s*(?:[:=]|\s-)\s*(?P<count>\d{{1,4}}){_NUMBER_WORDS}$", re.IGNORECASE),
    re.compile(r"^(?P<count>\d{1,4})\s+(?P<words>\D.*?)\s*:?$"),
    re.compile(rf"^(?P<words>.*?\D)\s+(?P<count>\d{{1,4}}){_NUMBER_WORDS}:?$", re.IGNORECASE),
)
MOST_COPIES = 4
"""A larger number before a heading's word can only announce how many cards follow."""

_LIKENESS = 0.8
_SHORTEST = 6
_LONGEST = 60
_RULED = re.compile(r"^[\s=~_*#<>|+-]{2,}(?=\w)|(?<=[\w):])[\s=~_*#<>|+-]{2,}$")
_FRAME = re.compile(r"^\[([^\[\]]+)\]$|^<([^<>]+)>$|^\{([^{}]+)\}$")
_TIMES = re.compile(r"(?:^|\s)(?:\d+\s?[x×]|[x×]\s?\d+)(?:\s|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading as understood.

    `zone` is None if it says nothing of the zone; `is_known` tells whether its words are in our vocabulary.
    `is_sure` is false if the same words can as well be a card: a bare type name, or a count before it.
    """

    words: str
    zone: str | None
    announced_count: int | None
    is_known: bool
    is_sure: bool
    leading_count: bool = False


def read_heading(text: str, *, is_marked: bool = False) -> Heading | None:
    """Return the heading that a cleaned line is, or None.

    `is_marked` tells that something beside the words makes it one: bold type, or a comment sign before it.
    """
    if len(text) > _LONGEST:
        return None
    bare, is_framed = _unframe(text)
    is_marked = is_marked or is_framed or bare.endswith(":")
    if _TIMES.search(bare):
        return None
    for words, count, leading in _readings(bare):
        zone, is_known = _find_meaning(words, is_marked=is_marked or _has_closed_count(bare))
        if is_known and not (leading and zone and not is_marked and (count or 0) <= MOST_COPIES):
            return Heading(words, zone, count, True, _is_sure(bare, words, count, is_marked), leading)
    return None


def read_unknown_heading(text: str, *, is_marked: bool) -> Heading | None:
    """Return a line that is marked as a heading in words that are not known.

    Marks are bold, a frame, or a colon at its end.
    """
    if len(text) > _LONGEST:
        return None
    bare, is_framed = _unframe(text)
    if (
        not (is_marked or is_framed or bare.endswith(":"))
        or bare.endswith("::")
        or not any(map(str.isalpha, bare))
    ):
        return None
    words, count, leading = next(iter(_readings(bare)))
    is_count_of_a_heading = bare.endswith(":") and (count or 0) > MOST_COPIES
    if leading and not is_count_of_a_heading:
        return None
    return Heading(words, None, count, False, bare.endswith(":"))


def find_zone(words: str) -> str | None:
    """Return the zone that a structured file names, or None.

    Examples: `Main`, `side`, `Pre-Game`.
    """
    key, heading_words = fold(words), get_heading_words()
    if key in heading_words.types or key in heading_words.marked_types:
        return "main"
    return heading_words.zones.get(key) or ("pregame" if key in heading_words.marked_pregame else None)


def suggest_zone(words: str) -> str | None:
    """Return the zone that words probably name.

    The words may be known, misspelled or of another language. None for anything else. Only to be offered to a
    person, never to be assumed.
    """
    return _suggest_zone(words, get_heading_words())


@lru_cache(maxsize=4_096)
def _suggest_zone(words: str, heading_words: HeadingWords) -> str | None:
    key = fold(clean(words).strip(" :=-[](){}<>#*_")) if words and len(words) <= _LONGEST else ""
    if zone := heading_words.zones.get(key) or heading_words.likely.get(key):
        return zone
    known_words = [
        word
        for word in (*heading_words.zones, *heading_words.likely)
        if abs(len(word) - len(key)) <= 2 < _SHORTEST <= len(word)
    ]
    near = get_close_matches(key, known_words, 1, _LIKENESS) if len(key) >= _SHORTEST else []
    if not near or key in heading_words.types or key in heading_words.marked_types:
        return None
    return heading_words.zones.get(near[0]) or heading_words.likely[near[0]]


def names_another_zone(words: str, zone: str) -> bool:
    """Return whether words probably name another zone than `zone`.

    The words are not read as a heading.
    """
    return suggest_zone(words) not in (None, zone)


def is_card_type(words: str) -> bool:
    """Return whether the words name a type of card, such as Foundations."""
    key, heading_words = fold(words), get_heading_words()
    return key in heading_words.types or key in heading_words.marked_types


def is_heading_word(words: str) -> bool:
    """Return whether a card of this name would look like a heading."""
    key, heading_words = fold(words) if words else "", get_heading_words()
    return key in heading_words.types or key in heading_words.zones


def split_inline_heading(text: str) -> tuple[Heading, str] | None:
    """Split a line into a heading and the card that follows it.

    Examples: `Character: Ken`, `SB: 1 Foo`.
    """
    left, colon, right = text.partition(":")
    right = clean(right)
    if not colon or not right or right.isdecimal() or len(left) > 30:
        return None
    zone, is_known = _find_meaning(clean(left), is_marked=True)
    return (Heading(clean(left), zone, None, True, True), right) if is_known else None


def has_times(text: str) -> bool:
    """Return whether a count in a line is marked as one of copies: `x4`, `4x`."""
    return bool(_TIMES.search(text))


def _unframe(text: str) -> tuple[str, bool]:
    bare = _RULED.sub("", text).strip()
    is_framed = bare != text
    if match := _FRAME.match(bare):
        inner = next(filter(None, match.groups()))
        return (bare, is_framed) if inner.strip().isdigit() else (inner.strip(), True)
    return bare, is_framed


def _readings(bare: str) -> list[tuple[str, int | None, bool]]:
    """Return the ways to part a heading into words and count, the most telling first."""
    readings = []
    for place, pattern in enumerate(_COUNTED):
        match = pattern.match(bare)
        if match and match["words"].strip():
            readings.append((_bare_words(match["words"]), int(match["count"]), place == 2))
    return [*readings, (_bare_words(bare), None, False)]


def _bare_words(text: str) -> str:
    return clean(text).strip(" :-").removesuffix(" cards").strip()


def _has_closed_count(bare: str) -> bool:
    return bare.endswith(":") or bool(_COUNTED[0].match(bare) or (":" in bare and _COUNTED[1].match(bare)))


def _find_meaning(words: str, *, is_marked: bool) -> tuple[str | None, bool]:
    key, heading_words = fold(words) if words else "", get_heading_words()
    if key in heading_words.zones:
        return heading_words.zones[key], True
    if key in heading_words.types:
        return None, True
    if is_marked and key in heading_words.marked_pregame:
        return "pregame", True
    return None, is_marked and key in heading_words.marked_types


def _is_sure(bare: str, words: str, count: int | None, is_marked: bool) -> bool:
    return (
        is_marked or _has_closed_count(bare) or (count is None and fold(words) in get_heading_words().zones)
    )
