"""Lock of a data folder: one running installation, and the address where it answers."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path
from typing import IO

LOCK = "running.lock"


class Taken(Exception):
    """Another start holds the folder; `url` is where it answers, empty while it is still preparing."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.url = url


class Claim:
    """Holds the data folder for as long as this process lives."""

    def __init__(self, folder: Path) -> None:
        """Take the folder, making it where needed; raises Taken when another process holds it."""
        folder.mkdir(parents=True, exist_ok=True)
        self._file: IO[str] = (folder / LOCK).open("a+")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self._file.seek(0)
            content = self._file.read()
            self._file.close()
            raise Taken(json.loads(content)["url"] if content else "") from None
        self._write("")

    def tell(self, url: str) -> None:
        """Write down where Ringside answers, for others who try to start it."""
        self._write(json.dumps({"url": url, "pid": os.getpid()}))

    def release(self) -> None:
        """Let the folder go."""
        self._write("")
        self._file.close()

    def _write(self, text: str) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.write(text)
        self._file.flush()
