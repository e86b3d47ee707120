"""Versions of events and digests of players, read on one thread.

The thread has a database connection of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection, connections

from tournament.events.models.event import Event
from tournament.events.selectors import IS_PUBLIC
from tournament.my_page.digests import Digests, find_follower, load_digests

T = TypeVar("T")
AT_ONCE = 500


class Reader:
    """Runs small database reads off the event loop, one after the other."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="live-reader")

    async def run(self, query: Callable[[], T]) -> T:
        """Return what `query` returns when called on the reader's thread.

        Raises what `query` raises.
        """
        return await asyncio.get_running_loop().run_in_executor(self._thread, _or_reconnect, query)

    async def versions(self, slugs: Iterable[str]) -> dict[str, int]:
        """Return the version of each of these events that the public may see.

        Unknown events are left out.
        """
        wanted_slugs = sorted(slugs)
        return await self.run(lambda: read_versions(wanted_slugs))

    async def find_follower(self, token: str) -> tuple[int, int, str] | None:
        """Find the player, event and event address behind a private link.

        Returns None for a link that no one can follow.
        """
        return await self.run(lambda: find_follower(token))

    async def load_digests(self, event: int, version: int) -> Digests:
        """Return the digests of all players of an event, made once for each version."""
        return await self.run(lambda: load_digests(event, version))

    async def close(self) -> None:
        """Close connection and thread."""
        await asyncio.get_running_loop().run_in_executor(self._thread, connections.close_all)
        self._thread.shutdown(wait=False)


def _or_reconnect(query: Callable[[], T]) -> T:
    try:
        return query()
    except Exception:
        # A connection that broke is opened again by the next read.
        connection.close()
        raise


def read_versions(slugs: list[str]) -> dict[str, int]:
    """Read the versions of the events with these slugs.

    Makes one query for each 500 of them.
    """
    versions: dict[str, int] = {}
    for start in range(0, len(slugs), AT_ONCE):
        some = Event.objects.filter(IS_PUBLIC, slug__in=slugs[start : start + AT_ONCE])
        versions.update(some.values_list("slug", "version"))
    return versions


def data_version() -> int:
    """Read SQLite's own counter, which a commit of another connection raises.

    Reading takes a few microseconds.
    """
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        return int(cursor.fetchone()[0])
