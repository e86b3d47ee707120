"""Template tag that draws a bracket as boxes, lines and names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournament.brackets.selectors.picture import BracketPart, BracketSide, BracketSlot
from tournament.engine.brackets.diagram import DiagramFrame, RoundShape, lay_out_diagram
from tournament.events.models.event import Event
from tournament.shared.text import fits_width, shorten_text, wrap_text, wrap_words

register = template.Library()

# Boxes are as wide as their longest name needs, and at most as wide as a small phone shows.
BOX_WIDTHS = (224, 256, 284)
TALL, GAP, HEAD, EDGE = 58, 40, 34, 2
SLOT_HEIGHT = TALL + 30
NAME_LEFT, GAMES_ROOM = 36, 30
NAME_PIXELS, SMALL_PIXELS = 14, 12
LINE_SPACING = 1.1
# Sizes of a name in pixels and its lines: of whole words, and of one that breaks inside a word.
WHOLE_WORD_SIZES = ((NAME_PIXELS, 1), (SMALL_PIXELS, 1), (SMALL_PIXELS, 2), (11, 2))
BROKEN_WORD_SIZES = ((11, 2), (10, 2), (9, 3), (8, 3))
# A line of one long word is set this much narrower before the word breaks.
NARROW = 0.75
PIXELS_PER_REM = 16
# A page has 65 rem for it.
MOST_SHRUNK_REM = 80
MM_PER_PIXEL = 25.4 / 96
POINTS_PER_PIXEL = 0.75


@dataclass(frozen=True, slots=True)
class NameLine:
    """One line of a name and where it is.

    It also has the pixels that the line is set narrower to (0: as it is).
    """

    text: str
    y: int
    narrow_to: int


@dataclass(frozen=True, slots=True)
class FittedName:
    """A name in the size and the lines that fit into its room of so many pixels."""

    size: int
    texts: tuple[str, ...]
    room: int

    def place_lines(self, middle: int) -> Iterator[NameLine]:
        """Yield the lines around the middle of the room."""
        pitch = self.size * LINE_SPACING
        top = middle + self.size // 3 - pitch * (len(self.texts) - 1) / 2
        for at, text in enumerate(filter(None, self.texts)):
            narrow_to = 0 if _fits(text, self.room, self.size) else self.room
            yield NameLine(text, round(top + pitch * at), narrow_to)


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One player in a box.

    It has the positions of seed and games, and the name in its lines and size in pixels.
    """

    side: BracketSide
    y: int
    texts: tuple[NameLine, ...]
    size: int

    @property
    def css(self) -> str:
        """Return the class for a side that is awaited, won or lost.

        It is empty while the match is played.
        """
        if self.side.player is None:
            return "is-waiting"
        return "is-winner" if self.side.is_winner else "is-loser" if self.side.is_loser else ""


@dataclass(frozen=True, slots=True)
class MatchBox:
    """One match: where its box lies, its content and the page it leads to (or empty)."""

    slot: BracketSlot
    x: int
    y: int
    middle: int
    wide: int
    lines: tuple[PlayerLine, PlayerLine]
    href: str


@dataclass(frozen=True, slots=True)
class BracketDrawing:
    """One side of a bracket, drawn.

    `titles` are the names of its rounds and where they begin.
    """

    width: int
    height: int
    titles: list[tuple[int, str]]
    boxes: list[MatchBox]
    path: str

    @property
    def rem(self) -> str:
        """The width that it has on a page, so that it grows with the type of the reader."""
        return f"{self.width / PIXELS_PER_REM:g}rem"

    @property
    def may_shrink(self) -> bool:
        """Return whether the bracket is only slightly wider than a page.

        Its names are still readable if it is printed narrower.
        """
        return self.width <= MOST_SHRUNK_REM * PIXELS_PER_REM


@register.simple_tag
def bracket_picture(part: BracketPart, event: Event | None = None, leads_to: str = "") -> BracketDrawing:
    """Draw one side of a bracket.

    Each match links to the given page of the event, if one is named.
    """
    places = max(len(column.slots) for column in part.columns)
    wide = _choose_box_width(part)
    frame = DiagramFrame(wide, TALL, GAP, EDGE, HEAD, HEAD + places * SLOT_HEIGHT)
    diagram = lay_out_diagram(
        [RoundShape([bool(slot) for slot in each.slots], each.lines) for each in part.columns], frame
    )
    boxes = [
        _box(slot, frame.left_of(index), middle, wide, _address(slot, event, leads_to))
        for index, (column, middles) in enumerate(zip(part.columns, diagram.middles, strict=True))
        for slot, middle in zip(column.slots, middles, strict=True)
        if slot is not None
    ]
    titles = [
        (frame.left_of(index), _shorten_title(column.name, wide)) for index, column in enumerate(part.columns)
    ]
    return BracketDrawing(
        frame.left_of(len(part.columns)) - GAP + EDGE, frame.height, titles, boxes, diagram.path
    )


def _choose_box_width(part: BracketPart) -> int:
    """Return the narrowest boxes in which no word of a name breaks."""
    slots = [slot for column in part.columns for slot in column.slots if slot is not None]
    names = {_side_text(side) for slot in slots for side in slot.sides}
    fitting = (wide for wide in BOX_WIDTHS if all(_fit_whole_words(name, _name_room(wide)) for name in names))
    return next(fitting, BOX_WIDTHS[-1])


def _shorten_title(title: str, wide: int) -> str:
    """Return the title of a round, as wide as its boxes and the room behind them."""
    return shorten_text(title, (wide + GAP * 3 // 4) * MM_PER_PIXEL, SMALL_PIXELS * POINTS_PER_PIXEL)


def _address(slot: BracketSlot, event: Event | None, leads_to: str) -> str:
    return reverse(leads_to, args=[event.slug, slot.match.pk]) if event and leads_to and slot.match else ""


def _box(slot: BracketSlot, left_edge: int, middle: int, wide: int, href: str) -> MatchBox:
    one, two = slot.sides
    lines = _line(one, middle - TALL // 4, wide), _line(two, middle + TALL // 4, wide)
    return MatchBox(slot, left_edge, middle - TALL // 2, middle, wide, lines, href)


def _line(side: BracketSide, middle: int, wide: int) -> PlayerLine:
    fitted_name = fit_bracket_name(_side_text(side), _name_room(wide))
    texts = tuple(fitted_name.place_lines(middle))
    return PlayerLine(side, middle + NAME_PIXELS // 3, texts, fitted_name.size)


def _side_text(side: BracketSide) -> str:
    return side.player.name if side.player else side.waiting_text


def _name_room(wide: int) -> int:
    return wide - NAME_LEFT - GAMES_ROOM


def _fits(text: str, room: float, size: int) -> bool:
    return fits_width(text, room * MM_PER_PIXEL, size * POINTS_PER_PIXEL)


def fit_bracket_name(name: str, room: int) -> FittedName:
    """Return the name in the largest type that fits.

    It breaks inside a word only if nothing else helps.
    """
    return _fit_whole_words(name, room) or _break_words(name, room)


def _fit_whole_words(name: str, room: int) -> FittedName | None:
    tries = [*((size, most, float(room)) for size, most in WHOLE_WORD_SIZES), (11, 2, room / NARROW)]
    for size, most, wide in tries:
        lines = wrap_words(name, wide * MM_PER_PIXEL, size * POINTS_PER_PIXEL)
        if lines is not None and len(lines) <= most:
            return FittedName(size, tuple(lines), room)
    return None


def _break_words(name: str, room: int) -> FittedName:
    for size, most in BROKEN_WORD_SIZES:
        lines = wrap_text(name, room * MM_PER_PIXEL, size * POINTS_PER_PIXEL)
        if len(lines) <= most:
            break
    return FittedName(size, tuple(lines[:most]), room)


@register.filter
def side_words(side: BracketSide) -> SafeString:
    """Return one side of a match for the bracket shown as a list.

    It consists of the name, bold for the winner, and the seed.
    """
    name = _side_text(side)
    shown_name = format_html("<strong>{}</strong>", name) if side.is_winner else name
    seed = format_html(' <span class="muted small">({})</span>', side.seed) if side.seed else ""
    return format_html("{}{}", shown_name, seed)


@register.filter
def winner_in_bold(side: BracketSide) -> SafeString:
    """Return the name of a side of a played match, bold for the winner."""
    name = _side_text(side)
    return format_html("<b>{}</b>" if side.is_winner else "{}", name)


@register.filter
def plus(value: int, more: int) -> int:
    """Return a place in a picture, moved."""
    return value + more
