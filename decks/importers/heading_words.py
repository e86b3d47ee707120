"""Headings of the parts of a deck list.

They are those of every game, and those that games declare.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from decks.importers.names import fold
from rules.library import Library, get_shipped_library


def _split(*words: str) -> tuple[str, ...]:
    return tuple(word.strip() for line in words for word in line.split(","))


_ZONE_WORDS = {
    "main": _split(
        "main, main deck, mainboard, main board, deck, deck list, md, draw deck, library",
        "starting deck, play deck, commander, hauptdeck, mazo principal, deck principal",
    ),
    "sideboard": _split(
        "sideboard, sideboards, side, sb, side deck, side board, reserve, réserve, companion, banquillo",
    ),
    "pregame": _split("pre-game, pregames, pre-game cards, other pre-game"),
    "pool": _split("pool, card pool, sealed pool, draft pool, rest of pool, unused, unused cards, leftovers"),
    "aside": _split("aside, maybeboard, maybe, maybes, considering, wishlist, tokens, acquireboard, cuts"),
}

_LIKELY_WORDS = {
    "main": _split(
        "mazo, baraja, mazzo, mazzo principale, deck principale, baralho, baralho principal, grimório",
        "paquet, jeu principal, hoofddeck, talia, talia główna, колода, основная колода, メインデッキ",
        "メイン, デッキ, 主牌组, 主牌, 메인덱, 메인",
    ),
    "sideboard": _split(
        "reserva, reservas, riserva, riserve, réserves, ersatz, ersatzbank, seitendeck, beiboard, zijdeck",
        "mazo lateral, mazo secundario, mazzo laterale, deck lateral, panchina, banco, rezerwa, сайдборд",
        "сайд, サイドボード, サイドデッキ, サイド, 备牌, 備牌, 사이드보드, 사이드덱, 사이드",
    ),
    "aside": _split("vielleicht, quizás, tal vez, peut-être, forse, talvez, misschien"),
}
"""Words of other languages. They are only suggested: a word may mean another thing to its writer."""

_TYPES = _split("others")
_SHEETS = ("options", "meta", "metadata", "tags")
_MARKED_TYPES = _split("other, utility, rest, misc")


class HeadingWords:
    """Folded words of headings.

    They are the zones that some name, likely ones, types of cards, and sheets beside a list. Marked words are
    titles of cards as well: headings only where something marks them as such.
    """

    def __init__(self, library: Library) -> None:
        game_headings = [game.cards.headings for game in library.games]
        self.zones = {
            fold(word): zone
            for zone, words in _ZONE_WORDS.items()
            for word in (*words, *(word for each in game_headings for word in getattr(each, zone, ())))
        }
        self.likely = {fold(word): zone for zone, words in _LIKELY_WORDS.items() for word in words}
        self.types = _fold_all(_TYPES, *(each.types for each in game_headings))
        self.marked_pregame = _fold_all(*(each.marked_pregame for each in game_headings))
        self.marked_types = _fold_all(_MARKED_TYPES, *(each.marked_types for each in game_headings))
        declarations = [each for game in library.games for each in game.cards.declarations]
        self.sheets = _fold_all(_SHEETS, *((each.key, each.implies or each.key) for each in declarations))


def _fold_all(*words: Iterable[str]) -> frozenset[str]:
    return frozenset(fold(word) for each in words for word in each)


def get_heading_words() -> HeadingWords:
    """Return the words of all games that there are."""
    return _make(get_shipped_library())


@cache
def _make(library: Library) -> HeadingWords:
    return HeadingWords(library)
