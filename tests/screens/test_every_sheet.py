"""Proof that every printed sheet can be translated.

In the pseudo-locale, only names are English.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from tests.screens.conftest import Venue
from tests.translations.unmarked import find_english

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


def test_every_text_of_every_sheet_can_be_translated(pseudo_hall: Venue) -> None:
    names = {name for name in pseudo_hall.names if name}
    # Long names are shortened, or continue in another line.
    text = "\n".join(names)
    unmarked_texts: dict[str, str] = {}
    for sheet, html in pseudo_hall.sheets.items():
        reader = SheetReader()
        reader.feed(html)
        for line in map(str.strip, reader.lines):
            if line.strip("… ") not in text and find_english(line, names):
                unmarked_texts.setdefault(line, sheet)
    assert unmarked_texts == {}
    assert len({re.split("--", sheet)[0] for sheet in pseudo_hall.sheets}) == 17


def test_no_text_of_a_sheet_is_cut_in_a_longer_language(pseudo_hall: Venue) -> None:
    names = "\n".join(name for name in pseudo_hall.names if name)
    cut_texts: dict[str, str] = {}
    for sheet, html in pseudo_hall.sheets.items():
        reader = SheetReader()
        reader.feed(html)
        for line in map(str.strip, reader.lines):
            if "…" in line and line not in names:
                cut_texts.setdefault(line, sheet)
    assert cut_texts == {}
