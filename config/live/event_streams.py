"""Serve streams of server-sent events, in front of Django.

The addresses are `GET /live/events/<slug>` and `/live/p/<token>`. An event of the first carries the current
version number and nothing else. One of the second says beside it which digest the page of this player has.
The handler is in front of Django because a stream behind the middleware costs more than twice the memory.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from collections.abc import Awaitable, Callable

from django.db import DatabaseError, InterfaceError

from config.live.watcher import Listener, VersionWatcher
from config.serving.database_away import SECONDS_TO_WAIT, SENTENCE
from config.serving.request_bodies import Message, Receive, Send

Application = Callable[[Message, Receive, Send], Awaitable[None]]

ADDRESS = re.compile(r"/live/(?:events/(?P<slug>[-\w]{1,80})|p/(?P<token>[-\w]{1,80}))")
HEARTBEAT_SECONDS = 25.0
LONGEST_SECONDS = 1800.0
RETRY_MILLISECONDS = 3000
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]


class LiveStreams:
    """An ASGI application: serves live streams, passes everything else on."""

    def __init__(
        self,
        behind: Application,
        *,
        at_most: int,
        heartbeat: float = HEARTBEAT_SECONDS,
        watcher: VersionWatcher | None = None,
    ) -> None:
        self.behind = behind
        self.at_most = at_most
        self.heartbeat = heartbeat
        self.watcher = watcher or VersionWatcher()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve one connection (the interface of ASGI)."""
        if scope["type"] == "lifespan":
            await self._serve_lifespan(receive, send)
            return
        address = ADDRESS.fullmatch(scope["path"]) if scope["type"] == "http" else None
        if address is None:
            await self.behind(scope, receive, send)
        elif scope["method"] != "GET":
            await _refuse(send, 405, "A live stream can only be read.", (b"allow", b"GET"))
        else:
            await self._stream(address, receive, send)

    async def _serve_lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                await send({"type": "lifespan.startup.complete"})
            else:
                await self.watcher.release()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _stream(self, address: re.Match[str], receive: Receive, send: Send) -> None:
        if len(self.watcher) >= self.at_most:
            await _refuse(send, 503, "There are as many live streams as fit.", (b"retry-after", b"30"))
            return
        try:
            listener = await self._join(address)
        except (DatabaseError, InterfaceError):
            await _refuse(send, 503, str(SENTENCE), (b"retry-after", b"%d" % SECONDS_TO_WAIT))
            return
        if listener is None and self.watcher.is_closing:
            await _end_at_once(send)
            return
        if listener is None:
            await _refuse(send, 404, "There is no such event to follow.")
            return
        disconnect_task = asyncio.create_task(_wait_for_disconnect(receive))
        disconnect_task.add_done_callback(lambda _: listener.wakeup.set())
        try:
            await self._send_versions(listener, disconnect_task, send)
        finally:
            disconnect_task.cancel()
            self.watcher.leave(listener)

    async def _join(self, address: re.Match[str]) -> Listener | None:
        if address["token"]:
            return await self.watcher.join_player(address["token"])
        return await self.watcher.join(address["slug"])

    async def _send_versions(
        self, listener: Listener, disconnect_task: asyncio.Task[None], send: Send
    ) -> None:
        """Send the version now and at each change, until the end.

        Heartbeats are sent in between.
        """
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        sent_version, prefix = None, f"retry: {RETRY_MILLISECONDS}\n"
        # Streams of one start end spread over a tenth of their time.
        end = time.monotonic() + LONGEST_SECONDS * (1 - random.random() / 10)
        while not (disconnect_task.done() or self.watcher.is_closing or time.monotonic() > end):
            listener.wakeup.clear()
            body = ": still here\n\n" if sent_version == listener.version else _event(listener, prefix)
            sent_version, prefix = listener.version, ""
            await send({"type": "http.response.body", "body": body.encode(), "more_body": True})
            await _wait(listener.wakeup, self.heartbeat)
        if not disconnect_task.done():
            await send({"type": "http.response.body", "body": b""})


def _event(listener: Listener, prefix: str) -> str:
    return f"{prefix}id: {listener.version}\nevent: version\ndata: {listener.data}\n\n"


async def _wait(wakeup: asyncio.Event, seconds: float) -> None:
    """Wait for the event, which is set after these seconds.

    A timer costs half of what a timeout does.
    """
    timer = asyncio.get_running_loop().call_later(seconds, wakeup.set)
    try:
        await wakeup.wait()
    finally:
        timer.cancel()


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        continue


async def _end_at_once(send: Send) -> None:
    """Answer with an empty stream while the server ends.

    A browser reconnects after an empty stream, but not after a refusal.
    """
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": f"retry: {RETRY_MILLISECONDS}\n\n".encode()})


async def _refuse(send: Send, status: int, sentence: str, *headers: tuple[bytes, bytes]) -> None:
    plain = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "http.response.start", "status": status, "headers": [plain, *headers]})
    await send({"type": "http.response.body", "body": f"{sentence}\n".encode()})
