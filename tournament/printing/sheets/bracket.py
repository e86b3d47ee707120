"""Bracket as a picture: boxes and lines in tenths of a millimeter, page by page."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext

from decks.shared.wording import say_reason
from rules.reason import Reason, reason
from tournament.brackets.selectors.picture import (
    BracketColumn,
    BracketPart,
    BracketSide,
    BracketSlot,
    load_bracket_view,
    split_part,
)
from tournament.engine.brackets.diagram import DiagramFrame, RoundShape, lay_out_diagram
from tournament.events.models.event import Event, Stage
from tournament.printing.columns import fit_line
from tournament.printing.request import PrintRequest
from tournament.shared.text import (
    SIZE_STEPS,
    SMALL_STEPS,
    find_size_step,
    shorten_text,
    wrap_text,
    wrap_words,
)

# A page lying on its side, without margins and heads, in tenths of a millimeter.
PAGE_SIZES = {"A4": (2690, 1640), "Letter": (2510, 1700)}
MAX_ROWS = 16
MAX_COLUMNS = 8
# The styles of a name, and what ends one that is cut.
NAME_STYLES, CUT_MARK = ("n", "w"), "…"
GAP = 80
# The number of the lower box is between two boxes.
SPACE_ABOVE_BOX = 34
MAX_BOX_HEIGHT = 200
MIN_TYPE, MAX_TYPE = 16, 42
STRIP_HEIGHT = 340
MAX_BOX_WIDTH = 860
HEADING_HEIGHT = 80
EDGE_WIDTH = 5
POINT = 3.528
LINE_SPACING = 1.15
HEADING_SIZE = 32
NUMBER_SIZE, TABLE_SIZE = 20, 22
# Height of the middle of a letter above its line, in percent of its size.
LETTER_MIDDLE_PERCENT = 31


@dataclass(frozen=True, slots=True)
class DrawingArea:
    """The part of a page for one side: to its right edge and down to its `height`."""

    width: int
    height: int
    left: int = EDGE_WIDTH
    top: int = 0
    boxes: int | None = None

    def box(self, columns: int) -> int:
        """Return how wide a box is where so many rounds are side by side."""
        return self.boxes or min((self.width - EDGE_WIDTH) // columns + GAP // 8, MAX_BOX_WIDTH) - GAP

    def above(self, strips: int = 1) -> DrawingArea:
        """Return all but so many strips at the foot."""
        return replace(self, height=self.height - strips * STRIP_HEIGHT)

    def foot(self, strips: int = 1) -> DrawingArea:
        """Return the uppermost of a given number of strips at the foot.

        Each strip has room for one match.
        """
        below = self.height - (strips - 1) * STRIP_HEIGHT
        return replace(self, top=below - STRIP_HEIGHT, height=below)

    def corner(self, columns: int, wanted_columns: int) -> DrawingArea:
        """Return the foot below the last rounds, which the final leaves free."""
        box = self.box(columns)
        left_edge = self.left + (columns - wanted_columns) * (box + GAP)
        return replace(self, left=left_edge, top=self.height - STRIP_HEIGHT, boxes=box)


@dataclass(frozen=True, slots=True)
class PictureText:
    """A line of text in the picture.

    `x` and `y` are where its first letter, or its last, is on the line.
    """

    x: int
    y: int
    words: str
    css: str
    size: int

    @property
    def is_at_end(self) -> bool:
        """Whether it ends at `x`: games and places."""
        return self.css in ("g", "p")

    @property
    def is_bold(self) -> bool:
        """Whether it is set bold: games, a winner, a title."""
        return self.css in ("g", "w", "t")

    @property
    def is_faint(self) -> bool:
        """Whether it is gray: neither bold nor a name nor a place."""
        return not self.is_bold and self.css not in ("n", "p")

    @property
    def place(self) -> str:
        """Return the same place for a renderer that sets text outside drawings only.

        It is the middle of the text, in millimeters.
        """
        top = self.y - self.size * LETTER_MIDDLE_PERCENT / 100
        return f"left:{self.x / 10}mm;top:{top / 10:.2f}mm;font-size:{self.size / 10}mm"


@dataclass(frozen=True, slots=True)
class BracketPicture:
    """One page of a bracket: its heading, boxes, lines, texts and type size.

    Boxes are (x, y, width, height). The lines are one path.
    """

    name: str
    boxes: list[tuple[int, int, int, int]]
    path: str
    texts: list[PictureText]
    size: int


def build_bracket(request: PrintRequest) -> dict[str, object]:
    """Return every side of the bracket in pictures of one page.

    A large side continues on several pages. A side that is one match high (a match for third place, the
    grand final) is at the foot of the side before.
    """
    stage = _find_elimination_stage(request.event)
    parts = load_bracket_view(stage) if stage is not None else []
    room = DrawingArea(*PAGE_SIZES[request.paper])
    pictures = [
        picture for part, lows in _attach_low_parts(parts) for picture in _draw_part(part, lows, room)
    ]
    return {"pictures": pictures, "width": room.width, "height": room.height}


def _attach_low_parts(parts: list[BracketPart]) -> list[tuple[BracketPart, list[BracketPart]]]:
    """Return each part with the following parts that are one match high.

    With five players, the losers' side is one match high too.
    """
    attached_parts: list[tuple[BracketPart, list[BracketPart]]] = []
    for part in parts:
        if attached_parts and part.is_one_match_high:
            attached_parts[-1][1].append(part)
        else:
            attached_parts.append((part, []))
    return [(part, [_name_columns_after_part(low) for low in lows]) for part, lows in attached_parts]


def _name_columns_after_part(low: BracketPart) -> BracketPart:
    """Return its rounds named with their side, as they are below another's."""
    return replace(low, columns=[replace(each, title=each.title_with_part) for each in low.columns])


def _find_elimination_stage(event: Event) -> Stage | None:
    """Return the bracket of an event, if it has one."""
    return event.stages.filter(kind__in=(Stage.Kind.SINGLE, Stage.Kind.DOUBLE)).last()


def _draw_part(part: BracketPart, lows: list[BracketPart], room: DrawingArea) -> list[BracketPicture]:
    """Return a part in pictures of a page.

    A part is whole where it fits, else in pieces. The low parts are with the last piece. A page has half the
    rows if a name would be cut.
    """
    pictures = _draw_pieces(part, lows, room, MAX_ROWS)
    return _draw_pieces(part, lows, room, MAX_ROWS // 2) if _is_any_name_cut(pictures) else pictures


def _is_any_name_cut(pictures: list[BracketPicture]) -> bool:
    texts = [text for picture in pictures for text in picture.texts]
    return any(text.words.endswith(CUT_MARK) for text in texts if text.css in NAME_STYLES)


def _draw_pieces(
    part: BracketPart, lows: list[BracketPart], room: DrawingArea, max_rows: int
) -> list[BracketPicture]:
    *pieces, last = split_part(part, max_rows, MAX_COLUMNS)
    pictures = [_draw(piece.name, piece.columns, room) for piece in pieces]
    if len(lows) == 1 and _has_room_for(last, lows[0]):
        whole = _draw(last.name, last.columns, room)
        corner = room.corner(len(last.columns), len(lows[0].columns))
        return [
            *pictures,
            _join_pictures(last, whole, [_draw(lows[0].name, lows[0].columns, corner, whole.size)], lows),
        ]
    whole = _draw(last.name, last.columns, room.above(len(lows)))
    added_parts = [_draw(low.name, low.columns, room.foot(len(lows) - at)) for at, low in enumerate(lows)]
    return [*pictures, _join_pictures(last, whole, added_parts, lows)]


def _has_room_for(part: BracketPart, low: BracketPart) -> bool:
    """Return whether the last rounds of a part leave room for `low`.

    They must be one match high for as long as `low` is.
    """
    free = [column for column in part.columns[-len(low.columns) :] if len(column.slots) == 1]
    return len(free) == len(low.columns) and not part.is_one_match_high


def _join_pictures(
    part: BracketPart, whole: BracketPicture, added_parts: list[BracketPicture], lows: list[BracketPart]
) -> BracketPicture:
    """Return one picture of a part and the low ones in the room that it leaves free."""
    joined_parts = [whole, *added_parts]
    return BracketPicture(
        _format_heading(part.title, [low.mention for low in lows]),
        [box for each in joined_parts for box in each.boxes],
        "".join(each.path for each in joined_parts),
        [text for each in joined_parts for text in each.texts],
        whole.size,
    )


def _format_heading(whole: Reason | None, lows: list[Reason | None]) -> str:
    """Return all parts of a page: “Winners’ side, losers’ side and grand final”."""
    if whole is None:
        return say_reason(reason("bracket_parts.with", parts=tuple(lows))) if lows else ""
    return say_reason(reason("bracket_parts", parts=(whole, *lows)))


def _draw(
    name: str, columns: list[BracketColumn], room: DrawingArea, most: int | None = None
) -> BracketPicture:
    """Return rounds in a room; `most` is the largest type that names may be set in."""
    rows = max(len(column.slots) for column in columns)
    tall = min((room.height - room.top - HEADING_HEIGHT) // max(rows, 1) - SPACE_ABOVE_BOX, MAX_BOX_HEIGHT)
    box = room.box(len(columns))
    size = max(min(tall * 9 // 20, box // 11, MAX_TYPE), MIN_TYPE)
    frame = DiagramFrame(box, tall, GAP, room.left, room.top + HEADING_HEIGHT, room.height)
    diagram = lay_out_diagram(
        [RoundShape([bool(slot) for slot in each.slots], each.lines) for each in columns], frame
    )
    boxes: list[tuple[int, int, int, int]] = []
    texts: list[PictureText] = []
    digits = _digits_of_seeds(columns)
    for at, (column, middles) in enumerate(zip(columns, diagram.middles, strict=True)):
        left_edge = frame.left_of(at)
        texts.append(_draw_title(column.name, left_edge, room.top + 44, box))
        for slot, middle in zip(column.slots, middles, strict=True):
            if slot is not None:
                boxes.append((left_edge, middle - tall // 2, box, tall))
                texts += _draw_slot(
                    slot, left_edge, middle, BoxInterior(box, tall, min(size, most or size), digits)
                )
    return BracketPicture(name, boxes, diagram.path, texts, size)


def _draw_title(title: str, left_edge: int, y: int, box: int) -> PictureText:
    """Return the title of a round.

    It is as wide as its boxes and the space behind them. A long title is smaller.
    """
    size, mm = min(HEADING_SIZE, box // 9), (box + GAP * 3 // 4) / 10
    line = fit_line(title, mm, size / POINT)
    return PictureText(left_edge, y, line.text, "t", int(size * line.step // 100))


def _digits_of_seeds(columns: list[BracketColumn]) -> int:
    """Return how many digits the longest seed has, two at least."""
    slots = [slot for column in columns for slot in column.slots if slot is not None]
    return max([2, *(len(str(side.seed or "")) for slot in slots for side in slot.sides)])


@dataclass(frozen=True, slots=True)
class BoxInterior:
    """A box from within: its width, its height and the type of its names.

    It also has the digits that seeds have.
    """

    wide: int
    tall: int
    size: int
    digits: int

    @property
    def seed(self) -> int:
        """Distance of a name from the left."""
        return 22 + self.size * (13 * self.digits + 4) // 20


def _draw_slot(slot: BracketSlot, left_edge: int, middle: int, inside: BoxInterior) -> list[PictureText]:
    room, tall, size = inside.wide, inside.tall, inside.size
    above = middle - tall // 2 - 6
    texts = [PictureText(left_edge + 2, above, str(slot.id), "m", NUMBER_SIZE)]
    for side, y in zip(slot.sides, (middle - tall // 4, middle + tall // 4), strict=True):
        base, won = y + size // 3, str(side.games) if side.games is not None else ""
        texts.append(
            PictureText(left_edge + 14, base, str(side.seed) if side.seed is not None else "", "s", size)
        )
        seed, games = inside.seed, 20 + size
        texts += _draw_name(side, left_edge + seed, y, (room - seed - games) / 10, size, tall // 2)
        texts.append(PictureText(left_edge + room - 14, base, won, "g", size))
    if slot.is_open and slot.match is not None and slot.match.table:
        table = gettext("Table %(number)s") % {"number": slot.match.table}
        texts.append(PictureText(left_edge + room - 2, above, table, "p", TABLE_SIZE))
    return texts


def _draw_name(
    side: BracketSide, left_edge: int, y: int, mm: float, size: int, tall: int
) -> list[PictureText]:
    """Draw the name smaller or on several lines until it fits.

    If a player is not known yet, the source of the player is drawn.
    """
    words = side.player.name if side.player else side.waiting_text
    css = "w" if side.is_winner else "n" if side.player else "e"
    step = find_size_step(words, mm, size / POINT)
    if step is not None:
        return [PictureText(left_edge, y + size // 3, words, css, size * step // 100)]
    small, lines = wrap_into_box(words, mm, size, tall)
    top = y + small // 3 - int(small * LINE_SPACING * (len(lines) - 1) / 2)
    return [
        PictureText(left_edge, top + int(small * LINE_SPACING * at), line, css, small)
        for at, line in enumerate(lines)
    ]


def wrap_into_box(words: str, mm: float, size: int, tall: int) -> tuple[int, list[str]]:
    """Return the largest type in which whole words fit into the height.

    Otherwise a word breaks before a name is cut.
    """
    smaller_sizes = [size * step // 100 for step in (*SIZE_STEPS, *SMALL_STEPS)]
    for small in [each for each in smaller_sizes if each >= MIN_TYPE] or [MIN_TYPE]:
        lines = wrap_words(words, mm, small / POINT)
        if lines is not None and tall >= LINE_SPACING * len(lines) * small:
            return small, lines
    for small in dict.fromkeys((max(size * SIZE_STEPS[-1] // 100, MIN_TYPE), MIN_TYPE)):
        lines = wrap_text(words, mm, small / POINT)
        if tall >= LINE_SPACING * len(lines) * small:
            return small, lines
    return MIN_TYPE, [shorten_text(words, mm, MIN_TYPE / POINT)]
