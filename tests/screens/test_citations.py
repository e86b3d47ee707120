"""Every cited clause is a short tag that opens the whole reference."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest

import rules
from tests.screens.conftest import Page, Venue
from tests.translations.unmarked import UNREAD, VOID

pytestmark = pytest.mark.django_db

LETTERS = "|".join(re.escape(game.citation) for game in rules.games())
DOCUMENTS = "|".join(re.escape(version.document) for game in rules.games() for version in game.versions)
PLACE = r"(?:[pl]\.)?\d"
CITATION = re.compile(rf"\b(?:{LETTERS})\s{PLACE}|(?:{DOCUMENTS}), {PLACE}")
# Names the source of a whole list among its facts.
NAMING_SOURCES = frozenset({"list_edition"})
CITING = frozenset({"console_clock_settings", "console_list", "console_settings", "cut", "event"})


class CitationReader(HTMLParser):
    """Gathers citations that are no tags, and tags in paragraphs.

    Browsers end a paragraph before such a tag.
    """

    def __init__(self) -> None:
        super().__init__()
        self.open_elements: list[str] = []
        self.faults: list[str] = []
        self.tag_count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Remember an element as open, a tag of a clause by its class."""
        is_clause = tag == "details" and dict(attrs).get("class") == "clause"
        self.tag_count += is_clause
        if is_clause and "p" in self.open_elements:
            self.faults.append(f"tag in a paragraph, line {self.getpos()[0]}")
        if tag not in VOID:
            self.open_elements.append("clause" if is_clause else tag)

    def handle_endtag(self, tag: str) -> None:
        """Close the element and all that was left open in it."""
        names = ["details" if name == "clause" else name for name in self.open_elements]
        if tag in names:
            del self.open_elements[len(names) - 1 - names[::-1].index(tag) :]

    def handle_data(self, data: str) -> None:
        """Look for citations in a text outside of tags."""
        if CITATION.search(data) and not {"clause", *UNREAD}.intersection(self.open_elements):
            self.faults.append(" ".join(data.split()))


def read_citations(page: Page) -> CitationReader:
    reader = CitationReader()
    reader.feed(page.html)
    return reader


def test_every_cited_clause_is_a_tag_that_opens(pages: list[Page], pseudo_hall: Venue) -> None:
    # A clause that a translated text names is found in English alone.
    read_pages = [page for page in (*pages, *pseudo_hall.pages) if CITATION.search(unescape(page.html))]
    readers = [(page.screen, read_citations(page)) for page in read_pages]
    assert [
        (screen.name, reader.faults)
        for screen, reader in readers
        if reader.faults and screen.page not in NAMING_SOURCES
    ] == []
    assert {screen.page for screen, reader in readers if reader.tag_count} >= CITING


def test_reader_finds_a_clause_without_a_tag_and_a_tag_in_a_paragraph() -> None:
    reader = CitationReader()
    reader.feed("<p><i>UFS 100.5.1</i><details class='clause'><summary>UFS 1</summary>All, 1</details></p>")
    assert reader.faults == ["UFS 100.5.1", "tag in a paragraph, line 1"]
