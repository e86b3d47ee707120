"""One watch a process, many streams: it looks at the events that somebody follows and wakes the streams."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import structlog

from config.live.bus import Bus, bus_for
from config.live.versions import Reader

log = structlog.get_logger(__name__)

SECONDS_AFTER_TROUBLE = 1.0


class Listener:
    """One stream's view of one event: the newest version, and a bell for changes and for the end."""

    __slots__ = ("bell", "slug", "version")

    def __init__(self, slug: str, version: int) -> None:
        self.slug = slug
        self.version = version
        self.bell = asyncio.Event()

    def tell(self, version: int) -> None:
        """Note the version; a listener who is slow misses steps in between, never the last one."""
        if version != self.version:
            self.version = version
            self.bell.set()


class Hub:
    """All listeners of this process. It looks at the database only while there is one."""

    def __init__(self, bus: Callable[[Reader], Bus] = bus_for) -> None:
        self._make_bus = bus
        self._listeners: dict[str, set[Listener]] = {}
        self._reader: Reader | None = None
        self._watch: asyncio.Task[None] | None = None
        self.closing = False

    def __len__(self) -> int:
        return sum(len(listeners) for listeners in self._listeners.values())

    async def join(self, slug: str) -> Listener | None:
        """A listener for the event that knows its version; None when the public sees no such event."""
        version = await self._version_of(slug)
        if version is None or self.closing:
            return None
        listener = Listener(slug, version)
        self._listeners.setdefault(slug, set()).add(listener)
        if self._watch is None:
            self._watch = asyncio.create_task(self._keep_watching(), name="live changes")
        return listener

    def leave(self, listener: Listener) -> None:
        """Forget the listener; the last one out stops the watch."""
        listeners = self._listeners.get(listener.slug, set())
        listeners.discard(listener)
        if not listeners:
            self._listeners.pop(listener.slug, None)
        if not self._listeners and self._watch is not None:
            self._watch.cancel()
            self._watch = None

    def close(self) -> None:
        """End every stream; nobody can join any more."""
        self.closing = True
        for listeners in self._listeners.values():
            for listener in listeners:
                listener.bell.set()

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
        for listener in self._listeners.get(slug, ()):
            return listener.version
        return (await self._reading().versions([slug])).get(slug)

    def _reading(self) -> Reader:
        if self._reader is None:
            self._reader = Reader()
        return self._reader

    async def _keep_watching(self) -> None:
        while True:
            try:
                async for _ in self._make_bus(self._reading()).changes():
                    await self._tell_all()
            except Exception as error:
                log.warning("Live changes are interrupted; trying again.", error=str(error))
            await asyncio.sleep(SECONDS_AFTER_TROUBLE)

    async def _tell_all(self) -> None:
        versions = await self._reading().versions(self._listeners)
        for slug, version in versions.items():
            for listener in self._listeners.get(slug, ()):
                listener.tell(version)
