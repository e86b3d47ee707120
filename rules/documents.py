"""Documents of rules: what they say about single cards, and what stays unread.

    read = find_reader(game)
    document = read(text)
    document.paragraphs    # the cards and the wording of each paragraph that could be read
    document.unread        # what could not be read, each with its paragraph and the reason

A game whose documents can be read has a module `document` with a function `read_document`. A paragraph that
does not name a card in the notation of the game is listed as unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from rules.game import Game
from rules.library import load_game_module
from rules.reason import Reason
from rules.rendering import render

Meaning = Literal["ban", "text", "keyword", "wording", "as-printed", "same", "distinct"]


@dataclass(frozen=True, slots=True)
class NamedCard:
    """A card as the document names it.

    `dots` is None if no rank dots are at the name. `stray_dots` are dots that are between set and number,
    where they belong to no name. A card without a set may have several `ids`, and `facts` that tell it from
    others of its name: parts of an entry that the game declares.
    """

    name: str
    set_code: str = ""
    number: int = 0
    set_size: int = 0
    dots: int | None = None
    stray_dots: int = 0
    ids: tuple[str, ...] = ()
    facts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CardStatement:
    """The content of one paragraph or list line about the cards that it names.

    `clause` is its number as the document gives it, `line` where it begins, `text` what is written there.
    `says` is the part of it that tells what is new, `number` the erratum's own where the clause is none.
    """

    meaning: Meaning
    clause: str
    line: int
    text: str
    cards: tuple[NamedCard, ...]
    says: str = ""
    plays_differently: bool = True
    number: str = ""

    @property
    def is_ban(self) -> bool:
        return self.meaning == "ban"


@dataclass(frozen=True, slots=True)
class UnreadParagraph:
    """A paragraph that could not be read, and why.

    `is_ban` tells in which of the two lists it was.
    """

    clause: str
    line: int
    text: str
    why: Reason
    is_ban: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A whole document.

    Holds its title, version and day as written, and what its sections say of cards. `problems` are those of
    the document as a whole, such as a section that is missing.
    """

    title: str
    version: str
    as_of: str
    paragraphs: tuple[CardStatement, ...]
    unread: tuple[UnreadParagraph, ...]
    problems: tuple[Reason, ...] = ()

    @property
    def problem_words(self) -> list[str]:
        """The problems in words, a sentence each."""
        return [render("reason", each) for each in self.problems]


def cite_line(line: int) -> str:
    """Return the clause of a paragraph in a document without numbers: its line."""
    return f"l.{line}"


DocumentReader = Callable[[str], Document]


def find_reader(game: Game) -> DocumentReader | None:
    """Return what reads a document of the game; None if its documents cannot be read.

    Readers never raise.
    """
    # Any: a module of a game, whose functions no one declares.
    module: Any = load_game_module(game, "document")
    return getattr(module, "read_document", None)


# The page number that is alone where a page of a printed document ends.
_PAGE_NUMBER = re.compile(r"^(?:page\s+)?\d{1,3}$", re.IGNORECASE)


@dataclass(slots=True)
class TextLine:
    """A line of the source, counted from 1, without the space around it."""

    line: int
    text: str


def split_lines(text: str) -> Iterator[TextLine]:
    """Yield the lines that have text.

    Page breaks, page numbers and emphasis marks are omitted.
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n").replace("\xa0", " ")
    for line, written_line in enumerate(plain.split("\n"), 1):
        plain_text = " ".join(written_line.replace("**", "").split())
        if plain_text and not _PAGE_NUMBER.match(plain_text):
            yield TextLine(line, plain_text)
