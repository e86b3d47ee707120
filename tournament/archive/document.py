"""Reads the document of an archive.

It is judged while it streams past, and only then held in memory.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import IO, Any

import ijson

from decks.shared.refusals import Refused
from tournament.archive.upgrade import Document, refuse_unknown_version

MEGABYTES = 64
MAX_ARCHIVE_BYTES = MEGABYTES * 1024 * 1024
# An archive of 64 MB has eight million parts: names, values, beginnings and ends of objects and lists.
MAX_PARTS = 10_000_000
MAX_DEPTH = 64
READ_BYTES = 64 * 1024
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
BEGINNINGS = frozenset({"start_map", "start_array"})
ENDS = frozenset({"end_map", "end_array"})

Parts = Iterator[tuple[str, Any]]


def read_archive(source: bytes | str | IO[bytes]) -> Document:
    """Return the document in a file or text.

    Raises Refused when it is too large, no JSON, or no archive of Ringside. A file is read twice: first to
    judge it, holding nothing of it, then to build the document.
    """
    try:
        with _rewindable(source) as file:
            _refuse_unlike_archive(ijson.basic_parse(_from_start(file), buf_size=READ_BYTES))
            return dict(ijson.kvitems(_from_start(file), "", buf_size=READ_BYTES, use_float=True))
    except (ijson.JSONError, ValueError) as error:
        raise Refused("archive_not_json") from error


@contextmanager
def _rewindable(source: bytes | str | IO[bytes]) -> Iterator[IO[bytes]]:
    """Open the source as a file of at most the allowed size that can be read twice."""
    if isinstance(source, str):
        source = source.encode("utf-8", "surrogatepass")
    if isinstance(source, bytes):
        source = BytesIO(source)
    with tempfile.TemporaryFile() as copy:
        file = source if hasattr(source, "seek") else copy
        if file is copy:
            shutil.copyfileobj(_AtMost(source, MAX_ARCHIVE_BYTES + 1), copy)
        if file.seek(0, 2) > MAX_ARCHIVE_BYTES:
            raise Refused("archive_too_large", megabytes=MEGABYTES)
        yield file


class _AtMost:
    """The first bytes of a stream."""

    def __init__(self, stream: IO[bytes], count: int) -> None:
        self._stream = stream
        self._bytes_left = count

    def read(self, size: int = READ_BYTES, /) -> bytes:
        """Return the next bytes, none once the count is reached."""
        data = self._stream.read(min(size, self._bytes_left))
        self._bytes_left -= len(data)
        return data


def _from_start(file: IO[bytes]) -> IO[bytes]:
    """Return the file at its first byte, after the mark of some text editors.

    They write the mark at the start.
    """
    file.seek(0)
    if file.read(len(BYTE_ORDER_MARK)) != BYTE_ORDER_MARK:
        file.seek(0)
    return file


def _refuse_unlike_archive(parts: Parts) -> None:
    """Raise Refused unless the parts are those of an archive that can be read here."""
    depth, has_version, key = 0, False, None
    for count, (kind, value) in enumerate(parts):
        if count == 0 and kind != "start_map":
            raise _not_an_archive()
        if kind in BEGINNINGS:
            depth += 1
        elif kind in ENDS:
            depth -= 1
        if count >= MAX_PARTS or depth > MAX_DEPTH:
            raise Refused("archive_too_complex", most_values=f"{MAX_PARTS:,}", most_levels=MAX_DEPTH)
        if depth == 1 and key == "ringside_archive":
            has_version = True
            refuse_unknown_version(value)
        if depth == 1:
            key = value if kind == "map_key" else None
    if not has_version:
        raise _not_an_archive()


def _not_an_archive() -> Refused:
    return Refused("not_an_archive")
