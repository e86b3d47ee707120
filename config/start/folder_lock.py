"""Lock the data folder, so that one Ringside runs on it at a time."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import IO

LOCK = "running.lock"


class FolderLockedError(Exception):
    """Another process has locked the folder.

    `url` is its address, empty until it is known.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class FolderLock:
    """An exclusive lock on the data folder, released when the process ends."""

    def __init__(self, folder: Path) -> None:
        """Lock the folder and create it if needed; raises FolderLockedError."""
        folder.mkdir(parents=True, exist_ok=True)
        self._file: IO[str] = (folder / LOCK).open("a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            content = self._file.read()
            self._file.close()
            raise FolderLockedError(json.loads(content)["url"] if content else "") from None
        self._write("")

    def publish_url(self, url: str) -> None:
        """Record the address, for a second start on the same folder."""
        self._write(json.dumps({"url": url, "pid": os.getpid()}))

    def release(self) -> None:
        """Release the lock."""
        self._write("")
        self._file.close()

    def _write(self, text: str) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.write(text)
        self._file.flush()
