"""Answers to the questions that a list leaves open, each as a change of its text."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from html import escape, unescape

from decks.importers.audit import count_missing, mark_of_zone
from decks.importers.csvfile import TableLayout, detect_layout, split_cells
from decks.importers.headings import find_zone, is_card_type, names_another_zone, suggest_zone
from decks.importers.jsonfile import READ_KEYS
from decks.importers.model import DeckLine, ParsedDeck
from decks.importers.names import clean, fold
from decks.importers.xmlfiles import may_name_zone
from decks.shared.csv_cells import write_rows

MOST_QUESTIONS = 20

"""Most questions with answers as buttons. A list with more of them needs a corrected text first."""

ZONE_HEADINGS = {
    "sideboard": "Sideboard",
    "main": "Main deck",
    "pregame": "Pre-game",
    "aside": "Maybe",
}

_ZONE_MARKS = {"sideboard": "[Sideboard]", "main": "[Main]", "aside": "[Maybe]"}

_TYPED = frozenset({"text", "arena", "forum", "lackey-text"})

_COUNTS = frozenset({"heading_count_differs", "total_differs"})


_ELEMENTS = {"octgn": "section", "lackey": "superzone", "cockatrice": "zone", "mtgo": "cards"}

_ZONE_KEY = '"(?:zone|section|board|location|pile|deck_?section)"'

_MEMBER = re.compile(r'"((?:[^"\\]|\\.)*)"\s*:\s*("(?:[^"\\]|\\.)*"|true)')

_ATTRIBUTE = re.compile(r"""([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')""")


@dataclass(frozen=True, slots=True)
class LineEdit:
    """A source line, and what it says before and after the change.

    The text after is None if the line is removed. `now` may be several lines.
    """

    line: int
    was: str
    now: str | None


@dataclass(frozen=True, slots=True)
class AnswerOption:
    """An answer, with the change it makes.

    It is a zone, or `title`, `card`, `heading`, `column` or `count`. `number` is what `count` writes.
    """

    code: str
    edits: tuple[LineEdit, ...]
    number: int | None = None


@dataclass(frozen=True, slots=True)
class ListQuestion:
    """The open question of a line, by the code of its notice.

    Its answers are ordered with the most likely first.
    """

    line: int
    code: str
    answers: tuple[AnswerOption, ...]


@dataclass(frozen=True, slots=True)
class _List:
    """A list with its source lines; `layout` where it is a table."""

    deck: ParsedDeck
    rows: list[str]
    layout: TableLayout | None
    cells: list[list[str]]

    def edit(self, number: int, now: str) -> tuple[LineEdit, ...]:
        return (LineEdit(number, self.rows[number - 1], now),)

    def edit_all(self, change: Callable[[str], str]) -> tuple[LineEdit, ...]:
        """Return the lines that a change makes different."""
        changed_rows = ((number, row, change(row)) for number, row in enumerate(self.rows, start=1))
        return tuple(LineEdit(number, row, now) for number, row, now in changed_rows if row != now)


def find_questions(deck: ParsedDeck, text: str) -> list[ListQuestion]:
    """Return the questions of a list that was read from `text`, in order.

    There are at most `MOST_QUESTIONS`.
    """
    layout = detect_layout(text) if deck.format == "csv" else None
    rows = text.removeprefix("\ufeff").splitlines()
    cells = [split_cells(row, layout.separator) or [] for row in rows] if layout else []
    listing = _List(deck, rows, layout, cells)
    questions: dict[object, ListQuestion] = {}
    for place, line in enumerate(deck.lines):
        question = line.question
        if question is None or len(questions) >= MOST_QUESTIONS:
            continue
        if (subject := _subject(deck, line, question.code)) not in questions:
            answers = tuple(each for each in _answers(listing, place, question.code) if each.edits)
            questions[subject] = ListQuestion(line.number, question.code, answers)
    return list(questions.values())


def _subject(deck: ParsedDeck, line: DeckLine, code: str) -> object:
    """Return what a question is about.

    One answer applies to all rows and sections with the same words.
    """
    if code in _COUNTS or (deck.format == "csv" and line.kind != "card") or deck.format in _TYPED:
        return line.number, line.text
    if code == "zone_unread":
        return code, deck.format in _ELEMENTS or line.zone, _find_mark(deck.format, line)
    return code, line.section if code == "heading_unknown" else ""


def apply_edits(text: str, edits: Sequence[LineEdit]) -> str:
    """Return the text with the changes of an answer."""
    rows = text.removeprefix("\ufeff").splitlines(keepends=True) or [""]
    for edit in edits:
        row = rows[edit.line - 1]
        line_end = row[len(row.splitlines()[0]) :] if row else ""
        rows[edit.line - 1] = "" if edit.now is None else edit.now + line_end
    return "".join(rows)


def find_edits(before: str, after: str) -> tuple[LineEdit, ...]:
    """Return the line changes that turn one text into the other.

    A new line is attached to the line before it.
    """
    old, new = before.removeprefix("\ufeff").splitlines(), after.splitlines()
    edits: dict[int, LineEdit] = {}
    for kind, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        rows = new[first:last]
        if kind == "insert":
            place = max(start - 1, 0)
            kept_text = edits[place].now if place in edits else old[place] if old else ""
            together = [*rows, kept_text] if start == 0 else [kept_text, *rows]
            edits[place] = LineEdit(place + 1, old[place] if old else "", _join_rows(together))
        elif kind != "equal":
            for place in range(start, end):
                # Row for row; the last one takes what is left.
                own = rows[place - start :] if place == end - 1 else rows[place - start :][:1]
                edits[place] = LineEdit(place + 1, old[place], _join_rows(own) if own else None)
    return tuple(edits[place] for place in sorted(edits))


def _join_rows(rows: Iterable[str | None]) -> str:
    return "\n".join(row for row in rows if row is not None)


def _answers(listing: _List, place: int, code: str) -> Iterator[AnswerOption]:
    line = listing.deck.lines[place]
    if code in _COUNTS:
        yield from _count(listing, place)
    elif listing.deck.format == "csv":
        yield from _in_table(listing, line, code)
    elif listing.deck.format in {"json", "octgn", "lackey", "cockatrice", "mtgo"}:
        yield from _in_structure(listing, line, code)
    elif code == "zone_unread":
        mark = mark_of_zone(line)
        for zone, ours in _in_order(
            _ZONE_MARKS, suggest_zone(clean(mark).strip("[]()#-< ")) if mark else None
        ):
            yield AnswerOption(zone, listing.edit(line.number, line.text.replace(mark or "", ours, 1)))
    elif code == "heading_or_card":
        yield from _heading_or_card(listing, line)
    else:
        yield from _offer_headings(listing, line)


def _offer_headings(listing: _List, line: DeckLine) -> Iterator[AnswerOption]:
    """Yield a heading, remark, blank line or rule of a typed list."""
    words = "" if line.kind == "blank" else clean(line.name or line.written_text).strip(" /#;:*_[]<>-=~!")
    for zone, heading in _in_order(ZONE_HEADINGS, suggest_zone(words)):
        yield AnswerOption(zone, listing.edit(line.number, heading))
    if words and any(map(str.isalpha, words)):
        is_first = all(each.kind in {"blank", "comment"} for each in listing.deck.lines[: line.number - 1])
        key = "Title" if is_first and listing.deck.title is None else "Notes"
        yield AnswerOption("title", listing.edit(line.number, f"{key}: {words}"))


def _heading_or_card(listing: _List, line: DeckLine) -> Iterator[AnswerOption]:
    zone = suggest_zone(line.name)
    if zone in ZONE_HEADINGS:
        yield AnswerOption(zone, listing.edit(line.number, ZONE_HEADINGS[zone]))
    elif is_card_type(line.name) or find_zone(line.name):
        yield AnswerOption("heading", listing.edit(line.number, f"{line.name}:"))
    if line.name and line.text.count(line.name) == 1:
        yield AnswerOption("card", listing.edit(line.number, line.text.replace(line.name, f'"{line.name}"')))


def _count(listing: _List, place: int) -> Iterator[AnswerOption]:
    """Yield the number that was read in place of the one that is announced."""
    line = listing.deck.lines[place]
    announced_count = line.announced_count or 0
    count = announced_count - count_missing(listing.deck.lines, place)
    number = re.compile(rf"(?<!\d)0*{announced_count}(?!\d)")
    if listing.deck.format == "json":
        key = line.text.partition(":")[0]
        member = re.compile(rf"({re.escape(key)}\s*:\s*){announced_count}(?!\d)")
        yield AnswerOption("count", listing.edit_all(partial(member.sub, rf"\g<1>{count}")), count)
    elif number.search(line.text):
        yield AnswerOption(
            "count", listing.edit(line.number, number.sub(str(count), line.text, count=1)), count
        )


def _in_table(listing: _List, line: DeckLine, code: str) -> Iterator[AnswerOption]:
    layout = listing.layout
    if layout is None or code == "heading_or_card":
        return
    if line.kind != "card":
        yield from _offer_headings(listing, line)
    elif code == "zone_unread":
        yield AnswerOption("column", _rename_column(listing, layout, line))
    elif "zone" in layout.columns:
        column, words = layout.columns.index("zone"), line.section or ""
        card_names = [
            (number, cells)
            for number, cells in enumerate(listing.cells, start=1)
            if len(cells) > column and clean(cells[column]) == words
        ]
        for zone, heading in _in_order(ZONE_HEADINGS, suggest_zone(words)):
            edits = [
                (number, [*cells[:column], heading, *cells[column + 1 :]]) for number, cells in card_names
            ]
            yield AnswerOption(
                zone,
                tuple(
                    LineEdit(number, listing.rows[number - 1], _write_row(cells, layout.separator))
                    for number, cells in edits
                ),
            )


def _rename_column(listing: _List, layout: TableLayout, line: DeckLine) -> tuple[LineEdit, ...]:
    """Call the column Zone whose cell says a zone, unless there is one of that name."""
    cells = split_cells(line.text, layout.separator) or []
    columns = [place for place, name in enumerate(layout.columns) if name is None and place < len(cells)]
    column = next((place for place in columns if suggest_zone(cells[place])), None)
    if column is None or layout.header is None or "zone" in layout.columns:
        return ()
    header = split_cells(listing.rows[layout.header - 1], layout.separator) or []
    renamed_header = [*header[:column], "Zone", *header[column + 1 :]]
    return listing.edit(layout.header, _write_row(renamed_header, layout.separator))


def _write_row(cells: Sequence[str], separator: str) -> str:
    out = io.StringIO()
    write_rows(out, [cells], separator=separator, line_end="")
    return out.getvalue()


def _in_structure(listing: _List, line: DeckLine, code: str) -> Iterator[AnswerOption]:
    """Yield the zones for every section or entry of the same words."""
    if code == "zone_unread":
        yield from _marked_in_structure(listing, line)
        return
    words = line.section or ""
    if code != "heading_unknown" or not words:
        return
    if listing.deck.format == "json" and line.kind == "section":
        pattern = re.compile(rf"()\"{re.escape(line.text[1:-1])}\"(?=\s*:)")
    elif listing.deck.format == "json":
        pattern = re.compile(rf"({_ZONE_KEY}\s*:\s*)\"{re.escape(words)}\"", re.IGNORECASE)
    else:
        pattern = re.compile(rf"""(<\w+\b[^<>]*?\bname\s*=\s*)["']{re.escape(escape(words))}["']""")
    for zone, heading in _in_order(ZONE_HEADINGS, suggest_zone(words)):
        yield AnswerOption(zone, listing.edit_all(partial(pattern.sub, rf'\g<1>"{heading}"')))


@dataclass(frozen=True, slots=True)
class _Mark:
    """A key and a value of an entry that were not read.

    They may say in which part of the list the card is.
    """

    key: str
    value: str

    @property
    def words(self) -> str:
        """Return what probably names the zone."""
        return self.value if suggest_zone(self.value) else self.key


def _find_mark(kind: str, line: DeckLine) -> _Mark | None:
    """Return the mark of an entry, as it is written."""
    if kind == "json":
        for key, value in _MEMBER.findall(line.text):
            is_word = names_another_zone(value.strip('"') if value != "true" else key, line.zone)
            if fold(key) not in READ_KEYS and is_word:
                return _Mark(key, value)
        return None
    opening = line.text.partition(">")[0]
    pairs = ((key, value[1:-1]) for key, value in _ATTRIBUTE.findall(opening))
    return next(
        (_Mark(*pair) for pair in pairs if may_name_zone(pair[0], unescape(pair[1]), line.zone)), None
    )


def _marked_in_structure(listing: _List, line: DeckLine) -> Iterator[AnswerOption]:
    mark = _find_mark(listing.deck.format, line)
    if mark is None:
        return
    if listing.deck.format == "json":
        edit: Callable[[str], tuple[LineEdit, ...]] = partial(_set_member, listing, mark)
    else:
        edit = partial(_set_element, listing, mark, line.zone)
    for zone, _ in _in_order(ZONE_HEADINGS, suggest_zone(mark.words.strip('"'))):
        yield AnswerOption(zone, edit(zone))


def _set_member(listing: _List, mark: _Mark, zone: str) -> tuple[LineEdit, ...]:
    """Write the zone in place of the mark.

    Nothing is written if an entry also names its zone.
    """
    marked_lines = [line for line in listing.deck.lines if _find_mark("json", line) == mark]
    if any(re.search(rf"{_ZONE_KEY}\s*:", line.text, re.IGNORECASE) for line in marked_lines):
        return ()
    member = re.compile(rf'"{re.escape(mark.key)}"\s*:\s*{re.escape(mark.value)}(?![\w])')
    return listing.edit_all(partial(member.sub, f'"zone": "{ZONE_HEADINGS[zone]}"'))


def _set_element(listing: _List, mark: _Mark, here: str, zone: str) -> tuple[LineEdit, ...]:
    """Remove the mark from its cards.

    Cards that are in another zone are put into a section of the zone.
    """
    attribute = re.compile(rf"""\s+{re.escape(mark.key)}\s*=\s*["']{re.escape(mark.value)}["']""")
    rows: dict[int, str] = {}
    for line in listing.deck.lines:
        row = rows.get(line.number, listing.rows[line.number - 1])
        if line.zone != here or _find_mark(listing.deck.format, line) != mark or line.text not in row:
            continue
        card = attribute.sub("", line.text, count=1)
        rows[line.number] = row.replace(line.text, _move_card(listing.deck.format, line, card, zone), 1)
    return tuple(LineEdit(number, listing.rows[number - 1], now) for number, now in rows.items())


def _move_card(kind: str, line: DeckLine, card: str, zone: str) -> str:
    if zone == line.zone:
        return card
    if kind == "mtgo":
        is_side = "true" if zone == "sideboard" else "false"
        own = f' Zone="{zone}"' if zone in ("pregame", "aside") else ""
        bare = re.sub(r"""\s+(?:Sideboard|Zone)\s*=\s*("[^"]*"|'[^']*')""", "", card)
        return re.sub(r"^<(\w+)", rf'<\g<1> Sideboard="{is_side}"{own}', bare)
    name = _ELEMENTS[kind]
    back = escape(line.section or ZONE_HEADINGS.get(line.zone, "Main deck"))
    return f'</{name}><{name} name="{ZONE_HEADINGS[zone]}">{card}</{name}><{name} name="{back}">'


def _in_order(words: dict[str, str], first: str | None) -> list[tuple[str, str]]:
    """Return the zones with their words, the likeliest first."""
    return sorted(words.items(), key=lambda pair: pair[0] != first)
