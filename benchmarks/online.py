"""An event on the phones of its players: a round is published, results come in, staff works beside it.

    python -m benchmarks.online [--players 500] [--streams 2000] [--database postgres] [--processes 2]

Everyone is on this machine (127.0.0.1) and behaves as the scripts of our pages do (`live.js`, `clock.js`).
A phone holds the stream of its player, which says the digest of the page with each version. One without a
stream asks for the version every five seconds. When that is newer, it waits within the jitter of its page and
asks for the digest. If the digest is another one, the phone loads the part of its page that changes. With a
stream it waits before that, within the spread that came with the digest. The clock comes with the page, and
is asked for every five minutes.
Streams beyond those of the players hear and read nothing.

First a round is published. Then a scorekeeper enters five results in ten seconds on the page of the round
and reads the open tables; this is measured, beside a static file. Leaves with 0 when nothing failed.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import os
import random
import re
import resource
import statistics
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.kill.installation import Installation

POLL_SECONDS, SECONDS_TO_ANSWER = 5.0, 60.0
CLOCK_SECONDS = 300.0
QUIET_SECONDS = 5.0
SECONDS_TO_OPEN = 0.05
RESULTS, RESULT_SECONDS = 5, 10.0
STAFF_PAUSE = 0.25
LIVE = "X-Ringside-Live: 1\r\n"
ZIPPED = re.compile(rb"^content-encoding: gzip", re.IGNORECASE | re.MULTILINE)
NEWS = re.compile(rb"^data: ?(.*)", re.MULTILINE)
SHOWN_STEP = re.compile(rb'id="shown-step"\s+value="(\d+)"')
MARKS = {name: re.compile(rb'data-%s="([^"]*)"' % name.encode()) for name in ("version", "digest", "jitter")}


@dataclass
class Figures:
    """What was measured: seconds by kind of request, faults, and when each phone had its table."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)
    paired_at: list[float] = field(default_factory=list)
    published_at: float = 0.0
    processor: dict[str, float] = field(default_factory=dict)
    before: float = 0.0

    def start_part(self, processes: list[int]) -> None:
        """Remember what these processes have taken of the processors."""
        self.before = sum(map(_processor_seconds, processes))

    def end_part(self, part: str, processes: list[int]) -> None:
        """Note what they took since, which other programs of the machine do not change."""
        self.processor[part] = sum(map(_processor_seconds, processes)) - self.before

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
class Server:
    """How the server is reached."""

    port: int
    slug: str
    figures: Figures

    async def ask(
        self, kind: str, path: str, *, form: str | None = None, headers: str = ""
    ) -> tuple[int, bytes]:
        """Status and body of a page, or of a form that is sent; measured. 0 where no answer came."""
        began = time.monotonic()
        try:
            async with asyncio.timeout(SECONDS_TO_ANSWER):
                answer = await self._exchange(_request(path, form, headers))
            head, _, text = answer.partition(b"\r\n\r\n")
            text = gzip.decompress(text) if ZIPPED.search(head) else text
            status = int(head[9:12] or 0)
        except (OSError, TimeoutError, ValueError) as error:
            self.figures.faults.append(f"{kind}: {type(error).__name__}")
            return 0, b""
        self.figures.seconds[kind].append(time.monotonic() - began)
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

    async def hear(self, address: str) -> Any:
        """Yield what a stream says, as it comes: a version, or the version and digest of one player."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(_request(address, None, ""))
            while part := await reader.readline():
                if match := NEWS.search(part):
                    yield json.loads(match[1])
            self.figures.faults.append("stream: ended")
        finally:
            writer.close()


def _request(path: str, form: str | None, headers: str) -> bytes:
    body = (form or "").encode()
    method = "GET" if form is None else "POST"
    return (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n"
        f"Referer: https://127.0.0.1/\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        f"Accept-Encoding: gzip\r\n"
        f"Content-Length: {len(body)}\r\n{headers}\r\n"
    ).encode() + body


class Phone:
    """One player's phone with the private page open."""

    def __init__(self, server: Server, token: str, *, streams: bool) -> None:
        self.server, self.token, self.streams = server, token, streams
        self.known, self.newest, self.digest, self.jitter = 0, 0, "", 0.3
        self.is_paired = self.is_concerned = self.is_fetching = False
        self.wait: asyncio.Task[None] | None = None

    async def live(self) -> None:
        """Open the page and follow the event until cancelled."""
        await self._load("first page")
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._stream() if self.streams else self._poll())
            tasks.create_task(self._keep_clock())

    async def _stream(self) -> None:
        async for news in self.server.hear(f"/live/p/{self.token}"):
            self.newest = max(self.newest, news["version"])
            if self.newest > self.known:
                self._compare(news)

    def _compare(self, news: dict[str, Any]) -> None:
        """Keep the page where its digest is the same, else load it (`compare` in live.js)."""
        if news["digest"] == self.digest:
            self.known = news["version"]
            return
        self.is_concerned = True
        spread = news["spread"] / 1000 if self.streams else 0.0
        self.wait = self.wait or asyncio.create_task(self._refresh(spread))

    async def _poll(self) -> None:
        while True:
            tag = f'If-None-Match: "{self.newest}"\r\n' if self.newest else ""
            status, text = await self.server.ask("version", f"/e/{self.server.slug}/version", headers=tag)
            if status == 200:
                self.newest = json.loads(text)["version"]
            if self.newest > self.known:
                self._refresh_soon()
            await asyncio.sleep(POLL_SECONDS * random.uniform(0.75, 1.25))

    def _refresh_soon(self) -> None:
        self.wait = self.wait or asyncio.create_task(self._refresh(self.jitter))

    async def _refresh(self, spread: float) -> None:
        await asyncio.sleep(random.uniform(0, spread))
        self.wait = None
        if self.is_fetching:
            return
        self.is_fetching = True
        try:
            await (self._load("page") if self.is_concerned else self._ask_digest())
        finally:
            self.is_fetching = False
        if self.newest > self.known:
            self._refresh_soon()

    async def _ask_digest(self) -> None:
        tag = f'If-None-Match: "{self.digest}"\r\n'
        wanted_version = self.newest
        status, text = await self.server.ask("digest", f"/p/{self.token}/version", headers=tag)
        if status == 304:
            self.known = wanted_version
        elif status == 200:
            self._compare({"version": wanted_version, **json.loads(text)})

    async def _load(self, kind: str) -> None:
        self.is_concerned = False
        headers = LIVE if kind == "page" else ""
        status, text = await self.server.ask(kind, f"/p/{self.token}/", headers=headers)
        if status != 200:
            return
        marks = {
            name: mark_match[1].decode() for name, mark in MARKS.items() if (mark_match := mark.search(text))
        }
        self.known, self.digest = int(marks["version"]), marks["digest"]
        self.jitter = int(marks["jitter"]) / 1000
        self.newest = max(self.newest, self.known)
        if b'name="match"' in text and not self.is_paired:
            self.is_paired = True
            self.server.figures.paired_at.append(time.monotonic())

    async def _ask_clock(self) -> None:
        await self.server.ask("clock", f"/api/events/{self.server.slug}/clock/")

    async def _keep_clock(self) -> None:
        while True:
            await asyncio.sleep(CLOCK_SECONDS * random.uniform(0.5, 1.5))
            await self._ask_clock()


class Scorekeeper:
    """A scorekeeper at a laptop: enters results, and reads the open tables."""

    def __init__(self, server: Server, cookie: str, matches: list[int]) -> None:
        self.server, self.matches = server, matches
        self.step = ""
        self.headers = f"Cookie: {cookie}\r\nX-CSRFToken: {'a' * 32}\r\nHX-Request: true\r\n"

    async def work(self, seconds: float, kind: str) -> None:
        """Read the open tables all the time, and enter a result every two seconds."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._read(seconds, kind))
            tasks.create_task(self._enter(seconds, kind))
            tasks.create_task(self._read_static(seconds, kind))

    async def _read(self, seconds: float, kind: str) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            page = f"/console/{self.server.slug}/tables/"
            await self.server.ask(f"staff page, {kind}", page, headers=self.headers)
            await asyncio.sleep(STAFF_PAUSE)

    async def open_round(self) -> None:
        """Load the page of the round, which says the step that it shows."""
        page = f"/console/{self.server.slug}/rounds/1/1/"
        self._note_step(await self.server.ask("staff round", page, headers=self.headers))

    def _note_step(self, answer: tuple[int, bytes]) -> None:
        step_match = SHOWN_STEP.search(answer[1])
        self.step = step_match[1].decode() if step_match else ""

    async def _enter(self, seconds: float, kind: str) -> None:
        for _ in range(RESULTS):
            address = f"/console/{self.server.slug}/matches/{self.matches.pop()}/result/"
            form = f"score=2-1&revision=0&since={self.step}"
            ask = self.server.ask(f"staff result, {kind}", address, form=form, headers=self.headers)
            self._note_step(await ask)
            await asyncio.sleep(seconds / RESULTS)

    async def _read_static(self, seconds: float, kind: str) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await self.server.ask(f"static file, {kind}", "/static/ringside/favicon.svg")
            await asyncio.sleep(STAFF_PAUSE)


def main() -> int:
    """Prepare, let everyone in, publish, enter results, say what was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.online")
    parser.add_argument("--players", type=int, default=500)
    parser.add_argument("--streams", type=int, default=2000, help="open streams, those of players included")
    parser.add_argument("--polling", type=float, default=0.1, help="share of the phones without a stream")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=20.0, help="for a published round")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="ringside-online-") as folder:
        web_server = Installation(Path(folder), postgres=options.database == "postgres")
        try:
            event = _prepare(options.players)
            web_server.start_web(options.processes)
            figures = Figures()
            server = Server(web_server.port, event["slug"], figures)
            asyncio.run(_run(server, event, options, web_server.web))
            return _say(options, figures)
        finally:
            web_server.end()


def _prepare(players: int) -> dict[str, Any]:
    """An event with a draft of round 1: its address, the private links, and a scorekeeper's cookie."""
    import django

    django.setup()
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.test import Client

    call_command("migrate", verbosity=0)
    from benchmarks.next_round import field as started_event
    from tournament.access.permissions import SYSTEM_ACTOR
    from tournament.pairing.services import rounds

    event = started_event(players, cut="top", cut_size=8, swiss_rounds=5)
    rounds.pair_next_round(event, SYSTEM_ACTOR)
    user = User.objects.create_superuser("desk", "desk@example.org")
    client = Client()
    client.force_login(user)
    session = client.cookies["sessionid"].value
    return {
        "slug": event.slug,
        "tokens": list(event.players.order_by("number").values_list("token", flat=True)),
        "cookie": f"sessionid={session}; csrftoken={'a' * 32}",
    }


def _publish(slug: str) -> list[int]:
    """Publish the round, and tell the matches of its last tables."""
    from tournament.access.permissions import SYSTEM_ACTOR
    from tournament.events.models.round import Match, Round
    from tournament.pairing.services import rounds

    rounds.publish_round(
        Round.objects.select_related("stage__event").get(stage__event__slug=slug), SYSTEM_ACTOR
    )
    return list(Match.objects.filter(outcome="").order_by("table").values_list("pk", flat=True))


async def _run(
    server: Server, event: dict[str, Any], options: argparse.Namespace, processes: list[int]
) -> None:
    phones = [Phone(server, token, streams=random.random() >= options.polling) for token in event["tokens"]]
    others = max(0, options.streams - sum(phone.streams for phone in phones))
    living = [asyncio.create_task(_only_hear(server)) for _ in range(others)]
    for phone in phones:
        living.append(asyncio.create_task(phone.live()))
        await asyncio.sleep(SECONDS_TO_OPEN)
    while not all(phone.known for phone in phones):
        await asyncio.sleep(0.1)
    await asyncio.sleep(QUIET_SECONDS)
    server.figures.start_part(processes)
    server.figures.published_at = time.monotonic()
    matches = await asyncio.to_thread(_publish, server.slug)
    await asyncio.sleep(options.seconds)
    server.figures.end_part("a published round", processes)
    server.figures.start_part(processes)
    staff = Scorekeeper(server, event["cookie"], matches)
    await staff.open_round()
    await staff.work(RESULT_SECONDS, "5 results")
    await asyncio.sleep(QUIET_SECONDS)
    server.figures.end_part("5 results, staff and static files", processes)
    for task in living:
        task.cancel()
    await asyncio.gather(*living, return_exceptions=True)


async def _only_hear(server: Server) -> None:
    await asyncio.sleep(random.uniform(0, QUIET_SECONDS))
    async for _ in server.hear(f"/live/events/{server.slug}"):
        pass


def _say(options: argparse.Namespace, figures: Figures) -> int:
    from django.db import connection

    print(
        f"{options.players} private phones, {options.streams} streams, {connection.vendor}, "
        f"{options.processes} web processes"
    )
    for kind in figures.seconds:
        print(figures.line(kind))
    for part, seconds in figures.processor.items():
        print(f"{part}: {seconds:.1f} s of the processors, by the web processes")
    waited = sorted(at - figures.published_at for at in figures.paired_at)
    if waited:
        half, nearly = waited[len(waited) // 2], waited[int(len(waited) * 0.99) - 1]
        shown = f"half after {half:.1f} s, 99 % after {nearly:.1f} s, the last after {waited[-1]:.1f} s"
        print(f"{len(waited)} saw their table: {shown}")
    print(f"{len(figures.faults)} faults")
    for fault in sorted(set(figures.faults)):
        print(f"  {figures.faults.count(fault)} × {fault}")
    return 1 if figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
