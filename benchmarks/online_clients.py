"""The clients of `benchmarks.online`: phones and a scorekeeper.

The phones do what the scripts of our pages do.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import random
import re
import statistics
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

POLL_SECONDS, SECONDS_TO_ANSWER = 5.0, 60.0
CLOCK_SECONDS = 300.0
RESULTS = 5
STAFF_PAUSE = 0.25
LIVE = "X-Ringside-Live: 1\r\n"
ZIPPED = re.compile(rb"^content-encoding: gzip", re.IGNORECASE | re.MULTILINE)
NEWS = re.compile(rb"^data: ?(.*)", re.MULTILINE)
SHOWN_STEP = re.compile(rb'id="shown-step"\s+value="(\d+)"')
MARKS = {name: re.compile(rb'data-%s="([^"]*)"' % name.encode()) for name in ("version", "digest", "jitter")}
COOKIE = re.compile(rb"^set-cookie: ([^=]+=[^;\r]*)", re.IGNORECASE | re.MULTILINE)
BROWSER = "Accept: */*\r\nAccept-Language: en-US,en;q=0.9\r\nUser-Agent: Mozilla/5.0 (Android 15; Mobile)\r\n"


ListProcesses = Callable[[], dict[str, list[int]]]


@dataclass
class LoadFigures:
    """Measured values of a load.

    These are seconds by kind of request, faults, and when each phone had its table.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)
    paired_at: list[float] = field(default_factory=list)
    published_at: float = 0.0
    processor: dict[str, dict[str, float]] = field(default_factory=dict)
    before: dict[int, float] = field(default_factory=dict)

    def start_part(self, list_processes: ListProcesses) -> None:
        """Record the processor time of the processes so far."""
        every = chain.from_iterable(list_processes().values())
        self.before = {process: _processor_seconds(process) for process in every}

    def end_part(self, part: str, list_processes: ListProcesses) -> None:
        """Record their processor time since then, which other programs hardly change."""
        self.processor[part] = {
            name: sum(_processor_seconds(each) - self.before.get(each, 0) for each in processes)
            for name, processes in list_processes().items()
        }

    def line(self, kind: str) -> str:
        """Count, median and 99th percentile of one kind of request."""
        durations = sorted(self.seconds[kind]) or [0.0]
        half, last = (
            statistics.median(durations),
            durations[min(len(durations) - 1, int(len(durations) * 0.99))],
        )
        return f"{kind:<22}{len(durations):7d}   p50 {half:7.3f} s   p99 {last:7.3f} s"


def _processor_seconds(process: int) -> float:
    times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class WebServer:
    """The address of the server."""

    port: int
    slug: str
    figures: LoadFigures

    async def ask(
        self,
        kind: str,
        path: str,
        *,
        form: str | None = None,
        headers: str = "",
        cookies: set[bytes] | None = None,
    ) -> tuple[int, bytes]:
        """Return status and body of a page, or of a form that is sent, and measure it.

        The status is 0 without an answer. `cookies` are sent, and those of the answer are added.
        """
        began = time.monotonic()
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                answer = await self._exchange(_request(path, form, headers + _join_cookies(cookies)))
            head, _, text = answer.partition(b"\r\n\r\n")
            text = gzip.decompress(text) if ZIPPED.search(head) else text
            status = int(head[9:12] or 0)
        except (OSError, TimeoutError, ValueError) as error:
            self.figures.faults.append(f"{kind}: {type(error).__name__}")
            return 0, b""
        self.figures.seconds[kind].append(time.monotonic() - began)
        if cookies is not None and not cookies:
            cookies.update(COOKIE.findall(head))
        if status >= 400 or not status:
            self.figures.faults.append(f"{kind}: {status}")
        return status, text

    async def _exchange(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(request)
            return await reader.read()
        finally:
            writer.close()

    async def hear(self, address: str) -> AsyncIterator[bytes]:
        """Yield the data of a stream as it arrives."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(_request(address, None, ""))
            while part := await reader.readline():
                if match := NEWS.match(part):
                    yield match[1]
            self.figures.faults.append("stream: ended")
        finally:
            writer.close()


def _join_cookies(cookies: set[bytes] | None) -> str:
    return f"Cookie: {b'; '.join(sorted(cookies)).decode()}\r\n" if cookies else ""


def _request(path: str, form: str | None, headers: str) -> bytes:
    body = (form or "").encode()
    method = "GET" if form is None else "POST"
    return (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n"
        f"Referer: https://127.0.0.1/\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Accept-Encoding: gzip\r\n{BROWSER}"
        f"Content-Length: {len(body)}\r\n{headers}\r\n"
    ).encode() + body


class Phone:
    """One player's phone with the private page open."""

    def __init__(self, server: WebServer, token: str, *, streams: bool) -> None:
        self.server, self.token, self.streams = server, token, streams
        self.known_version, self.newest, self.digest, self.jitter = 0, 0, "", 0.3
        self.is_paired = self.is_concerned = self.is_fetching = False
        self.wait: asyncio.Task[None] | None = None
        self.cookies = set[bytes]()
        self.cached_answer: dict[str, Any] = {}

    async def live(self) -> None:
        """Open the page and follow the event until canceled."""
        await self._load("first page")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._stream() if self.streams else self._keep_asking())
            tasks.create_task(self._keep_clock())

    async def _stream(self) -> None:
        async for text in self.server.hear(f"/live/p/{self.token}"):
            news = json.loads(text)
            self.newest = max(self.newest, news["version"])
            if self.newest > self.known_version:
                self._compare(news["digest"], news["spread"] / 1000)

    def _compare(self, digest: str, spread: float) -> None:
        """Keep the page where its digest is the same, else load it.

        This is `compare` in live.js.
        """
        if digest == self.digest:
            self.known_version = self.newest
            return
        self.is_concerned = True
        self.wait = self.wait or asyncio.create_task(self._refresh(spread))

    async def _keep_asking(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS * random.uniform(0.75, 1.25))
            await self._poll()

    async def _poll(self) -> None:
        """Ask for the digest (`poll` in live.js).

        The status 304 brings the answer that the browser has.
        """
        tag = f'If-None-Match: "{self.cached_answer["digest"]}"\r\n' if self.cached_answer else ""
        status, text = await self.server.ask(
            "digest", f"/p/{self.token}/version", headers=tag, cookies=self.cookies
        )
        if status == 200:
            self.cached_answer = json.loads(text)
        if status in (200, 304):
            self.newest = max(self.newest, self.cached_answer["version"])
            self._compare(self.cached_answer["digest"], 0.0)

    def _refresh_soon(self) -> None:
        self.wait = self.wait or asyncio.create_task(self._refresh(self.jitter))

    async def _refresh(self, spread: float) -> None:
        await asyncio.sleep(random.uniform(0, spread))
        self.wait = None
        if self.is_fetching:
            return
        if not self.is_concerned:
            await self._poll()
            return
        self.is_fetching = True
        try:
            await self._load("page")
        finally:
            self.is_fetching = False
        if self.newest > self.known_version:
            self._refresh_soon()

    async def _load(self, kind: str) -> None:
        self.is_concerned = False
        headers = LIVE if kind == "page" else ""
        page = f"/p/{self.token}/"
        status, text = await self.server.ask(kind, page, headers=headers, cookies=self.cookies)
        if status != 200:
            return
        marks = {
            name: mark_match[1].decode() for name, mark in MARKS.items() if (mark_match := mark.search(text))
        }
        self.known_version, self.digest = int(marks["version"]), marks["digest"]
        self.jitter = int(marks["jitter"]) / 1000
        self.newest = max(self.newest, self.known_version)
        if b'name="match"' in text and not self.is_paired:
            self.is_paired = True
            self.server.figures.paired_at.append(time.monotonic())

    async def _ask_clock(self) -> None:
        await self.server.ask("clock", f"/api/events/{self.server.slug}/clock/", cookies=self.cookies)

    async def _keep_clock(self) -> None:
        while True:
            await asyncio.sleep(CLOCK_SECONDS * random.uniform(0.5, 1.5))
            await self._ask_clock()


class Scorekeeper:
    """A scorekeeper at a laptop: enters results, and reads the open tables."""

    def __init__(self, server: WebServer, cookie: str) -> None:
        self.server = server
        self.step = ""
        self.headers = f"Cookie: {cookie}\r\nX-CSRFToken: {'a' * 32}\r\nHX-Request: true\r\n"

    async def publish_round(self) -> None:
        """Press the button of the draft."""
        address = f"/console/{self.server.slug}/rounds/1/1/publish/"
        await self.server.ask("staff publishes", address, form="confirm=yes", headers=self.headers)

    async def work(self, matches: list[int], seconds: float, kind: str) -> None:
        """Read the open tables continuously, and enter a result every two seconds."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._read(seconds, kind))
            tasks.create_task(self._enter(matches, seconds, kind))
            tasks.create_task(self._read_static(seconds, kind))

    async def _read(self, seconds: float, kind: str) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            page = f"/console/{self.server.slug}/tables/"
            await self.server.ask(f"staff page, {kind}", page, headers=self.headers)
            await asyncio.sleep(STAFF_PAUSE)

    async def open_round(self) -> None:
        """Load the page of the round, which contains the step that it shows."""
        page = f"/console/{self.server.slug}/rounds/1/1/"
        self._note_step(await self.server.ask("staff round", page, headers=self.headers))

    def _note_step(self, answer: tuple[int, bytes]) -> None:
        step_match = SHOWN_STEP.search(answer[1])
        self.step = step_match[1].decode() if step_match else ""

    async def _enter(self, matches: list[int], seconds: float, kind: str) -> None:
        for match in matches[-RESULTS:]:
            address = f"/console/{self.server.slug}/matches/{match}/result/"
            form = f"score=2-1&revision=0&since={self.step}"
            ask = self.server.ask(f"staff result, {kind}", address, form=form, headers=self.headers)
            self._note_step(await ask)
            await asyncio.sleep(seconds / RESULTS)

    async def _read_static(self, seconds: float, kind: str) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await self.server.ask(f"static file, {kind}", "/static/ringside/favicon.svg")
            await asyncio.sleep(STAFF_PAUSE)
