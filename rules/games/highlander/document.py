"""Read the Highlander rulebook: card errata and the list of banned cards.

Each erratum is a heading, "Title (numbers) – owner – type – restriction" in any order and with any dash, and
the text below it. The book explains none of these marks (HL-L18); whatever does not fit them stays unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from rules.documents import (
    CardStatement,
    Document,
    NamedCard,
    TextLine,
    UnreadParagraph,
    cite_line,
    split_lines,
)
from rules.reason import Reason, reason

_VERSION = re.compile(r"^(?P<day>[A-Z][a-z]+ \d{4}) Version (?P<version>\d+(?:\.\d+)+)$")
_ENDS = re.compile(r"^(?:effect classification list|official tournament rules)", re.I)
_BANNED = re.compile(r"\bcards are banned\b[^:]{0,60}:\s*(?P<cards>.+)", re.I)
_IN_ONE_FORMAT = re.compile(r"\bAll cards are legal except\b", re.I)
_ID = r"(?:[A-Z][A-Za-z0-9]{1,7}?\s?[-#]?\s?#?|\d[A-Z]{1,2}\s?-?\s?)\d{2,4}[A-Z]{0,2}(?:\s[A-Z]v[A-Z])?"
_NUMBER = re.compile(_ID)
_BRACKETS = re.compile(r"\(([^()]{1,80})\)")
_DASHES = re.compile(r"\s+[-–—]+\s*|\s*[-–—]+\s+|(?<=\))[-–—]")
_MARK = re.compile(r"(?P<mark>[RS])?(?P<restriction>\d{1,2})?|(?P<signed>Signed)", re.I)
_MARK_BEHIND = re.compile(r"\s(?P<code>[RS]\d{1,2})$")
_TYPES = (
    r"event|edge|situation|object|attack|block|dodge|location|plot|persona|illusion|pre-game|hand icon|stance"
)
_TYPE = re.compile(rf"^(?:{_TYPES})\b|\b(?:{_TYPES})$", re.I)
_GEM = re.compile(r"agility|toughness|strength|reason|empathy|willpower|perception", re.I)
_GRID = re.compile(r"[0X]{3}(?:/[0X]{3}){2}|\d/\d", re.I)
_TIGHT = re.compile(r"\s*-\s*")
_SENTENCE = re.compile(r"[.:!”\"]$|[a-z]{2}\. |^[A-Z]{2,}\b[^a-z]*(?::|$)|^-")
_OF_THE_PRINT = re.compile(r"^(?:should be|add an?|this card belongs to)\b", re.I)
_EVERY_VERSION = re.compile(r"all versions|bugged|return to original wording", re.I)
_ITS_TYPE = re.compile(r"\s+persona$", re.I)
MOST_WORDS = 6
LONGEST_HEADING = 300
LONGEST_SENTENCE = 5_000


@dataclass(slots=True)
class _Paragraph:
    """An erratum as it is: its heading, and the rows of text below it."""

    heading: TextLine
    is_heading: bool
    body: list[TextLine] = field(default_factory=list)

    @property
    def text(self) -> str:
        return " ".join(row.text for row in (self.heading, *self.body))


def read_document(text: str) -> Document:
    """Return what a rulebook of Highlander says of single cards; never raises."""
    rows = list(split_lines(text))
    paragraphs = [*_errata(rows), *_bans(rows)]
    of_errata = any(_is_errata_heading(row) for row in rows)
    problems = [] if of_errata else [reason("document-without-errata")]
    if not any(_BANNED.search(row.text) for row in rows):
        problems.append(reason("document-without-bans"))
    version_match = next(filter(None, (_VERSION.match(row.text) for row in rows)), None)
    return Document(
        title=f"Highlander TCG Type Two Rules v{version_match['version']}" if version_match else "",
        version=version_match["version"] if version_match else "",
        as_of=version_match["day"] if version_match else "",
        paragraphs=tuple(each for each in paragraphs if isinstance(each, CardStatement)),
        unread=tuple(each for each in paragraphs if isinstance(each, UnreadParagraph)),
        problems=tuple(problems),
    )


def _is_errata_heading(row: TextLine) -> bool:
    return row.text.casefold() == "card errata"


def _errata(rows: list[TextLine]) -> Iterator[CardStatement | UnreadParagraph]:
    number = 0
    for paragraph in _paragraphs(rows):
        number += paragraph.is_heading or not _SENTENCE.search(paragraph.heading.text)
        yield _erratum(paragraph, f"E{number:03d}")


def _paragraphs(rows: list[TextLine]) -> Iterator[_Paragraph]:
    """Yield the paragraphs of the section.

    A paragraph begins at each row that is a heading, or that is neither a heading nor surely text.
    """
    paragraph: _Paragraph | None = None
    for row in _section(rows):
        is_heading = _is_heading(row.text)
        is_first_below = paragraph is not None and paragraph.is_heading and not paragraph.body
        if paragraph and not is_heading and (is_first_below or _SENTENCE.search(row.text)):
            paragraph.body.append(row)
            continue
        if paragraph:
            yield paragraph
        paragraph = _Paragraph(row, is_heading)
    if paragraph:
        yield paragraph


def _section(rows: list[TextLine]) -> Iterator[TextLine]:
    is_open = False
    for row in rows:
        if _is_errata_heading(row):
            is_open = True
        elif is_open and _ENDS.match(row.text):
            return
        elif is_open:
            yield row


def _is_heading(text: str) -> bool:
    """Return whether a row is a heading.

    It begins with a title, and a card's number, type or restriction follows.
    """
    if len(text) > LONGEST_HEADING:
        return False
    title, *marks = _parts(text)
    bare = _BRACKETS.sub("", title)
    if ":" in bare or len(bare.split()) > MOST_WORDS:
        return False
    return bool(_numbers(title)) or any(_is_mark_or_type(part) or _numbers(part) for part in marks)


def _parts(text: str) -> list[str]:
    """Return a heading cut at its dashes, but not at those inside of brackets."""
    whole = _BRACKETS.sub(lambda match: f"({_TIGHT.sub('-', match[1])})", text)
    return [part.strip() for part in _DASHES.split(whole)]


def _is_mark_or_type(part: str) -> bool:
    text = _BRACKETS.sub("", part).strip()
    return bool(text) and (_MARK.fullmatch(text) or _TYPE.search(text)) is not None and len(text) < 40


def _numbers(part: str) -> tuple[str, ...]:
    """Return the numbers of cards in brackets, or the one that is the whole part."""
    candidates = [inner.strip() for inner in _BRACKETS.findall(part)] or [part.strip()]
    return tuple(each for each in candidates if _NUMBER.fullmatch(each))


def _erratum(paragraph: _Paragraph, number: str) -> CardStatement | UnreadParagraph:
    row, wording = paragraph.heading, " ".join(each.text for each in paragraph.body)
    clause = cite_line(row.line)
    if not paragraph.is_heading:
        return UnreadParagraph(clause, row.line, paragraph.text, reason("paragraph-without-heading"))
    parts = _parts(row.text)
    if not wording and len(parts[-1]) > 40:
        wording = parts.pop()
    card, why = _to_named_card(parts)
    if card is None or not wording or _OF_THE_PRINT.match(wording):
        otherwise = reason("paragraph-of-the-print") if wording else reason("paragraph-without-news")
        return UnreadParagraph(clause, row.line, paragraph.text, why or otherwise)
    return CardStatement("text", clause, row.line, paragraph.text, (card,), wording, number=number)


def _to_named_card(parts: list[str]) -> tuple[NamedCard | None, Reason | None]:
    """Return the card of a heading, or why it is not clear which card is meant."""
    ids = tuple(number for part in parts for number in _numbers(part))
    versions = [v for part in parts for v in _BRACKETS.findall(part) if not _NUMBER.fullmatch(v.strip())]
    if not ids and (some := [v for v in versions if not _EVERY_VERSION.search(v)]):
        return None, reason("paragraph-of-some-versions", version=some[0])
    bare = [text for part in parts if (text := _BRACKETS.sub("", part).strip(" ,"))]
    name, marks = bare[0] if bare else "", bare[1:]
    if behind := _MARK_BEHIND.search(name):
        name, marks = name[: behind.start()].strip(), [behind["code"], *marks]
    if not (name := _ITS_TYPE.sub("", name)):
        return None, reason("paragraph-without-title")
    owners = [part for part in marks if not _is_known(part)]
    if len(owners) > 1:
        return None, reason("paragraph-of-unclear-owner", owners=tuple(owners))
    mark, restriction = _mark(marks)
    facts = {**({} if ids else _owner("".join(owners))), "mark": mark, "restriction": restriction}
    told_facts = {fact: value for fact, value in facts.items() if value not in ("", None)}
    return NamedCard(name, ids=ids, facts=told_facts), None


def _owner(owner: str) -> dict[str, object]:
    """Return the owner as an entry gives it.

    It is written there in short ("Duncan"), so it is only used if no number finds the card.
    """
    return {"owner_kind": "generic"} if owner.casefold() == "generic" else {"owner": owner}


def _is_known(part: str) -> bool:
    """Return whether a part of a heading is anything but the owner."""
    whole = (_MARK, _GEM, _GRID, _NUMBER)
    return _is_mark_or_type(part) or ":" in part or any(each.fullmatch(part) for each in whole)


def _mark(parts: list[str]) -> tuple[str, int | None]:
    """Return the mark and the restriction (HL-L18).

    A bare number is a restriction. R and S precede theirs.
    """
    for part in parts:
        if part and (match := _MARK.fullmatch(part)):
            mark = "S" if match["signed"] else (match["mark"] or "").upper()
            return mark, int(match["restriction"]) if match["restriction"] else None
    return "", None


def _bans(rows: list[TextLine]) -> Iterator[CardStatement | UnreadParagraph]:
    for row in rows:
        if match := _BANNED.search(row.text):
            yield from _read_bans(row, match["cards"])
        elif _IN_ONE_FORMAT.search(row.text):
            why = reason("paragraph-bans-in-one-format")
            yield UnreadParagraph(cite_line(row.line), row.line, row.text, why, is_ban=True)


def _read_bans(row: TextLine, cards: str) -> Iterator[CardStatement | UnreadParagraph]:
    if len(cards) > LONGEST_SENTENCE:
        why = reason("paragraph-too-long", most=LONGEST_SENTENCE)
        yield UnreadParagraph(cite_line(row.line), row.line, row.text, why, is_ban=True)
        return
    for written_card in cards.rstrip(". ").split(","):
        name, ids = _BRACKETS.sub("", written_card).strip(), _numbers(written_card)
        if name and len(name) <= 80:
            named_card = NamedCard(name, ids=ids if _BRACKETS.search(written_card) else ())
            yield CardStatement("ban", cite_line(row.line), row.line, written_card.strip(), (named_card,))
        else:
            why = reason("paragraph-is-no-title")
            yield UnreadParagraph(cite_line(row.line), row.line, written_card.strip(), why, is_ban=True)
