"""The one way in: find out what a deck file is by its content and hand it to the reader of that type."""

from __future__ import annotations

from decks.importers.decoding import Decoded, decode
from decks.importers.model import Draft, ParsedDeck, Problem
from decks.importers.plain import read_plain

MAX_BYTES = 1_048_576
MAX_LINES = 1_000

FORMATS = (
    "text", "arena", "forum", "lackey-text", "csv", "octgn", "lackey", "mtgo", "cockatrice", "json",
)  # fmt: skip


def parse(data: bytes | str, *, max_bytes: int = MAX_BYTES, max_lines: int = MAX_LINES) -> ParsedDeck:
    """Read a deck file or a pasted list.

    Takes the bytes of a file or the text of a paste; never raises on their content. A file beyond
    `max_bytes`, or with more than `max_lines` lines or entries, is refused as a whole with one problem
    and no lines.
    """
    size = len(data)
    if size > max_bytes:
        return _refused("too_large", f"The file has {size:,} bytes; at most {max_bytes:,} can be read.")
    decoded = decode(data)
    if decoded.problem:
        return Draft("unknown", problems=[decoded.problem], encoding=decoded.encoding).finish()
    return _read(decoded, max_lines)


def _read(decoded: Decoded, max_lines: int) -> ParsedDeck:
    draft = Draft("text", notices=list(decoded.notices), encoding=decoded.encoding)
    if decoded.text.count("\n") + decoded.text.count("\r") > 2 * max_lines:
        return _refused(
            "too_many_lines", f"The file has more than {max_lines:,} lines; a list has far fewer."
        )
    return read_plain(decoded.text, draft)


def _refused(code: str, sentence: str) -> ParsedDeck:
    return Draft("unknown", problems=[Problem(code, sentence)]).finish()
