"""The tournament documents of UFS: a section of errata and a section of banned cards."""

from __future__ import annotations

import re
from collections.abc import Iterator

from decks.documents.model import Document, Meaning, Named, Says, Unread
from decks.documents.naming import card_of_line, cards_at_start, names_a_card, without_bullet
from decks.documents.sections import Paragraph, Row, Section, sections_of

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


def read_ufs(text: str) -> Document:
    """What a tournament document of UFS says of single cards; never raises."""
    sections = sections_of(text)
    errata, bans = _titled(sections, "errata"), _titled(sections, "banned")
    read: list[Says] = []
    unread: list[Unread] = []
    for told in (*_errata(errata), *_bans(bans)):
        if isinstance(told, Unread):
            unread.append(told)
        else:
            read.append(told)
    problems = [*_missing(errata, "errata"), *_missing(bans, "banned cards")]
    title = _TITLE.search(text)
    day = _AS_OF.search(text)
    return Document(
        title=f"UFS Tournament Rules v{title['version']}" if title else "",
        version=title["version"] if title else "",
        as_of=day["day"] if day else "",
        paragraphs=tuple(read),
        unread=tuple(unread),
        problems=tuple(problems),
    )


def _titled(sections: dict[str, Section], word: str) -> Section | None:
    return next((section for section in sections.values() if word in section.title.casefold()), None)


def _missing(section: Section | None, what: str) -> Iterator[str]:
    if section is None:
        yield f"No section of {what} was found: its heading is a number of three digits and its title."
    elif not section.paragraphs:
        said = " ".join(row.text for row in section.opening)
        where = f" It only says: “{said[:200]}”." if said else ""
        yield f"Section {section.number} ({section.title}) has no paragraphs, so it names no card.{where}"


def _errata(section: Section | None) -> Iterator[Says | Unread]:
    for paragraph in section.paragraphs if section else ():
        yield _erratum(paragraph)


def _erratum(paragraph: Paragraph) -> Says | Unread:
    cards, tail = cards_at_start(paragraph.heading)
    body, series = _split(paragraph.body)
    text = " ".join([paragraph.heading, *(row.text for row in paragraph.body)])
    if not cards and series:
        told = " ".join([paragraph.heading, *body])
        return _says(paragraph, text, series, "wording", told)
    if not cards:
        why = "It does not begin with a card, its set and its number."
        return Unread(paragraph.number, paragraph.line, text, why)
    says = _READS.sub("", _DASH.sub("", tail)).strip()
    told = " ".join(part for part in (says, *(row.text for row in paragraph.body)) if part)
    if not told:
        why = "It names a card and does not say what is new about it."
        return Unread(paragraph.number, paragraph.line, text, why)
    return _says(paragraph, text, cards, _meaning(cards, tail, told), told)


def _says(paragraph: Paragraph, text: str, cards: tuple[Named, ...], meaning: Meaning, told: str) -> Says:
    unchanged = meaning in ("same", "distinct", "as-printed") or _NOTHING_NEW.search(text) is not None
    return Says(meaning, paragraph.number, paragraph.line, text, cards, told, not unchanged)


def _meaning(cards: tuple[Named, ...], tail: str, told: str) -> Meaning:
    """What a paragraph is about, by the turns of phrase that say so; a card's new text is none of them."""
    names = {card.name.casefold() for card in cards}
    if not tail or _READS.match(tail):
        return "text"
    if len(names) > 1 and _SAME.search(told):
        return "same"
    if len(cards) > 1 and len(names) == 1 and _DISTINCT.search(told):
        return "distinct"
    if _AS_PRINTED.search(told):
        return "as-printed"
    return "keyword" if "keyword" in told.casefold() else "text"


def _split(body: list[Row]) -> tuple[list[str], tuple[Named, ...]]:
    """The lines below a paragraph: those that are text, and the cards of those that name one card each."""
    found = [(row.text, card_of_line(row.text)) for row in body]
    return [text for text, card in found if card is None], tuple(card for _, card in found if card)


def _bans(section: Section | None) -> Iterator[Says | Unread]:
    for paragraph in _lists(section) if section else ():
        rows = _listed(paragraph)
        are_bullets = len(rows) > 1 and all(row.text[:1] in "●•·" for row in rows)
        for row in rows:
            yield _ban(paragraph, row, row.text.lstrip("●•· ") if are_bullets else row.text)


def _lists(section: Section) -> Iterator[Paragraph]:
    """The paragraphs of a section of bans; cards that stand before the first are a list of their own."""
    if any(card_of_line(row.text) for row in section.opening):
        yield Paragraph(section.number, section.line, "", section.opening)
    yield from section.paragraphs


def _listed(paragraph: Paragraph) -> list[Row]:
    """The lines of a list of bans. What stands behind the number is one, unless it leads up to the list."""
    own = [Row(paragraph.line, paragraph.heading)] if paragraph.heading else []
    leads_up = bool(paragraph.body) and not names_a_card(paragraph.heading)
    return [*([] if leads_up else own), *paragraph.body]


def _ban(paragraph: Paragraph, row: Row, text: str) -> Says | Unread:
    card = card_of_line(text)
    if card is None:
        why = "It is not a card with its set and its number."
        return Unread(paragraph.number, row.line, without_bullet(row.text), why, is_ban=True)
    return Says("ban", paragraph.number, row.line, without_bullet(row.text), (card,))
