"""A bracket as a picture: boxes and lines in millimetres, one side of the bracket a page or more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tournament.engine.bracket_drawing import Frame, Shape, drawn
from tournament.models import Event, Stage
from tournament.printing.asked import Asked
from tournament.printing.measure import STEPS, shortened, step_for
from tournament.selectors.bracket import (
    BracketColumn,
    BracketPart,
    BracketSide,
    BracketSlot,
    bracket_view,
    in_pieces,
)

# A page lying on its side, without margins and heads, in tenths of a millimetre.
SIZE = {"A4": (2690, 1640), "Letter": (2510, 1700)}
MOST_ROWS = 16
MOST_COLUMNS = 8
GAP = 80
# Between two boxes stands the number of the lower one.
ABOVE = 34
TALLEST = 200
SMALLEST, LARGEST = 16, 42
STRIP = 340
WIDEST = 860
HEAD = 80
EDGE = 5
POINT = 3.528


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text in the picture."""

    x: int
    y: int
    words: str
    css: str
    size: int = 0


@dataclass(frozen=True, slots=True)
class Picture:
    """One page: its heading, boxes as (x, y, width, height), one path of lines, texts, and the type size."""

    name: str
    boxes: list[tuple[int, int, int, int]]
    path: str
    texts: list[Text]
    size: int


def bracket(asked: Asked) -> dict[str, Any]:
    """Every side of the bracket in pictures of one page; a large side goes on over several.

    What is one match high (a match for third place, the grand final) stands below the side before it.
    """
    stage = elimination_of(asked.event)
    parts = bracket_view(stage) if stage is not None else []
    width, height = SIZE[asked.paper]
    found: list[Picture] = []
    for place, part in enumerate(parts):
        if found and part.is_low:
            found[-1] = _with_strip(found[-1], part, width, height)
            continue
        below = place + 1 < len(parts) and parts[place + 1].is_low
        found += _pictures(part, width, height - STRIP if below else height)
    return {"pictures": found, "width": width, "height": height}


def _with_strip(above: Picture, part: BracketPart, width: int, height: int) -> Picture:
    """A picture with a part of one row at its foot."""
    strip = _draw(part.name, part.columns, width, height, height - STRIP)
    name = f"{above.name} and {part.name.lower()}" if above.name else f"with {part.name.lower()}"
    return Picture(
        name, above.boxes + strip.boxes, above.path + strip.path, above.texts + strip.texts, above.size
    )


def elimination_of(event: Event) -> Stage | None:
    """The bracket of an event, if it has one."""
    return event.stages.filter(kind__in=(Stage.Kind.SINGLE, Stage.Kind.DOUBLE)).last()


def _pictures(part: BracketPart, width: int, height: int) -> list[Picture]:
    """A part in pictures of a page: whole where it fits, else in pieces."""
    pieces = in_pieces(part, MOST_ROWS)
    return [made for piece in pieces for made in _across(piece.name, piece.columns, width, height)]


def _across(name: str, columns: list[BracketColumn], width: int, height: int) -> list[Picture]:
    cuts = [columns[at : at + MOST_COLUMNS] for at in range(0, len(columns), MOST_COLUMNS)]
    return [_draw(name, cut, width, height) for cut in cuts]


def _draw(name: str, columns: list[BracketColumn], width: int, height: int, top: int = 0) -> Picture:
    rows = max(len(column.slots) for column in columns)
    tall = min((height - top - HEAD) // max(rows, 1) - ABOVE, TALLEST)
    box = min((width - EDGE) // len(columns) + GAP // 8, WIDEST) - GAP
    size = max(min(tall * 2 // 5, box // 11, LARGEST), SMALLEST)
    frame = Frame(box, tall, GAP, EDGE, top + HEAD, height)
    made = drawn([Shape([bool(slot) for slot in each.slots], each.lines) for each in columns], frame)
    boxes: list[tuple[int, int, int, int]] = []
    texts: list[Text] = []
    for at, (column, middles) in enumerate(zip(columns, made.middles, strict=True)):
        left = frame.left_of(at)
        texts.append(Text(left, top + 44, column.name, "t"))
        for slot, middle in zip(column.slots, middles, strict=True):
            if slot is not None:
                boxes.append((left, middle - tall // 2, box, tall))
                texts += _names(slot, left, middle, box, tall, size)
    return Picture(name, boxes, made.path, texts, size)


def _names(slot: BracketSlot, left: int, middle: int, room: int, tall: int, size: int) -> list[Text]:
    above = middle - tall // 2 - 6
    made = [Text(left + 2, above, str(slot.id), "m")]
    for side, y in zip(slot.sides, (middle - tall // 4, middle + tall // 4), strict=True):
        y += size // 3
        made.append(Text(left + 14, y, str(side.seed) if side.seed is not None else "", "s", size))
        seed, games = 22 + size * 3 // 2, 20 + size
        made.append(_name(side, left + seed, y, (room - seed - games) / 10, size))
        made.append(Text(left + room - 14, y, str(side.games) if side.games is not None else "", "g", size))
    if slot.is_open and slot.match is not None and slot.match.table:
        made.append(Text(left + room - 2, above, f"table {slot.match.table}", "p"))
    return made


def _name(side: BracketSide, left: int, y: int, mm: float, size: int) -> Text:
    """The player, set smaller or shortened until he fits; before he is known, where he comes from."""
    words = side.player.name if side.player else side.waits
    step = step_for(words, mm, size / POINT) or STEPS[-1]
    css = "w" if side.is_winner else "n" if side.player else "e"
    return Text(left, y, shortened(words, mm, size / POINT * step / 100), css, size * step // 100)
