"""A name on its line of a slip or form: as large as it fits, or on several small lines."""

from __future__ import annotations

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from tournament.shared.print_words import WHOLE, Line, Word
from tournament.shared.text_width import step_for, wrapped

# A name that is too long for its line stands on two small ones: their size, their distance, and how far the
# second hangs below, as the style sheet has it for the browser. A third moves all down by half a line.
SMALL_POINTS = 7.0
SMALL_LINE, SMALL_RISE = 2.8, -0.6


def name_line(name: str, mm: float, points: float) -> Line:
    """The words of a name for a line of so many millimetres, in a type of so many points."""
    step = step_for(name, mm, points)
    if step is not None:
        return (Word(name, step),)
    lines = wrapped(name, mm, SMALL_POINTS)
    small = SMALL_POINTS * WHOLE / points
    last = SMALL_RISE - SMALL_LINE / 2 * max(len(lines) - 2, 0)
    return [Word(text, small, last + SMALL_LINE * (len(lines) - at)) for at, text in enumerate(lines, 1)]


def line_html(line: Line) -> SafeString:
    """The same line for a browser."""
    if len(line) == 1:
        return conditional_escape(line[0])
    return SafeString(f'<i class="two">{"<br>".join(conditional_escape(word.text) for word in line)}</i>')
