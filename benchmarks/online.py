"""An online event of thousands: phones follow it while a round is published and results are reported.

    python -m benchmarks.online [--players 3000] [--seconds 60] [--streams 0.5]

Everyone is on this machine (127.0.0.1) and behaves as the script of our pages does: some phones hold a live
stream, the others ask for the version every ten seconds; a phone that hears of a newer one fetches its page
after up to 1.5 s, one fetch at a time. After `--seconds` it ends. Leaves with 0 when nothing failed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
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

POLL_SECONDS, JITTER_SECONDS, SECONDS_TO_ANSWER = 10.0, 1.5, 60.0
QUIET_SECONDS = 5.0
VERSION = re.compile(rb"^data: ?.*?(\d+)", re.MULTILINE)


@dataclass
class Figures:
    """What was measured: seconds by kind of request, faults, and when each phone had its table."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    faults: list[str] = field(default_factory=list)
    paired_at: list[float] = field(default_factory=list)
    reported: set[int] = field(default_factory=set)
    published_at: float = 0.0

    def line(self, kind: str) -> str:
        """Count, median and 99th percentile of one kind of request."""
        taken = sorted(self.seconds[kind]) or [0.0]
        last = taken[min(len(taken) - 1, int(len(taken) * 0.99))]
        return f"{kind:<10}{len(taken):7d}   p50 {statistics.median(taken):7.3f} s   p99 {last:7.3f} s"


@dataclass(frozen=True)
class Server:
    """How the server is reached."""

    port: int
    slug: str
    figures: Figures

    async def ask(
        self, kind: str, method: str, path: str, body: Any = None, tag: str = ""
    ) -> tuple[int, bytes]:
        """Status and body; measured. Raises OSError where no answer came."""
        began = time.monotonic()
        async with asyncio.timeout(SECONDS_TO_ANSWER):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            try:
                writer.write(_request(method, path, body, tag))
                answer = await reader.read()
            finally:
                writer.close()
        self.figures.seconds[kind].append(time.monotonic() - began)
        head, _, text = answer.partition(b"\r\n\r\n")
        status = int(head[9:12] or 0)
        if status >= 400 or not status:
            self.figures.faults.append(f"{kind}: {status}")
        return status, text


def _request(method: str, path: str, body: Any, tag: str) -> bytes:
    sent = b"" if body is None else json.dumps(body).encode()
    more = f'If-None-Match: "{tag}"\r\n' if tag else ""
    return (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-Proto: https\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n{more}\r\n"
    ).encode() + sent


class Phone:
    """One player's phone."""

    def __init__(self, server: Server, token: str, *, streams: bool, report_after: float) -> None:
        self.server, self.token, self.streams = server, token, streams
        self.report_after = report_after
        self.known, self.newest, self.is_paired = 0, 0, False

    async def live(self) -> None:
        """Follow the event until cancelled."""
        await asyncio.sleep(random.uniform(0, 2))
        follow = self._stream if self.streams else self._poll
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(follow())
            tasks.create_task(self._keep_fresh())

    async def _poll(self) -> None:
        while True:
            path = f"/e/{self.server.slug}/version"
            status, text = await self._try("version", "GET", path, tag=str(self.newest or ""))
            if status == 200:
                self.newest = json.loads(text)["version"]
            await asyncio.sleep(POLL_SECONDS * random.uniform(0.8, 1.2))

    async def _stream(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        try:
            writer.write(_request("GET", f"/live/events/{self.server.slug}", None, ""))
            while part := await reader.readline():
                if match := VERSION.search(part):
                    self.newest = max(self.newest, int(match[1]))
            self.server.figures.faults.append("stream: ended")
        finally:
            writer.close()

    async def _keep_fresh(self) -> None:
        while True:
            await asyncio.sleep(random.uniform(0, JITTER_SECONDS) if self.newest > self.known else 0.2)
            if self.newest > self.known:
                self.known = self.newest
                status, text = await self._try("page", "GET", f"/p/{self.token}/")
                if status == 200 and b'name="match"' in text and not self.is_paired:
                    self.is_paired = True
                    self.server.figures.paired_at.append(time.monotonic())
                    self.reporting = asyncio.create_task(self._report())

    async def _report(self) -> None:
        await asyncio.sleep(self.report_after)
        games = {"p1_games": 2, "p2_games": 1}
        status, text = await self._try("report", "POST", f"/api/me/{self.token}/result/", games)
        if status == 200 and (answer := json.loads(text))["outcome"]:
            self.server.figures.reported.add(answer["id"])

    async def _try(
        self, kind: str, method: str, path: str, body: Any = None, tag: str = ""
    ) -> tuple[int, bytes]:
        try:
            return await self.server.ask(kind, method, path, body, tag)
        except (OSError, TimeoutError, ValueError) as error:
            self.server.figures.faults.append(f"{kind}: {type(error).__name__}")
            return 0, b""


def main() -> int:
    """Prepare, let everyone in, publish, wait, say what was measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.online")
    parser.add_argument("--players", type=int, default=3000)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--streams", type=float, default=0.5, help="share of the phones that hold a stream")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="ringside-online-") as folder:
        web_server = Installation(Path(folder), postgres=False)
        try:
            slug, tokens = _prepare(options.players)
            web_server.start_web()
            figures = Figures()
            asyncio.run(_run_phones(Server(web_server.port, slug, figures), tokens, options))
            return _say(options, figures)
        finally:
            web_server.end()


def _prepare(players: int) -> tuple[str, list[str]]:
    """An event with a draft of round 1, and the private links."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    from benchmarks.next_round import field as started_event
    from tournament.access.permissions import SYSTEM_ACTOR
    from tournament.pairing.services import rounds

    event = started_event(players)
    rounds.pair_next_round(event, SYSTEM_ACTOR)
    return event.slug, list(event.players.order_by("number").values_list("token", flat=True))


def _publish(slug: str) -> None:
    from tournament.access.permissions import SYSTEM_ACTOR
    from tournament.events.models.round import Round
    from tournament.pairing.services import rounds

    rounds.publish_round(
        Round.objects.select_related("stage__event").get(stage__event__slug=slug), SYSTEM_ACTOR
    )


async def _run_phones(server: Server, tokens: list[str], options: argparse.Namespace) -> None:
    phones = [
        Phone(
            server,
            token,
            streams=random.random() < options.streams,
            report_after=random.uniform(1, options.seconds / 2),
        )
        for token in tokens
    ]
    living = [asyncio.create_task(phone.live()) for phone in phones]
    await asyncio.sleep(QUIET_SECONDS)
    server.figures.published_at = time.monotonic()
    await asyncio.to_thread(_publish, server.slug)
    await asyncio.sleep(options.seconds)
    for task in living:
        task.cancel()
    await asyncio.gather(*living, return_exceptions=True)


def _say(options: argparse.Namespace, figures: Figures) -> int:
    from tournament.events.models.round import Match

    print(f"{options.players} players, {options.streams:.0%} with a stream, {options.seconds:.0f} s")
    for kind in ("version", "page", "report"):
        print(figures.line(kind))
    waited = sorted(at - figures.published_at for at in figures.paired_at)
    if waited:
        half, nearly = waited[len(waited) // 2], waited[int(len(waited) * 0.99) - 1]
        print(f"{len(waited)} saw their table: half after {half:.1f} s, 99 % after {nearly:.1f} s, "
              f"the last after {waited[-1]:.1f} s")  # fmt: skip
    stand = set(Match.objects.exclude(outcome__in=("", "bye")).values_list("pk", flat=True))
    lost = figures.reported - stand
    print(f"{len(stand)} results stand, {len(lost)} acknowledged ones are lost, {len(figures.faults)} faults")
    for fault in sorted(set(figures.faults)):
        print(f"  {figures.faults.count(fault)} × {fault}")
    return 1 if figures.faults or lost else 0


if __name__ == "__main__":
    sys.exit(main())
