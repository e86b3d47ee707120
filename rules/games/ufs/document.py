"""Read tournament documents of UFS: sections of errata and banned cards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rules.documents import (
    CardStatement,
    Document,
    Meaning,
    NamedCard,
    TextLine,
    UnreadParagraph,
    split_lines,
)
from rules.names import split_rank_marks
from rules.reason import Reason, reason

_TITLE = re.compile(r"\bTournament Rules\s+v(?:ersion\s+)?\.?(?P<version>\d+(?:\.\d+)+)", re.I)

_AS_OF = re.compile(
    r"(?:current as of|effective(?: as of)?|dated)\s+(?P<day>[\d/.\-]{6,10}\d|\w{3,9} \d{1,2}, \d{4})", re.I
)

_READS = re.compile(r"^(?:now\s+)?reads\b\s*:?\s*", re.I)

_SAME = re.compile(r"\b(?:the same|one) card\b", re.I)

_DISTINCT = re.compile(r"\b(?:two|2) (?:distinct|different|separate) cards\b", re.I)

_AS_PRINTED = re.compile(r"\bplayed as (?:written|printed)\b", re.I)

_NOTHING_NEW = re.compile(r"\bdoes not change the way\b", re.I)

_DASH = re.compile(r"^[-–—:]+\s*")


def read_document(text: str) -> Document:
    """Return what a tournament document of UFS says of single cards; never raises."""
    sections = split_sections(text)
    errata, bans = _find_section(sections, "errata"), _find_section(sections, "banned")
    statements: list[CardStatement] = []
    unread: list[UnreadParagraph] = []
    for paragraph in (*_errata(errata), *_bans(bans)):
        if isinstance(paragraph, UnreadParagraph):
            unread.append(paragraph)
        else:
            statements.append(paragraph)
    problems = [*_find_missing(errata, "errata"), *_find_missing(bans, "bans")]
    title = _TITLE.search(text)
    day = _AS_OF.search(text)
    return Document(
        title=f"UFS Tournament Rules v{title['version']}" if title else "",
        version=title["version"] if title else "",
        as_of=day["day"] if day else "",
        paragraphs=tuple(statements),
        unread=tuple(unread),
        problems=tuple(problems),
    )


def _find_section(sections: dict[str, Section], word: str) -> Section | None:
    return next((section for section in sections.values() if word in section.title.casefold()), None)


def _find_missing(section: Section | None, kind: str) -> Iterator[Reason]:
    if section is None:
        yield reason("document-without-section", kind=kind)
    elif not section.paragraphs:
        says = " ".join(row.text for row in section.opening)[:200] or None
        yield reason("section-without-paragraphs", number=section.number, title=section.title, says=says)


def _errata(section: Section | None) -> Iterator[CardStatement | UnreadParagraph]:
    for paragraph in section.paragraphs if section else ():
        yield _erratum(paragraph)


def _erratum(paragraph: Paragraph) -> CardStatement | UnreadParagraph:
    cards, tail = parse_leading_cards(paragraph.heading)
    body, series = _split(paragraph.body)
    text = " ".join([paragraph.heading, *(row.text for row in paragraph.body)])
    if not cards and series:
        wording = " ".join([paragraph.heading, *body])
        return _statement(paragraph, text, series, "wording", wording)
    if not cards:
        why = reason("paragraph-without-card")
        return UnreadParagraph(paragraph.number, paragraph.line, text, why)
    says = _READS.sub("", _DASH.sub("", tail)).strip()
    wording = " ".join(part for part in (says, *(row.text for row in paragraph.body)) if part)
    if not wording:
        why = reason("paragraph-without-news")
        return UnreadParagraph(paragraph.number, paragraph.line, text, why)
    return _statement(paragraph, text, cards, _find_meaning(cards, tail, wording), wording)


def _statement(
    paragraph: Paragraph, text: str, cards: tuple[NamedCard, ...], meaning: Meaning, wording: str
) -> CardStatement:
    is_unchanged = meaning in ("same", "distinct", "as-printed") or _NOTHING_NEW.search(text) is not None
    return CardStatement(meaning, paragraph.number, paragraph.line, text, cards, wording, not is_unchanged)


def _find_meaning(cards: tuple[NamedCard, ...], tail: str, wording: str) -> Meaning:
    """Return what a paragraph is about, by the turns of phrase that say so.

    A card's new text is none of them.
    """
    names = {card.name.casefold() for card in cards}
    if not tail or _READS.match(tail):
        return "text"
    if len(names) > 1 and _SAME.search(wording):
        return "same"
    if len(cards) > 1 and len(names) == 1 and _DISTINCT.search(wording):
        return "distinct"
    if _AS_PRINTED.search(wording):
        return "as-printed"
    return "keyword" if "keyword" in wording.casefold() else "text"


def _split(body: list[TextLine]) -> tuple[list[str], tuple[NamedCard, ...]]:
    """Return the lines below a paragraph, split into text and cards.

    A card is returned for each line that names one card.
    """
    parsed_lines = [(row.text, parse_card_line(row.text)) for row in body]
    return [text for text, card in parsed_lines if card is None], tuple(
        card for _, card in parsed_lines if card
    )


def _bans(section: Section | None) -> Iterator[CardStatement | UnreadParagraph]:
    for paragraph in _ban_paragraphs(section) if section else ():
        rows = _ban_lines(paragraph)
        are_bullets = len(rows) > 1 and all(row.text[:1] in "●•·" for row in rows)
        for row in rows:
            yield _ban(paragraph, row, row.text.lstrip("●•· ") if are_bullets else row.text)


def _ban_paragraphs(section: Section) -> Iterator[Paragraph]:
    """Yield the paragraphs of a section of bans.

    Cards before the first paragraph are a list of their own.
    """
    if any(parse_card_line(row.text) for row in section.opening):
        yield Paragraph(section.number, section.line, "", section.opening)
    yield from section.paragraphs


def _ban_lines(paragraph: Paragraph) -> list[TextLine]:
    """Return the lines of a list of bans.

    What follows the number is one, unless it leads up to the list.
    """
    own = [TextLine(paragraph.line, paragraph.heading)] if paragraph.heading else []
    leads_up = bool(paragraph.body) and not contains_card(paragraph.heading)
    return [*([] if leads_up else own), *paragraph.body]


def _ban(paragraph: Paragraph, row: TextLine, text: str) -> CardStatement | UnreadParagraph:
    card = parse_card_line(text)
    if card is None:
        why = reason("paragraph-is-no-card")
        return UnreadParagraph(paragraph.number, row.line, strip_bullet(row.text), why, is_ban=True)
    return CardStatement("ban", paragraph.number, row.line, strip_bullet(row.text), (card,))


_SECTION = re.compile(r"^(?P<number>\d{3})\.\s+(?P<title>\S.*)$")

_CHAPTER = re.compile(r"^\d\.\s+\S")

_PARAGRAPH = re.compile(r"^(?P<number>\d{3}(?:\.\d+)+)\.?\s+(?P<rest>\S.*)$")


@dataclass(slots=True)
class Paragraph:
    """A numbered paragraph: what follows its number, and the lines below it."""

    number: str
    line: int
    heading: str
    body: list[TextLine] = field(default_factory=list)


@dataclass(slots=True)
class Section:
    """A section of a document.

    Holds its number and title, the lines before its first paragraph, and its paragraphs.
    """

    number: str
    title: str
    line: int
    opening: list[TextLine] = field(default_factory=list)
    paragraphs: list[Paragraph] = field(default_factory=list)

    @property
    def size(self) -> int:
        return len(self.opening) + len(self.paragraphs)


def split_sections(text: str) -> dict[str, Section]:
    """Return every section by its number.

    A table of contents names sections too: the longest of a number counts.
    """
    sections: dict[str, Section] = {}
    for section in _iter_sections(text):
        longest_section = sections.get(section.number)
        if longest_section is None or section.size > longest_section.size:
            sections[section.number] = section
    return sections


def _iter_sections(text: str) -> Iterator[Section]:
    section: Section | None = None
    for row in split_lines(text):
        heading = _SECTION.match(row.text)
        if heading or _CHAPTER.match(row.text):
            if section:
                yield section
            section = Section(heading["number"], heading["title"], row.line) if heading else None
        elif section:
            _add_line(section, row)
    if section:
        yield section


def _add_line(section: Section, row: TextLine) -> None:
    opens = _PARAGRAPH.match(row.text)
    if opens:
        section.paragraphs.append(Paragraph(opens["number"], row.line, opens["rest"]))
    elif section.paragraphs:
        section.paragraphs[-1].body.append(row)
    else:
        section.opening.append(row)


# "● Taki ● SC01 073/143": the name is short, then set and number follow. Dots may stray in between.
_CARD = re.compile(
    r"(?P<name>\S(?:.{0,70}?\S)??)\s+(?P<set>[A-Z][A-Z0-9]{1,5}|\d{4})"
    r"\s+(?P<stray>[●•·]*)\s*(?P<number>\d{1,4})\s?/\s?(?P<size>\d{1,4})"
)

_AND = re.compile(r"^\s*(?:,|,?\s+and|&|;)\s+", re.IGNORECASE)

_BULLET = re.compile(r"^(?:[-–—*]|\d+[.)])\s+")

MOST_WORDS = 9


def parse_leading_cards(text: str) -> tuple[tuple[NamedCard, ...], str]:
    """Return the cards that a text begins with, and what follows them.

    The cards are joined by "and" or commas.
    """
    cards: list[NamedCard] = []
    rest = text
    while match := _CARD.match(rest):
        card = _to_named_card(match)
        if card is None:
            break
        cards.append(card)
        behind = rest[match.end() :]
        joint = _AND.match(behind)
        if joint is None or not _CARD.match(behind[joint.end() :]):
            return tuple(cards), behind.strip()
        rest = behind[joint.end() :]
    return tuple(cards), rest.strip() if not cards else ""


def parse_card_line(line: str) -> NamedCard | None:
    """Return the card of a list line that names one card and nothing else.

    None for any other line.
    """
    text = strip_bullet(line)
    match = _CARD.fullmatch(text)
    return _to_named_card(match) if match else None


def contains_card(text: str) -> bool:
    """Return whether a card with set and number stands anywhere in a text."""
    return _CARD.search(text) is not None


def strip_bullet(line: str) -> str:
    """Return a line of a list without the sign before it; rank dots are none."""
    return _BULLET.sub("", line.strip())


def _to_named_card(match: re.Match[str]) -> NamedCard | None:
    written_name = match["name"]
    if len(written_name.split()) > MOST_WORDS:
        return None
    name, dots = split_rank_marks(written_name)
    # A full stop at the end belongs to names such as "E.S.P."; only round marks are dots here.
    if not any(mark in written_name for mark in "●•·"):
        name, dots = written_name, None
    return NamedCard(name, match["set"], int(match["number"]), int(match["size"]), dots, len(match["stray"]))
