"""The text of a document cut into numbered sections, and these into paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_SECTION = re.compile(r"^(?P<number>\d{3})\.\s+(?P<title>\S.*)$")
_CHAPTER = re.compile(r"^\d\.\s+\S")
_PARAGRAPH = re.compile(r"^(?P<number>\d{3}(?:\.\d+)+)\.?\s+(?P<rest>\S.*)$")
# The page number that stands alone where a page of a printed document ends.
_PAGE_NUMBER = re.compile(r"^(?:page\s+)?\d{1,3}$", re.IGNORECASE)


@dataclass(slots=True)
class Row:
    """A line of the source, counted from 1, without the space around it."""

    line: int
    text: str


@dataclass(slots=True)
class Paragraph:
    """A numbered paragraph: what stands behind its number, and the lines below it."""

    number: str
    line: int
    heading: str
    body: list[Row] = field(default_factory=list)


@dataclass(slots=True)
class Section:
    """A section: its number and title, the lines before its first paragraph, and its paragraphs."""

    number: str
    title: str
    line: int
    opening: list[Row] = field(default_factory=list)
    paragraphs: list[Paragraph] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.opening) + len(self.paragraphs)


def rows_of(text: str) -> Iterator[Row]:
    """The lines that say something; page breaks, page numbers and the marks of emphasis are left out."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n").replace("\xa0", " ")
    for line, written in enumerate(plain.split("\n"), 1):
        said = " ".join(written.replace("**", "").split())
        if said and not _PAGE_NUMBER.match(said):
            yield Row(line, said)


def sections_of(text: str) -> dict[str, Section]:
    """Every section by its number. A table of contents names sections too: the longest of a number counts."""
    found: dict[str, Section] = {}
    for section in _cut(text):
        known = found.get(section.number)
        if known is None or section.size > known.size:
            found[section.number] = section
    return found


def _cut(text: str) -> Iterator[Section]:
    section: Section | None = None
    for row in rows_of(text):
        heading = _SECTION.match(row.text)
        if heading or _CHAPTER.match(row.text):
            if section:
                yield section
            section = Section(heading["number"], heading["title"], row.line) if heading else None
        elif section:
            _take(section, row)
    if section:
        yield section


def _take(section: Section, row: Row) -> None:
    opens = _PARAGRAPH.match(row.text)
    if opens:
        section.paragraphs.append(Paragraph(opens["number"], row.line, opens["rest"]))
    elif section.paragraphs:
        section.paragraphs[-1].body.append(row)
    else:
        section.opening.append(row)
