"""The data folder belongs to one user.

No one else on the machine reads what is in it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

FOLDER_MODE = 0o700
OTHERS = stat.S_IRWXG | stat.S_IRWXO


def keep_new_files_private() -> None:
    """Let this process create files and folders for its own user alone.

    This also applies to the processes that it starts.
    """
    os.umask(OTHERS)


def make_private(folder: Path, *files: Path) -> None:
    """Make the folder if it is missing, and remove the access of all others.

    This applies to the folder, everything in it, and `files`. A folder that everyone shares, such as /tmp,
    stays open; so does what belongs to another user.
    """
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    own_paths = () if folder.stat().st_mode & stat.S_ISVTX else (folder, *_contents(folder))
    for path in (*own_paths, *files):
        # A file may be gone meanwhile, or be another user's.
        with suppress(OSError):
            _close(path)


def make_data_private(data_folder: Path, database: Mapping[str, object]) -> None:
    """Make all data private by Django's settings: a SQLite file may be elsewhere."""
    name = str(database["NAME"]) if str(database["ENGINE"]).endswith("sqlite3") else ""
    files = [Path(f"{name}{end}") for end in ("", "-wal", "-shm", "-journal")] if name else []
    make_private(data_folder, *files)


def _contents(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        yield from (Path(place, name) for name in (*folders, *files))


def _close(path: Path) -> None:
    mode = path.lstat().st_mode
    if mode & OTHERS and not stat.S_ISLNK(mode):
        path.chmod(stat.S_IMODE(mode) & ~OTHERS)
