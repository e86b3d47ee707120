"""Signal when versions may have changed.

Each bus says that something changed, never what.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Protocol

import psycopg
from django.db import connection

from config.live.versions import Reader, data_version
from tournament.log.step import EVENT_CHANNEL

POLL_SECONDS = 0.2
SECONDS_TO_GATHER = 0.3
MAX_SILENCE_SECONDS = 10.0


class Bus(Protocol):
    """A bus that yields whenever a version may have been raised.

    It ends only by an error or when closed.
    """

    def changes(self) -> AsyncIterator[None]:
        """Yield once for one or several changes."""
        ...


class SqliteBus:
    """Polls SQLite's change counter five times a second."""

    def __init__(self, reader: Reader, interval: float = POLL_SECONDS) -> None:
        self._reader = reader
        self._interval = interval

    async def changes(self) -> AsyncIterator[None]:
        """Yield after each poll that finds the counter changed."""
        last_version = await self._reader.run(data_version)
        yield
        while True:
            await asyncio.sleep(self._interval)
            now = await self._reader.run(data_version)
            if now != last_version:
                last_version = now
                yield


class PostgresBus:
    """Waits for the notification that each new version sends when it commits."""

    async def changes(self) -> AsyncIterator[None]:
        """Yield at the start, after each notification, and after ten seconds without one."""
        async with await self._connect() as listening:
            await listening.execute(f"LISTEN {EVENT_CHANNEL}")
            yield
            while True:
                notices = listening.notifies(timeout=MAX_SILENCE_SECONDS, stop_after=1)
                if [notice async for notice in notices]:
                    # The writer gets an answer first, and the many versions of one pairing arrive as one.
                    await asyncio.sleep(SECONDS_TO_GATHER)
                yield

    async def _connect(self) -> psycopg.AsyncConnection[tuple[object, ...]]:
        params = connection.get_connection_params()
        for name in ("cursor_factory", "context", "prepare_threshold", "server_side_binding", "pool"):
            params.pop(name, None)
        return await psycopg.AsyncConnection.connect(**params, autocommit=True)


def bus_for(reader: Reader) -> Bus:
    """Return the bus for the configured database."""
    return PostgresBus() if connection.vendor == "postgresql" else SqliteBus(reader)
