"""Lists typed or pasted as text; also the text of Arena, MTGO, Lackey and forums."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from decks.importers.audit import audit
from decks.importers.headings import Heading, read_heading, split_inline, unknown_heading
from decks.importers.listing import Row, rows
from decks.importers.markup import strip_markdown
from decks.importers.model import Draft, Line, ParsedDeck, Problem, Reading
from decks.importers.names import clean
from decks.importers.quantity import split_quantity
from decks.importers.typed_card import MAX_LINE, card_line_of

_COMMENT = re.compile(r"^(?://|#(?!\d)|;|--(?=\s|$)|<!--)\s*")
_RULE = re.compile(r"^[-=_*~#+.|/\\<>•·—–\s]*$")
_FACT = re.compile(
    r"^(title|deck name|name|author|player|by|creator|event|date|format|game|url|source|notes?|description"
    r"|comments?|archetype|place|finish|record)\s*[:=]\s*(.*)$",
    re.IGNORECASE,
)
_ARENA_TITLE = re.compile(r"^name\s+(.+)$", re.IGNORECASE)
_TOTAL = re.compile(
    r"^(?:=\s*)?(?:(?:grand |deck |main deck |sideboard )?total(?: cards?)?|cards|count|deck size)"
    r"\s*[:=(-]?\s*(\d{1,4})\s*(?:cards?)?\s*\)?$|^=?\s*(\d{1,4})\s+(?:cards?(?: total| in all)?|total)\.?$",
    re.IGNORECASE,
)
_ARENA_CARD = re.compile(r"^\d+ .+ \([A-Z0-9]{2,6}\) \S+$")
_LACKEY_CARD = re.compile(r"^\d+\t")
_QUOTED = re.compile(r'^(?:\d{1,9} ?[xX]? )?"')
_SIDE_PREFIX = re.compile(r"^(?:SB|SIDE)\s*:\s*", re.IGNORECASE)


@dataclass(slots=True)
class _Place:
    """Where the reader stands: the zone and heading that hold for the next card."""

    zone: str = "main"
    section: str | None = None
    under_about: bool = False
    lines: list[Line] = field(default_factory=list)

    @property
    def lines_with_content(self) -> bool:
        """Whether a card or a heading has been read."""
        return any(line.kind in {"card", "section", "problem"} for line in self.lines)


def read_plain(text: str, draft: Draft) -> ParsedDeck:
    """Read a typed list. Every source line comes back; headings move the zone for the lines below."""
    place = _Place()
    read = rows(text)
    for row in read:
        place.lines.append(_read_row(row, place, draft))
    draft.format = _flavour(read)
    draft.lines, notices = audit(place.lines)
    draft.notices.extend(notices)
    return draft.finish()


def _read_row(row: Row, place: _Place, draft: Draft) -> Line:
    if not row.text:
        return Line(row.number, row.raw, "blank", zone=place.zone, section=place.section)
    if len(row.text) > MAX_LINE:
        return _refused(
            row, place, "line_too_long", f"The line is longer than {MAX_LINE} characters, so it was not read."
        )
    line = _structure(row, place, draft) or _card(row, place)
    if row.repaired and line.kind == "card":
        sentence = f"Garbled characters were put right; the name was read as '{line.name}'."
        line = replace(
            line, notices=(*line.notices, Problem("mojibake_repaired", sentence, row.number, "notice"))
        )
    return line


def _structure(row: Row, place: _Place, draft: Draft) -> Line | None:
    """The line as title, total, comment or heading, or None where it can only be a card."""
    fact = _fact(row, place, draft)
    if fact:
        return fact
    if total := _TOTAL.match(row.text):
        return replace(_comment(row, place), announced=int(total[1] or total[2]))
    if comment := _COMMENT.match(row.text):
        heading = read_heading(row.text[comment.end() :], marked=True)
        return _open(row, heading, place) if heading else _comment(row, place)
    if _QUOTED.match(row.text):
        return None
    words = strip_markdown(row.text)
    marked = row.emphasised or words is not None
    if _RULE.match(row.text):
        return _comment(row, place)
    heading = read_heading(words or row.text, marked=marked) or unknown_heading(
        words or row.text, marked=marked
    )
    if not heading or (not heading.known and _is_ranked(row.text)):
        return None
    if marked and not heading.known and _is_title(heading, place, draft):
        draft.title = heading.words
        return _comment(row, place)
    return _open(row, heading, place)


def _is_title(heading: Heading, place: _Place, draft: Draft) -> bool:
    """The first marked words above a list are its name, unless they announce a count."""
    return draft.title is None and heading.announced is None and not place.lines_with_content


def _is_ranked(text: str) -> bool:
    """A marked line with rank dots names a character, not a section."""
    return any(mark in text for mark in "●•·")


def _fact(row: Row, place: _Place, draft: Draft) -> Line | None:
    found = _FACT.match(row.text)
    key = found[1].lower() if found else ""
    if found and not found[2].isdigit() and not (key == "event" and _names_a_card(found[2], place)):
        if key in {"title", "deck name", "name"}:
            draft.title = draft.title or found[2].strip() or None
        elif key == "game":
            draft.game_hint = draft.game_hint or found[2].strip() or None
        return _comment(row, place)
    if row.text.lower() == "about":
        place.under_about = True
        return _comment(row, place)
    titled = _ARENA_TITLE.match(row.text) if place.under_about else None
    place.under_about = False
    if titled:
        draft.title = draft.title or titled[1]
        return _comment(row, place)
    return _deck_title(row, place, draft)


def _names_a_card(rest: str, place: _Place) -> bool:
    """`Event: Friday` stands above a list; among cards, or before a count, Event is a type of card."""
    return place.lines_with_content or split_quantity(rest).place == "leading"


def _deck_title(row: Row, place: _Place, draft: Draft) -> Line | None:
    """`Deck: Ken rush` names the list; `Deck: 60` and `Deck: 4 Foo` do not."""
    key, colon, rest = row.text.partition(":")
    if not colon or key.strip().lower() != "deck" or not rest.strip() or any(map(str.isdigit, rest)):
        return None
    draft.title = draft.title or rest.strip()
    return _comment(row, place)


def _open(row: Row, heading: Heading, place: _Place) -> Line:
    notices = _move(place, heading, row.number)
    return Line(
        row.number, row.raw, "section", None, clean(heading.words), zone=place.zone, section=heading.words,
        written=row.text, notices=notices, announced=heading.announced,
    )  # fmt: skip


def _move(place: _Place, heading: Heading, number: int) -> tuple[Problem, ...]:
    """Go to the zone of a heading. A card type is of the main deck, unless it parts a sideboard or pool."""
    by_type = heading.known and heading.zone is None
    if by_type and place.zone == "pregame":
        place.zone = "main"
    place.zone, place.section = heading.zone or place.zone, heading.words
    if not heading.known:
        sentence = (
            f"'{heading.words}' was read as a heading; its cards stay in the zone above it ({place.zone})."
        )
        return (Problem("heading_unknown", sentence, number, "notice"),)
    if place.zone == "aside":
        sentence = f"The cards below '{heading.words}' are not part of the deck and were set aside."
        return (Problem("set_aside", sentence, number, "notice"),)
    if by_type and place.zone == "sideboard":
        sentence = f"'{heading.words}' stands below the sideboard, so its cards were counted there; "
        return (
            Problem(
                "type_below_sideboard", sentence + "write 'Main deck' above it if not.", number, "notice"
            ),
        )
    return ()


def _comment(row: Row, place: _Place) -> Line:
    return Line(row.number, row.raw, "comment", zone=place.zone, section=place.section, written=row.text)


def _refused(row: Row, place: _Place, code: str, sentence: str) -> Line:
    problem = Problem(code, sentence, row.number)
    return Line(row.number, row.raw, "problem", zone=place.zone, section=place.section, problem=problem)


def _card(row: Row, place: _Place) -> Line:
    if side := _SIDE_PREFIX.match(row.text):
        return card_line_of(row, row.text[side.end() :], "sideboard", place.section)
    if inline := split_inline(row.text):
        heading, rest = inline
        notices = _move(place, heading, row.number)
        line = card_line_of(row, rest, place.zone, place.section)
        whole = Reading(row.text, 1, why="the heading as part of the name")
        return replace(line, alternatives=(*line.alternatives, whole), notices=(*notices, *line.notices))
    return card_line_of(row, row.text, place.zone, place.section)


def _flavour(read: list[Row]) -> str:
    """Which tool's text this is, for people to see; all are read alike."""
    if any(row.had_codes for row in read):
        return "forum"
    worded = [row for row in read if row.text]
    if any(_ARENA_CARD.match(row.text) for row in worded):
        return "arena"
    if worded and sum(bool(_LACKEY_CARD.match(row.raw)) for row in worded) * 2 > len(worded):
        return "lackey-text"
    return "text"
