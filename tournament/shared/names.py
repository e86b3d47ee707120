"""Sort names as people sort them: by first word or by surname.

Case, accents and signs are ignored.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from tournament.shared.text import PLAIN_LETTERS

# The sort order of names in an event.
AS_WRITTEN, BY_SURNAME, BY_BARE_SURNAME = "written", "surname", "bare"

NameKey = tuple[str, str]

# Words that belong to the surname behind them, and what is behind a surname.
PARTICLES = frozenset((
    "af", "al", "am", "at", "av", "ben", "bin", "d", "da", "dal", "dall", "das", "de", "degli", "dei",
    "del", "della", "den", "der", "des", "di", "do", "dos", "du", "el", "het", "i", "ibn", "in", "la",
    "las", "le", "les", "lo", "los", "mac", "of", "op", "san", "santa", "st", "t", "te", "ten", "ter",
    "to", "tot", "und", "van", "vander", "vom", "von", "y", "zu", "zum", "zur",
))  # fmt: skip
SUFFIXES = frozenset(("jr", "sr", "junior", "senior", "ii", "iii", "iv", "md", "phd"))
# Scripts that write the surname first, or have no spaces.
SURNAME_FIRST = re.compile("[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


@lru_cache(maxsize=8192)
def make_name_key(name: str, order: str = AS_WRITTEN) -> NameKey:
    """Return the key by which names are sorted.

    Names that fold to the same are distinguished by the name itself.

    >>> names = ["Zoë Abel", "anna de Jong", "Ángel Øre", "Anna Berg"]
    >>> sorted(names, key=make_name_key)
    ['Ángel Øre', 'Anna Berg', 'anna de Jong', 'Zoë Abel']
    >>> sorted(names, key=lambda name: make_name_key(name, BY_SURNAME))
    ['Zoë Abel', 'Anna Berg', 'anna de Jong', 'Ángel Øre']
    """
    words = name.split()
    if order != AS_WRITTEN and not SURNAME_FIRST.search(name):
        words = _put_surname_first(words, "," in name, is_bare=order == BY_BARE_SURNAME)
    folded_name = " ".join(filter(None, map(_fold_word, words)))
    return re.sub(r"\d+", lambda number: number[0].zfill(8), folded_name), name


def _fold_word(word: str) -> str:
    """Return a word without case, accents and signs.

    An apostrophe joins. A hyphen and everything else separates.
    """
    plain = unicodedata.normalize("NFKD", word.casefold()).casefold().translate(PLAIN_LETTERS)
    joined_word = re.sub(r"[’'`´.]", "", plain)
    letters = (
        letter if letter.isalnum() else " " for letter in joined_word if not unicodedata.combining(letter)
    )
    return " ".join("".join(letters).split())


def _put_surname_first(words: list[str], has_comma: bool, *, is_bare: bool) -> list[str]:
    if has_comma:
        index = next((place for place, word in enumerate(words, 1) if word.endswith(",")), len(words))
        surname, rest = words[:index], words[index:]
    else:
        index = _find_surname(words)
        surname, rest = words[index:], words[:index]
    if not is_bare:
        return [*surname, *rest]
    bare = 0
    while bare < len(surname) - 1 and _fold_word(surname[bare]) in PARTICLES:
        bare += 1
    return [*surname[bare:], *rest, *surname[:bare]]


def _find_surname(words: list[str]) -> int:
    """Return where the surname begins.

    It begins at the last word, or at the particles before it.
    """
    index = len(words) - 1
    while index > 0 and ((last := _fold_word(words[index])) in SUFFIXES or last.isdecimal()):
        index -= 1
    while index > 1 and _fold_word(words[index - 1]) in PARTICLES:
        index -= 1
    return max(index, 0)
