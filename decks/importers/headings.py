"""Headings of a list: which zone they open, which card type they name, and the count they announce."""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from decks.importers.names import clean, fold


def _vocabulary(*words: str) -> frozenset[str]:
    return frozenset(fold(word) for line in words for word in line.split(","))


_ZONE_WORDS = {
    "main": _vocabulary(
        "main, main deck, mainboard, main board, deck, deck list, md, draw deck, library",
        "starting deck, play deck",
        "endurance, endurance deck, in-game, battle deck, commander, hauptdeck, mazo principal",
        "deck principal",
    ),
    "sideboard": _vocabulary(
        "sideboard, sideboards, side, sb, side deck, side board, reserve, réserve, companion, banquillo",
    ),
    "pregame": _vocabulary(
        "pre-game, pregames, pre-game cards, other pre-game, persona, personas, weapon of choice",
        "weapons of choice, primary weapon, off-hand weapon, crystals, pre-game crystals",
    ),
    "pool": _vocabulary(
        "pool, card pool, sealed pool, draft pool, rest of pool, unused, unused cards, leftovers"
    ),
    "aside": _vocabulary(
        "aside, maybeboard, maybe, maybes, considering, wishlist, tokens, acquireboard, cuts"
    ),
}
_ZONES = {word: zone for zone, words in _ZONE_WORDS.items() for word in words}

_LIKELY_WORDS = {
    "main": _vocabulary(
        "mazo, baraja, mazzo, mazzo principale, deck principale, baralho, baralho principal, grimório",
        "paquet, jeu principal, hoofddeck, talia, talia główna, колода, основная колода, メインデッキ",
        "メイン, デッキ, 主牌组, 主牌, 메인덱, 메인",
    ),
    "sideboard": _vocabulary(
        "reserva, reservas, riserva, riserve, réserves, ersatz, ersatzbank, seitendeck, beiboard, zijdeck",
        "mazo lateral, mazo secundario, mazzo laterale, deck lateral, panchina, banco, rezerwa, сайдборд",
        "сайд, サイドボード, サイドデッキ, サイド, 备牌, 備牌, 사이드보드, 사이드덱, 사이드",
    ),
    "aside": _vocabulary("vielleicht, quizás, tal vez, peut-être, forse, talvez, misschien"),
}
"""Words of other languages. They are only suggested: a word may mean another thing to its writer."""

_LIKELY = {word: zone for zone, words in _LIKELY_WORDS.items() for word in words}
_LIKENESS = 0.8
_SHORTEST = 6

_MARKED_PREGAME = _vocabulary("watcher, watchers, hunter, hunters, quickening, quickenings, crystal")
_MARKED_TYPES = _vocabulary(
    "event, edge, object, situation, location, plot, ally, block, dodge, guard, defense, defence, reaction",
    "other, special attack, utility, supers, specials, weapons, rest, misc",
)
"""Titles of cards as well: headings only where something marks them as such."""

_TYPES = _vocabulary(
    "character, characters, main character, main characters, starting character, starting characters",
    "attack, attacks, action, actions, asset, assets, foundation, foundations, reactions, events, edges",
    "objects, situations, locations, plots, allies, blocks, dodges, guards, defenses, defences, illusions",
    "special attacks, ranged attacks, basic attacks, basic blocks, action cards, reaction cards, backup",
    "backups, strikes, projectiles, others",
)

_ALL_TYPES = _TYPES | _MARKED_TYPES

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

_LONGEST = 60
_RULED = re.compile(r"^[\s=~_*#<>|+-]{2,}(?=\w)|(?<=[\w):])[\s=~_*#<>|+-]{2,}$")
_FRAME = re.compile(r"^\[([^\[\]]+)\]$|^<([^<>]+)>$|^\{([^{}]+)\}$")
_TIMES = re.compile(r"(?:^|\s)(?:\d+\s?[x×]|[x×]\s?\d+)(?:\s|$)", re.IGNORECASE)


class Heading(NamedTuple):
    """A heading as understood.

    `zone` is None where it says nothing of the zone; `known` tells whether its words are in our
    vocabulary. `sure` is false where the same words can as well be a card: a bare type name, or a count
    before it.
    """

    words: str
    zone: str | None
    announced: int | None
    known: bool
    sure: bool
    leading_count: bool = False


def read_heading(text: str, *, marked: bool = False) -> Heading | None:
    """The heading that a cleaned line is, or None.

    `marked` tells that something beside the words makes it one: bold type, or a comment sign before it.
    """
    if len(text) > _LONGEST:
        return None
    bare, framed = _unframe(text)
    marked = marked or framed or bare.endswith(":")
    if _TIMES.search(bare):
        return None
    for words, count, leading in _readings(bare):
        zone, known = _meaning(words, marked=marked or _has_closed_count(bare))
        if known and not (leading and zone and not marked and (count or 0) <= MOST_COPIES):
            return Heading(words, zone, count, True, _is_sure(bare, words, count, marked), leading)
    return None


def read_unknown_heading(text: str, *, marked: bool) -> Heading | None:
    """A line marked as a heading (bold, framed, a colon at its end) in words that we do not know."""
    if len(text) > _LONGEST:
        return None
    bare, framed = _unframe(text)
    if not (marked or framed or bare.endswith(":")) or bare.endswith("::") or not any(map(str.isalpha, bare)):
        return None
    words, count, leading = next(iter(_readings(bare)))
    is_count_of_a_heading = bare.endswith(":") and (count or 0) > MOST_COPIES
    if leading and not is_count_of_a_heading:
        return None
    return Heading(words, None, count, False, bare.endswith(":"))


def find_zone(words: str) -> str | None:
    """The zone that a structured file names (`Main`, `side`, `Pre-Game`), or None."""
    key = fold(words)
    if key in _ALL_TYPES:
        return "main"
    return _ZONES.get(key) or ("pregame" if key in _MARKED_PREGAME else None)


@lru_cache(maxsize=4_096)
def suggest_zone(words: str) -> str | None:
    """The zone that words probably name: known, misspelt or of another language; None for anything else.

    Only to be offered to a person, never to be assumed.
    """
    key = fold(clean(words).strip(" :=-[](){}<>#*_")) if words and len(words) <= _LONGEST else ""
    if zone := _ZONES.get(key) or _LIKELY.get(key):
        return zone
    known_words = [
        word for word in (*_ZONES, *_LIKELY) if abs(len(word) - len(key)) <= 2 < _SHORTEST <= len(word)
    ]
    near = get_close_matches(key, known_words, 1, _LIKENESS) if len(key) >= _SHORTEST else []
    return _ZONES.get(near[0]) or _LIKELY[near[0]] if near and key not in _ALL_TYPES else None


def names_another_zone(words: str, zone: str) -> bool:
    """Whether words that are not read as a heading probably name another zone than `zone`."""
    return suggest_zone(words) not in (None, zone)


def is_card_type(words: str) -> bool:
    """Whether the words name a type of card, such as Foundations."""
    return fold(words) in _ALL_TYPES


def is_heading_word(words: str) -> bool:
    """Whether a card of this name would look like a heading."""
    key = fold(words) if words else ""
    return key in _TYPES or key in _ZONES


def split_inline_heading(text: str) -> tuple[Heading, str] | None:
    """A heading and a card on one line (`Character: Ken`, `SB: 1 Foo`): the heading, and what follows it."""
    left, colon, right = text.partition(":")
    right = clean(right)
    if not colon or not right or right.isdecimal() or len(left) > 30:
        return None
    zone, known = _meaning(clean(left), marked=True)
    return (Heading(clean(left), zone, None, True, True), right) if known else None


def has_times(text: str) -> bool:
    """Whether a count in a line is marked as one of copies: `x4`, `4x`."""
    return bool(_TIMES.search(text))


def _unframe(text: str) -> tuple[str, bool]:
    bare = _RULED.sub("", text).strip()
    framed = bare != text
    if match := _FRAME.match(bare):
        inner = next(filter(None, match.groups()))
        return (bare, framed) if inner.strip().isdigit() else (inner.strip(), True)
    return bare, framed


def _readings(bare: str) -> list[tuple[str, int | None, bool]]:
    """The ways to part a heading into words and count, the most telling first."""
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


def _meaning(words: str, *, marked: bool) -> tuple[str | None, bool]:
    key = fold(words) if words else ""
    if key in _ZONES:
        return _ZONES[key], True
    if key in _TYPES:
        return None, True
    if marked and key in _MARKED_PREGAME:
        return "pregame", True
    return None, marked and key in _MARKED_TYPES


def _is_sure(bare: str, words: str, count: int | None, marked: bool) -> bool:
    return marked or _has_closed_count(bare) or (fold(words) in _ZONES and count is None)
