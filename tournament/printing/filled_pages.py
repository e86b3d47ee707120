"""Fill pages that differ only in words: lay out one of each shape, draw the rest.

To place a line of text costs the renderer several times what it costs to draw it, and a long list places
thousands of lines where the page before had its own. Here one page of each shape is placed; what is in its
elements with the attribute `data-fill` is taken out, and the words of each page are drawn there: on the
lines, in the type and on the side that the style sheet gave the page that was set. If the lines of an element
are equally far apart, `data-step` says so in millimeters, and only the first of them is placed.

This looks into the renderer's page (its boxes, and how it draws a line);
`tests/tournament/printing/test_filled_pages.py` holds a filled page against the same page set as a whole.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from pydyf import PDF, Array, Stream
from weasyprint.document import Document, Page
from weasyprint.draw.text import draw_emojis, draw_first_line
from weasyprint.formatting_structure.boxes import LineBox, TextBox
from weasyprint.matrix import Matrix
from weasyprint.text.line_break import Layout, line_size

from tournament.shared.page_fills import FULL_SIZE, DotMatrix, FillablePage, Marks, SizedLine, SizedText

MM = 96 / 25.4
ATTRIBUTE, STEP = "data-fill", "data-step"
TYPE = ("font_size", "font_weight", "font_style", "font_variant_numeric")
# Position of a word that is as wide as its line allows: its share of the free room.
SIDES = {"right": 1.0, "end": 1.0, "center": 0.5}


@dataclass(frozen=True, slots=True)
class _LineOfText:
    """The attributes of a line that the renderer reads when it draws it."""

    pango_layout: Any
    style: Any
    text: str


@dataclass(frozen=True, slots=True)
class _DrawnText:
    """A text as commands of the page, its width, and the pictures among its letters."""

    commands: list[bytes]
    width: float
    pictures: list[Any]


class _Pen:
    """Writes in one type and size. A text that comes again is not drawn again."""

    def __init__(self, style: Any) -> None:
        self.style, self._layout = style, Layout(style)
        self._drawn_texts: dict[str, _DrawnText] = {}
        self._scratch: Any = None

    def draw_text(self, text: str, stream: Any) -> _DrawnText:
        """Return the text drawn for the document that `stream` belongs to."""
        if text not in self._drawn_texts:
            self._drawn_texts[text] = self._draw(text, stream)
        return self._drawn_texts[text]

    def _draw(self, text: str, stream: Any) -> _DrawnText:
        self._scratch = scratch = self._scratch or stream.clone()
        scratch.stream.clear()
        self._layout.set_text(text)
        width, _ = line_size(self._layout.get_first_line()[0], self.style)
        scratch.begin_text()
        pictures = draw_first_line(
            scratch, _LineOfText(self._layout, self.style, text), "none", "none", Matrix()
        )
        scratch.end_text()
        _, _, *commands, _ = scratch.stream  # without the start, the place and the end
        return _DrawnText(commands, width, pictures)


@dataclass(frozen=True, slots=True)
class _TextPlace:
    """The line of an element: its baseline, its position and its type.

    The position is where a word begins, ends or has its middle.
    """

    x: float
    baseline: float
    share: float
    style: Any

    @classmethod
    def of(cls, box: Any) -> _TextPlace:
        """Return the place of a text that the renderer has set."""
        share = SIDES.get(box.style["text_align_all"], 0.0)
        return cls(box.position_x + share * box.width, box.position_y + box.baseline, share, box.style)


@dataclass(frozen=True, slots=True)
class _TextGap:
    """An element with lines.

    It has a place for each line, or for the first of lines that are `step` apart.
    """

    places: list[_TextPlace]
    pens: dict[float, _Pen]
    step: float = 0

    def _find_places(self, count: int) -> list[_TextPlace]:
        if not self.step:
            return self.places
        (first,) = self.places
        return [replace(first, baseline=first.baseline + at * self.step) for at in range(count)]

    def fill(self, lines: Sequence[SizedLine], stream: Any) -> None:
        """Draw the lines at their places."""
        pictures = []
        stream.begin_text()
        for place, line in zip(self._find_places(len(lines)), lines, strict=True):
            for word in line:
                if word.text.strip():
                    pictures.append(self._write(word, place, stream))
        stream.end_text()
        for pen, x, y, emojis in pictures:
            if emojis:
                draw_emojis(stream, pen.style, x, y, emojis)

    def _write(self, word: SizedText, place: _TextPlace, stream: Any) -> tuple[_Pen, float, float, list[Any]]:
        pen = self._pen(word.step, place.style)
        drawn_text = pen.draw_text(word.text, stream)
        x, y = place.x - place.share * drawn_text.width, place.baseline - word.rise * MM
        stream.set_color(pen.style["color"])
        stream.set_text_matrix(1, 0, 0, -1, x, y)
        stream.stream.extend(drawn_text.commands)
        return pen, x, y, drawn_text.pictures

    def _pen(self, step: float, style: Any) -> _Pen:
        if step not in self.pens:
            if step != FULL_SIZE:
                style = style.copy()
                style["font_size"] *= step / FULL_SIZE
            self.pens[step] = _Pen(style)
        return self.pens[step]


@dataclass(frozen=True, slots=True)
class _CodeGap:
    """An element for a code: its corner and size."""

    x: float
    y: float
    width: float
    height: float

    def fill(self, dots: DotMatrix, stream: Any) -> None:
        """Draw the dots, white ones too."""
        with stream.stacked():
            stream.transform(a=self.width, d=-self.height, e=self.x, f=self.y + self.height)
            head = f"BI /W {dots.side} /H {dots.side} /BPC 1 /CS /G /F /AHx ID"
            stream.stream.append(f"{head} {dots.rows.hex()}> EI".encode())


STRIPE, OUTLINE = "0.925 g", "0 G 0.3 w"


@dataclass(frozen=True, slots=True)
class _MarksGap:
    """An element for stripes and boxes: its corner."""

    x: float
    y: float

    def fill(self, content: Marks, stream: Any) -> None:
        """Draw them, stripes in gray."""
        with stream.stacked():
            stream.transform(a=MM, d=MM, e=self.x, f=self.y)
            for mark in content.marks:
                place = f"{mark.x:.2f} {mark.y:.2f} {mark.width:.2f} {mark.height:.2f} re"
                look, end = (STRIPE, "f") if mark.is_filled else (OUTLINE, "S")
                stream.stream.append(f"{look} {place} {end}".encode())


class _Gap(Protocol):
    """An element to be filled with what its kind takes."""

    def fill(self, content: Any, stream: Any, /) -> None: ...


class BlankPage:
    """A page that the renderer has set, emptied where it is to be filled.

    What is on it is drawn once: `content_stream`, a part of its own of the document, which all its pages
    share.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.gaps: list[_Gap] = list(_find_gaps(page._page_box))
        self.content_stream: Stream | None = None

    def draw(self, stream: Any, scale: float) -> None:
        """Draw all that is on the page besides what is filled in, unless that is done."""
        if self.content_stream is None:
            self.page.paint(stream, scale)
            self.content_stream = Stream(stream.stream, compress=stream.compress)


class FilledPage(Page):
    """A blank page with what is on it, as a page of a document that `share` finishes.

    What is written comes from `source` when the page is drawn and is packed at once: of hundreds of pages,
    one at a time takes room. Only the first page of a sheet has a line in the reader's list of contents: all
    of them would have the same.
    """

    def __init__(self, blank: BlankPage, source: FillablePage, *, is_first: bool) -> None:
        self.__dict__.update(vars(blank.page))
        self.blank, self._source = blank, source
        if not is_first:
            self.bookmarks: list[Any] = []

    def paint(self, stream: Any, scale: float = 1) -> None:
        """Draw into a PDF what is filled in; the blank page is drawn before it."""
        self.blank.draw(stream, scale)
        stream.stream = []
        stream.transform(a=scale, d=scale)
        for gap, fill in zip(self.blank.gaps, self._source.fills(), strict=True):
            gap.fill(fill, stream)
        _compress(stream)
        # A page is drawn once. The words of hundreds make room for the file that grows.
        del self._source


def _compress(stream: Any) -> None:
    """Compress what was drawn now instead of when the file is written."""
    if stream.compress:
        stream.stream = [zlib.compress(b"\n".join(stream.stream), level=9)]
        stream.extra["Filter"] = "/FlateDecode"
        stream.compress = False


def share_blank_pages(document: Document, pdf: PDF) -> None:
    """Put the blank page below the written text of each of its pages.

    All of them share one part of the file.
    """
    by_number = {each.number: each for each in pdf.objects}
    for page, number in zip(document.pages, pdf.pages["Kids"][::3], strict=True):
        if isinstance(page, FilledPage):
            blank_stream: Any = page.blank.content_stream
            if blank_stream.number is None:
                pdf.add_object(blank_stream)
            pdf_page = by_number[number]
            pdf_page["Contents"] = Array([blank_stream.reference, pdf_page["Contents"]])


def _find_gaps(page_box: Any) -> Iterator[_TextGap | _CodeGap | _MarksGap]:
    """Yield the elements to be filled, in the order of the page.

    Their lines are removed from the page.
    """
    pens: dict[Any, dict[float, _Pen]] = {}
    for box in list(page_box.descendants(placeholders=True)):
        if not _is_gap(box):
            continue
        if box.element.get(ATTRIBUTE) == "code":
            yield _CodeGap(box.content_box_x(), box.content_box_y(), box.width, box.height)
        elif box.element.get(ATTRIBUTE) == "marks":
            yield _MarksGap(box.content_box_x(), box.content_box_y())
        else:
            places = [_TextPlace.of(each) for each in box.descendants() if isinstance(each, TextBox)]
            box.children = []
            step = float(box.element.get(STEP) or 0) * MM
            yield _TextGap(places, pens.setdefault(_type_key(box.style), {}), step)


def _type_key(style: Any) -> tuple[Any, ...]:
    """Return what two elements must have in common to be written with one pen."""
    return (*map(style.__getitem__, TYPE), tuple(style["font_family"]), str(style["color"]))


def _is_gap(box: Any) -> bool:
    """Return whether a box is that of an element to be filled.

    The lines and letters in such an element are not.
    """
    element = box.element
    return (
        element is not None and element.get(ATTRIBUTE) is not None and not isinstance(box, LineBox | TextBox)
    )
