"""Texts and dot matrices that fill the placeholders of a printed page."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

FULL_SIZE = 100


@dataclass(frozen=True, slots=True)
class SizedText:
    """A text on one line.

    `step` is its size in percent, `rise` how many millimeters it is too high.
    """

    text: str
    step: float = FULL_SIZE
    rise: float = 0

    def __html__(self) -> SafeString:
        text = conditional_escape(self.text)
        return SafeString(text if self.step == FULL_SIZE else f'<i class="t{self.step}">{text}</i>')

    def __str__(self) -> str:
        return self.__html__()


@dataclass(frozen=True, slots=True)
class DotMatrix:
    """A square picture of `side` by `side` dots.

    It has rows from the top, eight dots a byte, and 1 for white.
    """

    side: int
    rows: bytes


@dataclass(frozen=True, slots=True)
class FillMark:
    """A stripe or an empty box: its corner and its size in millimeters.

    The corner is measured from that of its element.
    """

    x: float
    y: float
    width: float
    height: float
    is_filled: bool = True


@dataclass(frozen=True, slots=True)
class Marks:
    """The stripes and boxes of a list."""

    marks: tuple[FillMark, ...]


SizedLine = Sequence[SizedText]
Fill = Sequence[SizedLine] | DotMatrix | Marks


class FillablePage(Protocol):
    """A page that is set once for all of its `shape` and then filled.

    `blank` is the page with something in every place; `fills` are what goes there, element by element in
    the order of the page: the lines of a block, each of one word or more, or the dots of a code.
    """

    @property
    def shape(self) -> Hashable:
        """Pages of one shape differ only in their fills."""

    def blank(self) -> object:
        """Return the page to be set."""

    def fills(self) -> list[Fill]:
        """Return what is written into it."""


FILL_PLACEHOLDER = SizedText("0")


def make_single_lines(words: Sequence[SizedText]) -> list[SizedLine]:
    """Return lines of one word."""
    return [(word,) for word in words]
