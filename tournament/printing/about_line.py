"""The line below the title of a list: what the sheet is about, in fitting type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from tournament.printing.registry import Sheet
from tournament.printing.request import PrintRequest, format_amended
from tournament.shared.text import fits_width

# The room and the type of the line.
ABOUT_MM, ABOUT_POINTS = 182.0, 9.5


PLAIN, NAME, WARNING = "{}", '<bdi translate="no">{}</bdi>', "<strong>{}</strong>"


@dataclass(frozen=True, slots=True)
class AboutPart:
    """A part of the line, and how it is set."""

    text: str
    markup: str = PLAIN


@dataclass(frozen=True, slots=True)
class AboutLine:
    """The parts of the line in their order."""

    parts: tuple[AboutPart, ...]

    @property
    def html(self) -> SafeString:
        """The line as a page has it."""
        return format_html_join(" · ", "{}", [(format_html(part.markup, part.text),) for part in self.parts])

    @property
    def css(self) -> str:
        """The class of the line: two small lines where one is too short for it."""
        line = " · ".join(part.text for part in self.parts)
        return "" if fits_width(line, ABOUT_MM, ABOUT_POINTS) else "is-long"


def build_about_line(sheet: Sheet, request: PrintRequest) -> AboutLine:
    """Return the line of a sheet, in the language that is spoken now."""
    return AboutLine(tuple(part for part in _iterate_parts(sheet, request) if part.text))


def _iterate_parts(sheet: Sheet, request: PrintRequest) -> Iterator[AboutPart]:
    event = request.event
    yield AboutPart(event.name, NAME)
    yield AboutPart(date_format(event.starts_local, "DATE_FORMAT"))
    yield AboutPart(event.place, NAME)
    if "cards" in sheet.styles:
        printed_at = date_format(request.now.astimezone(event.zone), "DATETIME_FORMAT")
        yield AboutPart(gettext("Printed %(time)s") % {"time": printed_at})
    else:
        yield AboutPart(format_amended(request.round), WARNING)
