"""Parse a deck file: detect its type by content and call the reader."""

from __future__ import annotations

import re

from decks.importers.csvfile import detect_layout, read_table
from decks.importers.decoding import DecodedText, decode
from decks.importers.jsonfile import read_json_deck
from decks.importers.markup import count_breaks
from decks.importers.model import DeckBuilder, ParsedDeck, ParseProblem
from decks.importers.plain import read_plain
from decks.importers.xmlfiles import read_xml_deck
from rules.reason import Reason, reason

MAX_BYTES = 1_048_576
MAX_LINES = 1_000

FORMATS = (
    "text", "arena", "forum", "lackey-text", "csv", "octgn", "lackey", "mtgo", "cockatrice", "json",
)  # fmt: skip


_OPENING = 4_000
_XML = re.compile(
    r"<\?xml\b|<!(?:DOCTYPE|--|\[CDATA)|<(?:[A-Za-z]\w*:)?(?:deck|cockatrice_deck)\b", re.IGNORECASE
)
_WEB_PAGE = re.compile(
    r"(?:<!--.{0,500}?-->\s*)?(?:<!DOCTYPE\s+html|<html|<head|<body)\b", re.IGNORECASE | re.DOTALL
)
_JSON = re.compile(r"\{\s*(?:\"|\}|$)|\[\s*(?:[{\"]|\[\s*\"|\]\s*$)")


def parse(data: bytes | str, *, max_bytes: int = MAX_BYTES, max_lines: int = MAX_LINES) -> ParsedDeck:
    """Read a deck file or a pasted list.

    Takes the bytes of a file or the text of a paste; never raises on their content. A file beyond
    `max_bytes`, or with more than `max_lines` lines or entries, is refused as a whole with one problem
    and no lines.
    """
    size = len(data)
    if size > max_bytes:
        return _refuse_file(reason("too_large", size=size, most=max_bytes))
    decoded_text = decode(data)
    if decoded_text.problem:
        return DeckBuilder(
            "unknown", problems=[decoded_text.problem], encoding=decoded_text.encoding
        ).finish()
    return _read(decoded_text, max_lines)


def _read(decoded_text: DecodedText, max_lines: int) -> ParsedDeck:
    text = decoded_text.text
    builder = DeckBuilder("text", notices=list(decoded_text.notices), encoding=decoded_text.encoding)
    opening = text[:_OPENING].lstrip()
    if _WEB_PAGE.match(opening):
        return _refuse_file(reason("web_page"))
    if _XML.match(opening):
        return read_xml_deck(text, builder, max_lines)
    if _JSON.match(opening):
        return read_json_deck(text, builder, max_lines)
    if _has_too_many_lines(text, max_lines):
        return _refuse_file(reason("too_many_lines", most=max_lines))
    if layout := detect_layout(text):
        return read_table(text, layout, builder)
    return read_plain(text, builder)


def _has_too_many_lines(text: str, max_lines: int) -> bool:
    """Return whether there are too many lines.

    Tags that break lines count. The same number of blank lines is free.
    """
    if count_breaks(text) > 4 * max_lines:
        return True
    if text.count("\n") + text.count("\r") > 4 * max_lines:
        return True
    lines = text.splitlines()
    return len(lines) > 2 * max_lines or sum(not line.isspace() and bool(line) for line in lines) > max_lines


def _refuse_file(why: Reason) -> ParsedDeck:
    return DeckBuilder("unknown", problems=[ParseProblem(why)]).finish()
