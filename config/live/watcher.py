"""Watch the versions of followed events, and wake their streams.

There is one task for each process.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import TypeVar

import structlog

from config.live.bus import Bus, bus_for
from config.live.versions import Reader
from tournament.my_page.digests import Digests

log = structlog.get_logger(__name__)

RETRY_SECONDS = 1.0
# Streams that are woken in one turn of the loop, before requests are accepted again: about three
# milliseconds.
LISTENERS_AT_ONCE = 40
# So long digests and streams of a new version give way to requests of staff.
SECONDS_BEHIND_STAFF = 0.5


class Listener:
    """One stream's view of one event.

    It has the newest version, and an event that wakes the stream.
    """

    __slots__ = ("slug", "version", "wakeup")

    def __init__(self, slug: str, version: int) -> None:
        self.slug = slug
        self.version = version
        self.wakeup = asyncio.Event()

    @property
    def data(self) -> str:
        """Return the text that the stream sends for this version."""
        return str(self.version)

    def set_version(self, version: int) -> None:
        """Store the version.

        A slow listener misses versions in between, but never the last one.
        """
        if version != self.version:
            self.version = version
            self.wakeup.set()


class PlayerListener(Listener):
    """The stream of one player, which also reports changes of the player's own page."""

    __slots__ = ("digests", "event", "player")

    def __init__(self, slug: str, version: int, event: int, player: int) -> None:
        super().__init__(slug, version)
        self.event = event
        self.player = player
        self.digests: Digests | None = None

    @property
    def data(self) -> str:
        """Return the version, the digest of the player's page, and the spread.

        The spread is the time over which changed pages are loaded.
        """
        news: dict[str, object] = {"version": self.version}
        if self.digests is not None:
            news["digest"] = self.digests.by_player.get(self.player, "")
            news["spread"] = self.digests.spread
        return json.dumps(news)

    def set_digests(self, version: int, digests: Digests) -> None:
        """Store what the player sees in a version."""
        self.digests = digests
        self.set_version(version)


AnyListener = TypeVar("AnyListener", bound=Listener)
GiveWay = Callable[[float], Awaitable[None]]


async def _let_others_go_on(until: float) -> None:
    await asyncio.sleep(0)


class VersionWatcher:
    """All listeners of this process; polls the database only while there is one.

    `give_way` lets what is more urgent go first, until a time.
    """

    def __init__(
        self, bus: Callable[[Reader], Bus] = bus_for, *, give_way: GiveWay = _let_others_go_on
    ) -> None:
        self._make_bus = bus
        self._give_way = give_way
        self._listeners: dict[str, set[Listener]] = {}
        self._versions: dict[str, int] = {}
        self._reader: Reader | None = None
        self._watch: asyncio.Task[None] | None = None
        self.is_closing = False

    def __len__(self) -> int:
        return sum(len(listeners) for listeners in self._listeners.values())

    async def join(self, slug: str) -> Listener | None:
        """Add a listener for an event; None when no such event is public."""
        version = await self._version_of(slug)
        return None if version is None or self.is_closing else self._add(Listener(slug, version))

    async def join_player(self, token: str) -> Listener | None:
        """Add a listener for the player behind a private link.

        Returns None if there is no such public event.
        """
        follower = await self._get_reader().find_follower(token)
        version = await self._version_of(follower[2]) if follower else None
        if follower is None or version is None:
            return None
        player, event, slug = follower
        listener = PlayerListener(slug, version, event, player)
        if self.is_closing:
            return None
        # It listens first, so that no version comes unheard while the digests are made.
        self._add(listener)
        try:
            digests = await self._get_reader().load_digests(event, version)
        except Exception:
            self.leave(listener)
            raise
        listener.digests = listener.digests or digests
        return listener

    def _add(self, listener: Listener) -> Listener:
        self._listeners.setdefault(listener.slug, set()).add(listener)
        self._versions.setdefault(listener.slug, listener.version)
        if self._watch is None:
            self._watch = asyncio.create_task(self._watch_versions(), name="live changes")
        return listener

    def leave(self, listener: Listener) -> None:
        """Remove the listener; the last one stops the watch."""
        listeners = self._listeners.get(listener.slug, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(listener.slug, None)
            self._versions.pop(listener.slug, None)
        if not self._listeners and self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def close(self) -> None:
        """End every stream and accept no new ones."""
        self.is_closing = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.wakeup.set()

    async def release(self) -> None:
        """Stop the watch and close the database connection, once the streams have ended."""
        self.close()
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
            self._watch = None
        if self._reader is not None:
            await self._reader.close()
            self._reader = None

    async def _version_of(self, slug: str) -> int | None:
        # After a restart thousands come back within seconds, nearly all to one event.
        if slug in self._versions:
            return self._versions[slug]
        return (await self._get_reader().versions([slug])).get(slug)

    def _get_reader(self) -> Reader:
        if self._reader is None:
            self._reader = Reader()
        return self._reader

    async def _watch_versions(self) -> None:
        while True:
            try:
                async for _ in self._make_bus(self._get_reader()).changes():
                    await self._update_listeners()
            except Exception as error:
                log.warning("Live changes are interrupted; trying again.", error=str(error))
            await asyncio.sleep(RETRY_SECONDS)

    async def _update_listeners(self) -> None:
        versions = await self._get_reader().versions(self._listeners)
        until = time.monotonic() + SECONDS_BEHIND_STAFF
        for slug, version in versions.items():
            behind = [each for each in self._listeners.get(slug, ()) if each.version != version]
            if behind:
                # A stream that joins meanwhile must not miss it.
                self._versions[slug] = version
            players = [each for each in behind if isinstance(each, PlayerListener)]
            async for listener in self._take_turns(behind, until):
                if not isinstance(listener, PlayerListener):
                    listener.set_version(version)
            if players:
                await self._give_way(until)
                digests = await self._get_reader().load_digests(players[0].event, version)
                async for player in self._take_turns(players, until):
                    player.set_digests(version, digests)

    async def _take_turns(self, listeners: Iterable[AnyListener], until: float) -> AsyncIterator[AnyListener]:
        """Yield a few listeners in each turn of the event loop.

        In between, requests are accepted and answered.
        """
        for count, listener in enumerate(listeners, 1):
            yield listener
            if count % LISTENERS_AT_ONCE == 0:
                await self._give_way(until)
