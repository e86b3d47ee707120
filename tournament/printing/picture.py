"""A bracket as a picture: boxes and lines in millimetres, one side of the bracket a page or more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tournament.models import Event, Stage
from tournament.printing.asked import Asked
from tournament.printing.measure import STEPS, shortened, step_for
from tournament.selectors.bracket import BracketColumn, BracketPart, BracketSlot, bracket_view

# A page lying on its side, without margins and heads, in tenths of a millimetre.
SIZE = {"A4": (2690, 1640), "Letter": (2510, 1700)}
MOST_ROWS = 16
MOST_COLUMNS = 8
GAP = 80
TALLEST = 200
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
    """Every side of the bracket in pictures of one page; a large side goes on over several."""
    stage = elimination_of(asked.event)
    parts = bracket_view(stage) if stage is not None else []
    width, height = SIZE[asked.paper]
    found = [picture for part in parts for picture in _pictures(part, width, height)]
    return {"pictures": found, "width": width, "height": height}


def elimination_of(event: Event) -> Stage | None:
    """The bracket of an event, if it has one."""
    return event.stages.filter(kind__in=(Stage.Kind.SINGLE, Stage.Kind.DOUBLE)).last()


def _pictures(part: BracketPart, width: int, height: int) -> list[Picture]:
    """A part whole where it fits, else its first columns in pieces and the rest after them."""
    deep = max((len(column.slots) for column in part.columns), default=0)
    pieces = -(-deep // MOST_ROWS)
    if pieces <= 1:
        return _across(part.name, part.columns, width, height)
    made: list[Picture] = []
    for at in range(pieces):
        columns = [_piece(column, at, pieces) for column in part.columns if len(column.slots) >= pieces]
        made += _across(f"{part.name or 'Bracket'}, part {at + 1} of {pieces}", columns, width, height)
    rest = [column for column in part.columns if len(column.slots) < pieces]
    return made + (_across(f"{part.name or 'Bracket'}, the last rounds", rest, width, height) if rest else [])


def _piece(column: BracketColumn, at: int, pieces: int) -> BracketColumn:
    share = -(-len(column.slots) // pieces)
    return BracketColumn(column.name, column.slots[at * share : (at + 1) * share], column.lines)


def _across(name: str, columns: list[BracketColumn], width: int, height: int) -> list[Picture]:
    cuts = [columns[at : at + MOST_COLUMNS] for at in range(0, len(columns), MOST_COLUMNS)]
    return [_draw(name, cut, width, height) for cut in cuts]


def _draw(name: str, columns: list[BracketColumn], width: int, height: int) -> Picture:
    rows = max(len(column.slots) for column in columns)
    room = min((width - EDGE) // len(columns) + GAP // 8, WIDEST)
    tall = min((height - HEAD) // max(rows, 1) - 20, TALLEST)
    size = max(min(tall // 5, 32), 16)
    boxes: list[tuple[int, int, int, int]] = []
    path: list[str] = []
    texts: list[Text] = []
    middles: list[list[int]] = []
    for at, column in enumerate(columns):
        left = at * room + EDGE
        middles.append(_middles(column, middles[-1] if middles else None, columns[at - 1], height))
        texts.append(Text(left, 44, column.name, "t"))
        for slot, middle in zip(column.slots, middles[-1], strict=True):
            if slot is not None:
                boxes.append((left, middle - tall // 2, room - GAP, tall))
                texts += _names(slot, left, middle, room - GAP, tall, size)
    for at in range(len(columns) - 1):
        path += _lines(columns[at], middles[at], middles[at + 1], at * room + EDGE + room - GAP)
    return Picture(name, boxes, "".join(path), texts, size)


def _middles(
    column: BracketColumn, before: list[int] | None, earlier: BracketColumn, height: int
) -> list[int]:
    """The height of each box: between the two that lead to it, else spread over the page."""
    if before is not None and earlier.lines == "joined":
        return [
            sum(before[2 * at : 2 * at + 2]) // len(before[2 * at : 2 * at + 2])
            for at in range(len(column.slots))
        ]
    if before is not None and earlier.lines == "straight" and len(before) >= len(column.slots):
        return before[: len(column.slots)]
    share = (height - HEAD) // max(len(column.slots), 1)
    return [HEAD + share * at + share // 2 for at in range(len(column.slots))]


def _names(slot: BracketSlot, left: int, middle: int, room: int, tall: int, size: int) -> list[Text]:
    made: list[Text] = []
    for side, y in zip(slot.sides, (middle - tall // 8, middle + tall * 3 // 8), strict=True):
        name = side.player.name if side.player else ""
        mm, points = (room - 130) / 10, size / POINT
        step = step_for(name, mm, points) or STEPS[-1]
        fitted = shortened(name, mm, points * step / 100)
        css = "w" if side.is_winner else "n"
        made.append(Text(left + 14, y, str(side.seed) if side.seed is not None else "", "s"))
        made.append(Text(left + 66, y, fitted, css, size * step // 100))
        made.append(Text(left + room - 14, y, str(side.games) if side.games is not None else "", "g"))
    if slot.is_open and slot.match is not None and slot.match.table:
        made.append(Text(left + room - 14, middle - tall // 8, f"table {slot.match.table}", "g"))
    return made


def _lines(column: BracketColumn, here: list[int], after: list[int], right: int) -> list[str]:
    half = GAP // 2
    made: list[str] = []
    for at, (slot, y) in enumerate(zip(column.slots, here, strict=True)):
        to = at // 2 if column.lines == "joined" else at if column.lines == "straight" else len(after)
        if slot is not None and to < len(after):
            made.append(f"M{right} {y}h{half}V{after[to]}h{GAP - half}")
    return made
