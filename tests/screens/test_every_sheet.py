"""Proof that every printed sheet can be translated.

In the pseudo-locale, only names are English.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tests.screens.conftest import Venue
from tests.translations.unmarked import find_english, longest_first

pytestmark = pytest.mark.django_db


class SheetReader(HTMLParser):
    """A reader that gathers the lines of a sheet.

    It takes lines set in columns too, but not the sheet's title in the browser.
    """

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.lines: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the element that is read."""
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        """Note the lines."""
        if self.tags[-1:] != ["title"]:
            self.lines += data.splitlines()


def read_lines(hall: Venue) -> dict[str, str]:
    """Return every line of every sheet, with a sheet that has it."""
    lines: dict[str, str] = {}
    for sheet, html in hall.sheets.items():
        reader = SheetReader()
        reader.feed(html)
        lines |= dict.fromkeys(map(str.strip, reader.lines), sheet)
    return lines


def test_every_text_of_every_sheet_can_be_translated(pseudo_hall: Venue) -> None:
    names = longest_first(name for name in pseudo_hall.names if name)
    # Long names are shortened, or continue in another line.
    text = "\n".join(names)
    assert {
        line: sheet
        for line, sheet in read_lines(pseudo_hall).items()
        if line.strip("… ") not in text and find_english(line, names)
    } == {}
    assert len({re.split("--", sheet)[0] for sheet in pseudo_hall.sheets}) == 17


def test_no_text_of_a_sheet_is_cut_in_a_longer_language(pseudo_hall: Venue) -> None:
    names = "\n".join(name for name in pseudo_hall.names if name)
    assert {
        line: sheet for line, sheet in read_lines(pseudo_hall).items() if "…" in line and line not in names
    } == {}
