"""Fit a name that stands alone in its room: smaller, then on several small lines.

Lines are the smaller and closer the more there are, so that all of them end inside the room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from tournament.shared.page_fills import FULL_SIZE, SizedLine, SizedText
from tournament.shared.text import LEAST_POINTS, find_size_step, wrap_text, wrap_words

# How far below the line of large letters the last of one or two small lines is, in millimeters.
SHORT_DROP = 0.6


@dataclass(frozen=True, slots=True)
class SmallType:
    """A type for several lines, which the style sheet has for the browser.

    It has its class, its size, how far apart the lines are, and how far the last of them is below the line of
    large letters.
    """

    css: str
    points: float
    line_mm: float
    drop_mm: float = SHORT_DROP

    def place_lines(self, lines: Sequence[str], points: float) -> SizedLine:
        """Return the lines as they are placed on a line of larger type."""
        step = self.points * FULL_SIZE / points
        drop = SHORT_DROP if len(lines) <= 2 else self.drop_mm
        return [
            SizedText(text, step, self.line_mm * (len(lines) - at) - drop) for at, text in enumerate(lines, 1)
        ]


@dataclass(frozen=True, slots=True)
class NameRoom:
    """The room of a name: its width and its type.

    The small types are for at most two lines, three and so on.
    """

    mm: float
    points: float
    small_types: tuple[SmallType, ...]

    def fit(self, name: str) -> SizedLine:
        """Return a name fitted to the room.

        Words break only if they cannot be read otherwise.
        """
        step = find_size_step(name, self.mm, self.points)
        if step is not None:
            return (SizedText(name, step),)
        for count, small in enumerate(self.small_types, 2):
            words = wrap_words(name, self.mm, small.points) if small.points >= LEAST_POINTS else None
            if words and len(words) <= count:
                return small.place_lines(words, self.points)
        for count, small in enumerate(self.small_types, 2):
            lines = wrap_text(name, self.mm, small.points)
            if len(lines) <= count:
                break
        return small.place_lines(lines, self.points)

    def render(self, line: SizedLine) -> SafeString:
        """Return a fitted name for a browser."""
        for small in self.small_types:
            if line[0].step == small.points * FULL_SIZE / self.points:
                words = "<br>".join(conditional_escape(text.text) for text in line)
                css = f"{small.css} is-short" if len(line) <= 2 else small.css
                return SafeString(f'<i class="in-lines {css}">{words}</i>')
        return line[0].__html__()
