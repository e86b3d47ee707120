"""Report the state of this process to its supervisor.

It uses `sd_notify` of systemd, which `bin/start` understands too.
"""

from __future__ import annotations

import os
import socket
from contextlib import suppress

READY = "READY=1\nWATCHDOG=1"
ALIVE = "WATCHDOG=1"
# systemd, or the supervisor, then ends the process at once and starts it again.
BROKEN = "WATCHDOG=trigger"


def watchdog_seconds() -> float | None:
    """Return how long this process may miss its heartbeat before it is ended.

    Returns None if no one watches.
    """
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    is_watched = "NOTIFY_SOCKET" in os.environ and microseconds.isdecimal()
    return int(microseconds) / 1_000_000 if is_watched else None


def notify(state: str) -> None:
    """Send a state; without someone to send it to, or when that fails, do nothing."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    # A leading @ stands for the null byte of Linux' abstract addresses.
    address = f"\0{address[1:]}" if address.startswith("@") else address
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as sender:
        sender.sendto(state.encode(), address)
