"""Texts outside brackets on a page in the pseudo-locale."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html.parser import HTMLParser

from tests.translations.pseudo import CLOSE, OPEN

READ_ATTRIBUTES = frozenset({"aria-label", "title", "alt", "placeholder", "data-announce", "data-copied"})
VOID = frozenset({"br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"})
# A sentence may go on through these, brackets and all.
INLINE = frozenset({"a", "abbr", "b", "bdi", "code", "em", "i", "kbd", "span", "strong", "time", *VOID})
# Texts that people typed, and titles, which contain names without marks.
UNREAD = frozenset({"script", "style", "svg", "code", "kbd", "pre", "textarea", "title"})
# The name of the software, file types and paper.
SAME_EVERYWHERE = frozenset({"Ringside", "CSV", "JSON", "PDF", "UTC", "API", "Letter", "QR"})
# Abbreviations, of zones and tiebreakers, are the same in every language.
WORD = re.compile(r"[A-Za-z]{2,}[a-z]")


class PageReader(HTMLParser):
    """A reader that gathers texts with words outside brackets.

    It leaves out what `translate="no"` leaves alone. A part in English that says so, as the title of a page
    of the guide does, is left alone too.
    """

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.depth = 0
        self.texts: list[str] = []
        self.all_texts: set[str] = set()
        self.names: set[str] = set()

    @property
    def is_left_alone(self) -> bool:
        """Whether an element around this place is not translated or not read."""
        return any(alone for _, alone in self.open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the attributes, and whether the element is left alone."""
        attributes = dict(attrs)
        alone = attributes.get("translate") == "no" or tag in UNREAD or attributes.get("lang") == "en"
        if not (alone or self.is_left_alone):
            for name in READ_ATTRIBUTES & attributes.keys():
                self._note(attributes[name] or "", 0)
        self.depth *= tag in INLINE
        if tag not in VOID:
            self.open.append((tag, alone))

    def handle_endtag(self, tag: str) -> None:
        """Close the element and all that was left open in it."""
        places = [place for place, (name, _) in enumerate(self.open) if name == tag]
        if places:
            del self.open[places[-1] :]
        self.depth *= tag in INLINE

    def handle_data(self, data: str) -> None:
        """Note a text, and whether a sentence is open behind it."""
        if self.is_left_alone:
            self.names.add(" ".join(data.split()))
        else:
            self._note(data, self.depth)
        self.depth = max(0, self.depth + data.count(OPEN) - data.count(CLOSE))

    def _note(self, text: str, depth: int) -> None:
        self.all_texts.add(" ".join(text.split()))
        if not WORD.search(text):
            return
        outside = ""
        for sign in text:
            depth += sign == OPEN
            outside += " " if depth else sign
            depth = max(0, depth - (sign == CLOSE))
        if _find_words(outside):
            self.texts.append(" ".join(text.split()))


def longest_first(names: Iterable[str]) -> list[str]:
    """Order names for `find_english`: a name may hold another."""
    return sorted(names, key=len, reverse=True)


def find_english(text: str, names: Sequence[str]) -> set[str]:
    """Return unaccented words of a text that are in none of these names.

    The longest name comes first. The words may be in brackets or not.
    """
    if not _find_words(text):
        return set()
    for name in names:
        text = text.replace(name, " ")
    return _find_words(text)


def _find_words(text: str) -> set[str]:
    return set(WORD.findall(text)) - SAME_EVERYWHERE


def read_page(html: str) -> PageReader:
    """Return a parsed page.

    It has texts that no one can translate, and names that one of its elements leaves alone.
    """
    reader = PageReader()
    reader.feed(html)
    reader.close()
    return reader
