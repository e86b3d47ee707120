"""Find letters that no font of this computer has.

Only the standard library, for bin/start uses it too.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_int, c_uint32, c_void_p
from ctypes.util import find_library
from dataclasses import dataclass
from functools import lru_cache

NOTO, CJK = "fonts-noto-core", "fonts-noto-cjk"
MONO, EMOJI = "fonts-dejavu-core", "fonts-noto-color-emoji"


@dataclass(frozen=True, slots=True)
class Script:
    """A script: its name in English, a few letters and its font package.

    The package is the one of Debian with a font for the script.
    """

    name: str
    letters: str
    package: str


# By the first word of the names that Unicode gives to letters.
SCRIPTS = {
    "LATIN": Script("Latin", "AzÉłũ", NOTO),
    "CYRILLIC": Script("Cyrillic", "ЖяЂі", NOTO),
    "GREEK": Script("Greek", "ΩωΆή", NOTO),
    "ARABIC": Script("Arabic", "عمن", NOTO),
    "HEBREW": Script("Hebrew", "אבש", NOTO),
    "THAI": Script("Thai", "กขใ", NOTO),
    "CJK": Script("Chinese", "中王國", CJK),
    "HIRAGANA": Script("Japanese", "あの", CJK),
    "KATAKANA": Script("Japanese", "アン", CJK),
    "HANGUL": Script("Korean", "한김", CJK),
}
# The boxes of printed forms, and an emoji.
SIGNS = (Script("signs of forms", "☐×…", MONO), Script("emoji", "\U0001f600", EMOJI))
# Letters that are never drawn.
INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Co"))
VARIATION_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))


class _FontSet(Structure):
    """A list of fonts, as fontconfig gives it."""

    _fields_ = (("count", c_int), ("size", c_int), ("fonts", POINTER(c_void_p)))


class _Letters:
    """The letters of all fonts together."""

    def __init__(self) -> None:
        self._library = library = CDLL(find_library("fontconfig") or "libfontconfig.so.1")
        for name in ("FcInitLoadConfigAndFonts", "FcCharSetCreate"):
            getattr(library, name).restype = c_void_p
        library.FcConfigGetFonts.restype = POINTER(_FontSet)
        library.FcConfigGetFonts.argtypes = (c_void_p, c_int)
        library.FcPatternGetCharSet.argtypes = (c_void_p, c_char_p, c_int, POINTER(c_void_p))
        library.FcCharSetMerge.argtypes = (c_void_p, c_void_p, c_void_p)
        library.FcCharSetHasChar.argtypes = (c_void_p, c_uint32)
        self._letters = c_void_p(library.FcCharSetCreate())
        fonts = library.FcConfigGetFonts(c_void_p(library.FcInitLoadConfigAndFonts()), 0)
        for at in range(fonts.contents.count if fonts else 0):
            letters = c_void_p()
            if library.FcPatternGetCharSet(fonts.contents.fonts[at], b"charset", 0, byref(letters)) == 0:
                library.FcCharSetMerge(self._letters, letters, None)

    def __contains__(self, letter: str) -> bool:
        return bool(self._library.FcCharSetHasChar(self._letters, ord(letter)))


@lru_cache(maxsize=1)
def _load_letters() -> _Letters | None:
    """Load the letters of fonts.

    Returns None if fontconfig is missing, without which nothing is printed.
    """
    try:
        return _Letters()
    except (OSError, AttributeError):
        return None


@lru_cache(maxsize=4096)
def _can_print_letter(letter: str) -> bool:
    letters = _load_letters()
    if letters is None or unicodedata.category(letter) in INVISIBLE or letter in VARIATION_SELECTORS:
        return True
    if letter in letters:
        return True
    letter_parts = unicodedata.normalize("NFD", letter)
    return len(letter_parts) > 1 and all(each in letters for each in letter_parts)


def can_print(text: str) -> bool:
    """Return whether the fonts have every letter of a text."""
    return all(map(_can_print_letter, unicodedata.normalize("NFC", text)))


def find_script(letter: str) -> Script:
    """Return the script of a letter; one that is not listed is named by Unicode."""
    word = unicodedata.name(letter, "OTHER").split("-")[0].split()[0]
    if word in SCRIPTS:
        return SCRIPTS[word]
    if ord(letter) >= 0x1F000:
        return SIGNS[1]
    return Script(word.capitalize(), letter, NOTO)


def list_missing_scripts(texts: Iterable[str]) -> list[Script]:
    """Return the scripts of the letters that no font has, each once, by name."""
    letters = set(unicodedata.normalize("NFC", "".join(texts)))
    scripts = {find_script(letter) for letter in letters if not _can_print_letter(letter)}
    return sorted({script.name: script for script in scripts}.values(), key=lambda script: script.name)


def _list_expected_scripts() -> Iterator[Script]:
    yield from SCRIPTS.values()
    yield SIGNS[0]


def find_scripts_without_font() -> list[Script]:
    """Find the expected scripts that no font has.

    If fontconfig cannot be loaded, these are all of them.
    """
    is_loaded = _load_letters() is not None
    scripts = {
        script.name: script
        for script in _list_expected_scripts()
        if not is_loaded or not can_print(script.letters)
    }
    return list(scripts.values())


def list_packages(scripts: Iterable[Script]) -> list[str]:
    """Return the packages of Debian with fonts for these scripts, each once."""
    return list(dict.fromkeys(script.package for script in scripts))
