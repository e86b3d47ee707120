"""Hear the heartbeats of a process, as systemd does for its services."""

from __future__ import annotations

import shutil
import socket
import tempfile
import time
from pathlib import Path

SECONDS_TO_BE_READY = 90.0
SECONDS_BETWEEN_SIGNS = 10.0
MAX_BYTES = 4096


class Watchdog:
    """A socket to which one process sends its state.

    The messages are `READY=1`, `WATCHDOG=1` and `WATCHDOG=trigger`.
    """

    def __init__(self) -> None:
        # Not the data folder: the path of a socket may not be longer than about a hundred characters.
        self._folder = Path(tempfile.mkdtemp(prefix="ringside-"))
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._socket.bind(str(self._folder / "notify"))
        self._deadline = 0.0
        self.signs = 0
        self._fault = ""

    @property
    def environment(self) -> dict[str, str]:
        """The variables by which the process knows where to send."""
        microseconds = int(SECONDS_BETWEEN_SIGNS * 1_000_000)
        return {"NOTIFY_SOCKET": str(self._folder / "notify"), "WATCHDOG_USEC": str(microseconds)}

    def begin(self) -> None:
        """Forget the process before; a new one starts."""
        self._read()
        self._fault = ""
        self._deadline = time.monotonic() + SECONDS_TO_BE_READY

    def fault(self) -> str:
        """Return why the process must be ended, in words; empty while all is well."""
        for message in self._read():
            self.signs += 1
            if b"WATCHDOG=trigger" in message:
                self._fault = "does not do its work"
            self._deadline = time.monotonic() + SECONDS_BETWEEN_SIGNS
        if not self._fault and time.monotonic() > self._deadline:
            self._fault = "gives no sign of life"
        return self._fault

    def _read(self) -> list[bytes]:
        messages = []
        while True:
            try:
                messages.append(self._socket.recv(MAX_BYTES))
            except BlockingIOError:
                return messages

    def close(self) -> None:
        """Remove the socket."""
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)
