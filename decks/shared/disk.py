"""Recognize a full disk in what a file, a message or a database raised."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator

from django.conf import settings

NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
# PostgreSQL's disk_full.
SQLSTATE = "53100"
# Errors that SQLite reports instead if a file beside the database does not fit on the disk.
VAGUE = ("disk I/O error", "unable to open database file")
BYTES_TO_WORK = 1_000_000


def is_disk_full(error: BaseException | None) -> bool:
    """Return whether an error says that a disk had no room left.

    The error may say so at any depth.
    """
    return any(_says_full(each) for each in _chain(error))


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    chain: list[BaseException] = []
    while error is not None and error not in chain:
        chain.append(error)
        yield error
        error = error.__cause__ or error.__context__


def _says_full(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    if isinstance(error, sqlite3.Error):
        code = getattr(error, "sqlite_errorcode", None)
        return code == sqlite3.SQLITE_FULL or (str(error).startswith(VAGUE) and _has_no_room())
    return getattr(error, "sqlstate", None) == SQLSTATE


def _has_no_room() -> bool:
    return shutil.disk_usage(settings.DATA_DIR).free < BYTES_TO_WORK
