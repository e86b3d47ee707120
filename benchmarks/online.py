"""An event on the phones of its players.

A round is published, results come in, and staff work at the same time.

    python -m benchmarks.online [--players 500] [--streams 2000] [--database postgres] [--processes 2]

Everyone is on this machine (127.0.0.1) and behaves as the scripts of our pages do (`live.js`, `clock.js`),
with the cookies that the pages set. A phone holds the stream of its player, which says the digest of the page
with each version. If the digest is another one, the phone waits within the spread that came with it and loads
the part of its page that changes. One without a stream asks for the digest every five seconds, and loads at
once. The clock comes with the page, and is asked for every five minutes. Streams beyond those of the players
are of public pages, which read nothing here.

First a scorekeeper publishes a round. Then they enter five results in ten seconds on the page of the round
and read the open tables; this is measured, beside a static file. Clients and database share the processors
with the web processes: what each of them takes is shown. Exits with 0 if nothing failed.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import resource
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.kill.installation import Installation
from benchmarks.online_clients import ListProcesses, LoadFigures, Phone, Scorekeeper, WebServer

QUIET_SECONDS = 5.0
SECONDS_TO_OPEN = 0.05
RESULT_SECONDS = 10.0


def main() -> int:
    """Prepare, connect all clients, publish, enter results, print the measurements."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.online")
    parser.add_argument("--players", type=int, default=500, help="number of players")
    parser.add_argument("--streams", type=int, default=2000, help="open streams, those of players included")
    parser.add_argument("--polling", type=float, default=0.1, help="share of the phones without a stream")
    parser.add_argument(
        "--database", choices=("sqlite", "postgres"), default="sqlite", help="kind of database"
    )
    parser.add_argument("--processes", type=int, default=2, help="number of server processes")
    parser.add_argument("--seconds", type=float, default=20.0, help="for a published round")
    options = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory(prefix="ringside-online-") as folder:
        web_server = Installation(Path(folder), postgres=options.database == "postgres")
        try:
            event = _prepare(options.players)
            web_server.start_web(options.processes)
            figures = LoadFigures()
            server = WebServer(web_server.port, event["slug"], figures)
            asyncio.run(_run(server, event, options, partial(_list_processes, web_server)))
            return _say(options, figures)
        finally:
            web_server.end()


def _prepare(players: int) -> dict[str, Any]:
    """Return an event with a draft of round 1.

    The parts are its address, the private links, and a scorekeeper's cookie.
    """
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


def _list_processes(installation: Installation) -> dict[str, list[int]]:
    """Return the processes that take processor time in a run."""
    database = installation.list_database_processes()
    return {"web": installation.web, "database": database, "clients": [os.getpid()]}


def _list_matches() -> list[int]:
    from tournament.events.models.round import Match

    return list(Match.objects.filter(outcome="").order_by("table").values_list("pk", flat=True))


async def _run(
    server: WebServer, event: dict[str, Any], options: argparse.Namespace, list_processes: ListProcesses
) -> None:
    phones = [Phone(server, token, streams=random.random() >= options.polling) for token in event["tokens"]]
    others = max(0, options.streams - sum(phone.streams for phone in phones))
    streams = [asyncio.create_task(_only_hear(server)) for _ in range(others)]
    for phone in phones:
        streams.append(asyncio.create_task(phone.live()))
        await asyncio.sleep(SECONDS_TO_OPEN)
    while not all(phone.known_version for phone in phones):
        await asyncio.sleep(0.1)
    await asyncio.sleep(QUIET_SECONDS)
    staff = Scorekeeper(server, event["cookie"])
    matches = await asyncio.to_thread(_list_matches)
    server.figures.start_part(list_processes)
    server.figures.published_at = time.monotonic()
    await staff.publish_round()
    await asyncio.sleep(options.seconds)
    server.figures.end_part("a published round", list_processes)
    server.figures.start_part(list_processes)
    await staff.open_round()
    await staff.work(matches, RESULT_SECONDS, "5 results")
    await asyncio.sleep(QUIET_SECONDS)
    server.figures.end_part("5 results, staff and static files", list_processes)
    for task in streams:
        task.cancel()
    await asyncio.gather(*streams, return_exceptions=True)


async def _only_hear(server: WebServer) -> None:
    await asyncio.sleep(random.uniform(0, QUIET_SECONDS))
    async for _ in server.hear(f"/live/events/{server.slug}"):
        pass


def _say(options: argparse.Namespace, figures: LoadFigures) -> int:
    from django.db import connection

    print(
        f"{options.players} private phones, {options.streams} streams, {connection.vendor}, "
        f"{options.processes} web processes"
    )
    for kind in figures.seconds:
        print(figures.line(kind))
    for part, seconds in figures.processor.items():
        shares = ", ".join(f"{name} {each:.1f} s" for name, each in seconds.items())
        print(f"{part}, seconds of processor: {shares}")
    waited = sorted(at - figures.published_at for at in figures.paired_at)
    if waited:
        half, nearly = waited[len(waited) // 2], waited[int(len(waited) * 0.99) - 1]
        shown_delays = (
            f"half after {half:.1f} s, 99 % after {nearly:.1f} s, the last after {waited[-1]:.1f} s"
        )
        print(f"{len(waited)} saw their table: {shown_delays}")
    print(f"{len(figures.faults)} faults")
    for fault in sorted(set(figures.faults)):
        print(f"  {figures.faults.count(fault)} × {fault}")
    return 1 if figures.faults else 0


if __name__ == "__main__":
    sys.exit(main())
