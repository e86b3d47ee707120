"""Template tag that draws a bracket as boxes, lines and names."""

from __future__ import annotations

from dataclasses import dataclass

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from tournament.brackets.selectors.picture import BracketPart, BracketSide, BracketSlot
from tournament.engine.brackets.diagram import DiagramFrame, RoundShape, lay_out_diagram
from tournament.events.models.event import Event
from tournament.shared.text import fits_width, shorten_text

register = template.Library()

BOX, TALL, GAP, HEAD, EDGE = 224, 58, 40, 34, 2
SLOT_HEIGHT = TALL + 30
NAME_LEFT, GAMES_ROOM = 36, 30
NAME_PIXELS, SMALL_PIXELS = 14, 12
PIXELS_PER_REM = 16
MM_PER_PIXEL = 25.4 / 96
POINTS_PER_PIXEL = 0.75


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """One player in a box: where the words stand, the words as far as they fit, and their size in pixels."""

    side: BracketSide
    y: int
    words: str
    size: int

    @property
    def css(self) -> str:
        """The class that shows who is waited for, who won and who lost; empty while it is played."""
        if self.side.player is None:
            return "is-waiting"
        return "is-winner" if self.side.is_winner else "is-loser" if self.side.is_loser else ""


@dataclass(frozen=True, slots=True)
class MatchBox:
    """One match: where its box lies, what stands in it, and the page it leads to (empty: none)."""

    slot: BracketSlot
    x: int
    y: int
    middle: int
    lines: tuple[PlayerLine, PlayerLine]
    href: str


@dataclass(frozen=True, slots=True)
class BracketDrawing:
    """One side of a bracket, drawn; `titles` are the names of its rounds and where they begin."""

    width: int
    height: int
    titles: list[tuple[int, str]]
    boxes: list[MatchBox]
    path: str

    @property
    def rem(self) -> str:
        """The width that it has on a page, so that it grows with the type of the reader."""
        return f"{self.width / PIXELS_PER_REM:g}rem"


@register.simple_tag
def bracket_picture(part: BracketPart, event: Event | None = None, leads_to: str = "") -> BracketDrawing:
    """Draw one side of a bracket; each match leads to that page of the event, if one is named."""
    places = max(len(column.slots) for column in part.columns)
    frame = DiagramFrame(BOX, TALL, GAP, EDGE, HEAD, HEAD + places * SLOT_HEIGHT)
    diagram = lay_out_diagram(
        [RoundShape([bool(slot) for slot in each.slots], each.lines) for each in part.columns], frame
    )
    boxes = [
        _box(slot, frame.left_of(index), middle, _address(slot, event, leads_to))
        for index, (column, middles) in enumerate(zip(part.columns, diagram.middles, strict=True))
        for slot, middle in zip(column.slots, middles, strict=True)
        if slot is not None
    ]
    titles = [
        (frame.left_of(index), _shorten_title(column.name)) for index, column in enumerate(part.columns)
    ]
    return BracketDrawing(
        frame.left_of(len(part.columns)) - GAP + EDGE, frame.height, titles, boxes, diagram.path
    )


def _shorten_title(title: str) -> str:
    """The title of a round, as wide as its boxes and the room behind them."""
    return shorten_text(title, (BOX + GAP * 3 // 4) * MM_PER_PIXEL, SMALL_PIXELS * POINTS_PER_PIXEL)


def _address(slot: BracketSlot, event: Event | None, leads_to: str) -> str:
    return reverse(leads_to, args=[event.slug, slot.match.pk]) if event and leads_to and slot.match else ""


def _box(slot: BracketSlot, left_edge: int, middle: int, href: str) -> MatchBox:
    one, two = slot.sides
    lines = _line(one, middle - TALL // 4), _line(two, middle + TALL // 4)
    return MatchBox(slot, left_edge, middle - TALL // 2, middle, lines, href)


def _line(side: BracketSide, middle: int) -> PlayerLine:
    words = side.player.name if side.player else side.waiting_text
    mm, points = (BOX - NAME_LEFT - GAMES_ROOM) * MM_PER_PIXEL, NAME_PIXELS * POINTS_PER_PIXEL
    size = NAME_PIXELS if fits_width(words, mm, points) else SMALL_PIXELS
    return PlayerLine(side, middle + NAME_PIXELS // 3, shorten_text(words, mm, size * POINTS_PER_PIXEL), size)


@register.filter
def side_words(side: BracketSide) -> SafeString:
    """A side of a match in the bracket as a list: the name, bold for the winner, and the seed."""
    name = side.player.name if side.player else side.waiting_text
    shown_name = format_html("<strong>{}</strong>", name) if side.is_winner else name
    seed = format_html(' <span class="muted small">({})</span>', side.seed) if side.seed else ""
    return format_html("{}{}", shown_name, seed)


@register.filter
def winner_in_bold(side: BracketSide) -> SafeString:
    """The name of a side of a played match, bold for the winner."""
    name = side.player.name if side.player else side.waiting_text
    return format_html("<b>{}</b>" if side.is_winner else "{}", name)


@register.filter
def plus(value: int, more: int) -> int:
    """A place in a picture, moved."""
    return value + more
