"""Bytes to text.

Determines which encoding a file is in, and what was lost or repaired on the way.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from decks.importers.model import ParseProblem
from rules.reason import reason

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"""^\s*<\?xml[^>]{0,80}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,30})["']""")
_KNOWN = {
    "utf-8",
    "utf8",
    "us-ascii",
    "ascii",
    "iso-8859-1",
    "latin-1",
    "windows-1252",
    "cp1252",
    "iso-8859-15",
}
_FILE_SIGNS = (
    (b"PK\x03\x04", "archive_or_spreadsheet"),
    (b"%PDF", "pdf"),
    (b"\x89PNG", "picture"),
    (b"\xff\xd8\xff", "picture"),
    (b"GIF8", "picture"),
    (b"\xd0\xcf\x11\xe0", "office_document"),
    (b"\x1f\x8b", "archive"),
    (b"Rar!", "archive"),
    (b"SQLite format 3", "database"),
)
_CP1252_BYTES = {}
for _byte in range(0x80, 0x100):
    _CP1252_BYTES[bytes([_byte]).decode("cp1252", "ignore") or chr(_byte)] = _byte
    _CP1252_BYTES.setdefault(chr(_byte), _byte)
_UNSTORABLE = re.compile(r"[\0\ud800-\udfff]")
_AS_LATIN = {ord(char): code for char, code in _CP1252_BYTES.items()}
_HIGH = "".join(map(re.escape, _CP1252_BYTES))
# Two signs are only taken for one garbled letter where hardly any real word has them in this order.
_GARBLED = re.compile(
    rf"[ÂÃ][{_HIGH}]|[ÄÅ][\u00a0-\u00bf]|(?:[Î-Ñ][{_HIGH}]){{3,}}|[à-ï][{_HIGH}]{{2}}|[ð-ô][{_HIGH}]{{3}}"
)


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Text of a file.

    `problem` is set if there is none; `notices` tell what was guessed or lost.
    """

    text: str
    encoding: str
    notices: tuple[ParseProblem, ...] = ()
    problem: ParseProblem | None = None


def decode(data: bytes | str) -> DecodedText:
    """Return the text of a file or paste.

    Byte order mark and NUL characters are removed. Never raises.
    """
    if isinstance(data, str):
        return _tidy(data.removeprefix("\ufeff"), "text", [])
    if kind := next((what for start, what in _FILE_SIGNS if data.startswith(start)), None):
        return DecodedText("", "binary", (), ParseProblem(reason("not_text.of_kind", kind=kind)))
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode_as(data[len(mark) :], encoding)
    return _decode_unmarked(data)


def _decode_unmarked(data: bytes) -> DecodedText:
    if encoding := _wide_encoding(data):
        return _decode_as(data, encoding)
    encoding_mark = _DECLARED.match(data[:200])
    if encoding_mark and encoding_mark[1].decode().lower() in _KNOWN - {"utf-8", "utf8"}:
        return _decode_as(data, encoding_mark[1].decode().lower())
    try:
        return _tidy(data.decode("utf-8"), "utf-8", [])
    except UnicodeDecodeError:
        return _western(data)


def _wide_encoding(data: bytes) -> str | None:
    """Detect UTF-16 without a byte order mark.

    Plain letters have a zero byte after or before each.
    """
    head = data[:400]
    if len(head) < 4 or head.count(0) * 3 < len(head):
        return None
    return "utf-16-le" if head[1::2].count(0) > head[::2].count(0) else "utf-16-be"


def _decode_as(data: bytes, encoding: str) -> DecodedText:
    text = data.decode(encoding, "replace")
    notices = [] if "\ufffd" not in text else [_lost_characters()]
    return _tidy(text.removeprefix("\ufeff"), encoding, notices)


def _western(data: bytes) -> DecodedText:
    text = data.decode("cp1252", "replace")
    notices = [ParseProblem(reason("encoding_guessed"), None, "notice")]
    if "\ufffd" in text:
        notices.append(_lost_characters())
    return _tidy(text, "cp1252", notices)


def _lost_characters() -> ParseProblem:
    return ParseProblem(reason("characters_lost"), None, "notice")


def _tidy(text: str, encoding: str, notices: list[ParseProblem]) -> DecodedText:
    if "\0" in text or not text.isascii():
        storable_text = _UNSTORABLE.sub("\ufffd", text)
        if storable_text != text and not notices:
            notices.append(_lost_characters())
        text = storable_text
    controls = sum(text.count(chr(code)) for code in (*range(1, 9), *range(14, 27), *range(28, 32)))
    if controls + text.count("\ufffd") > len(text) // 10 + 8:
        return DecodedText("", "binary", (), ParseProblem(reason("not_text")))
    return DecodedText(text, encoding, tuple(notices))


def repair_mojibake(text: str) -> str:
    """Undo UTF-8 that was once read as Windows-1252 (`â€™` for a quote), up to twice."""
    for _ in range(2):
        if text.isascii() or not _GARBLED.search(text):
            break
        text = _repair_whole(text) or _GARBLED.sub(_repair, text)
    return text


def _repair_whole(text: str) -> str:
    """Return the whole text repaired at once.

    Empty if some of it was never garbled.
    """
    if not _GARBLED.sub("", text).isascii():
        return ""
    try:
        return text.translate(_AS_LATIN).encode("latin-1").decode("utf-8")
    except UnicodeError:
        return ""


def _repair(match: re.Match[str]) -> str:
    raw = bytes(_CP1252_BYTES.get(char, 0) for char in match[0])
    for length in range(len(raw), 1, -1):
        try:
            return raw[:length].decode("utf-8") + match[0][length:]
        except UnicodeDecodeError:
            continue
    return match[0]
