"""A whole “pair next round” from the database: read, pair, write, log.

Prints seconds and statements.

    python -m benchmarks.next_round [--players 5000] [--before 7] [--postgres]

Runs on the database that DATABASE_URL names, or on SQLite in a temporary folder, and leaves it unchanged;
with `--postgres` on a temporary PostgreSQL server from the wheel that the tests use. “cpu” is the time of
this process, “wall” that on the clock, including the server and other load of the machine. The peer in the
same run is a bare write of the same rows without any of Ringside's own work.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
FOLDER = Path(tempfile.mkdtemp(prefix="ringside-benchmark-"))
os.environ.setdefault("RINGSIDE_DATA_DIR", str(FOLDER))
os.environ.setdefault("RINGSIDE_LOG_LEVEL", "WARNING")
if "--postgres" in sys.argv[1:]:
    from tests import postgres

    os.environ["DATABASE_URL"] = postgres.start(FOLDER / "postgres")

import django

django.setup()

from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from tournament.access.permissions import SYSTEM_ACTOR
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.pairing.services import rounds
from tournament.setup.services import events
from tournament.standings.selectors.standings import calculate_standings


def field(players: int, **values: Any) -> Event:
    """Return an event that has just started, with its players written in bulk.

    `values` are further settings.
    """
    event = events.create_event(
        SYSTEM_ACTOR,
        name="Benchmark",
        starts_at=timezone.now(),
        game="ufs",
        format="constructed",
        rules_version="1.9",
        match_form="best_of_3_50min",
        round_minutes=50,
        **{"swiss_rounds": 15, **values},
    )
    now = timezone.now()
    Player.objects.bulk_create(
        (
            Player(event=event, number=n, name=f"Player {n}", lot=n * 7919 % 2**31, registered_at=now)
            for n in range(1, players + 1)
        ),
        batch_size=1000,
    )
    events.start_event(event, SYSTEM_ACTOR)
    return event


def play(event: Event, luck: random.Random) -> None:
    """Play a round with random winners, written in bulk."""
    round_ = rounds.publish_round(rounds.pair_next_round(event, SYSTEM_ACTOR), SYSTEM_ACTOR)
    matches = list(round_.matches.filter(outcome=""))
    for match in matches:
        match.outcome, match.p1_games, match.p2_games = luck.choice(
            (("p1", 2, 0), ("p1", 2, 1), ("p2", 1, 2))
        )
        match.result_at = timezone.now()
    Match.objects.bulk_update(matches, ["outcome", "p1_games", "p2_games", "result_at"], batch_size=500)
    Round.objects.filter(pk=round_.pk).update(state=Round.State.FINISHED)
    Event.objects.filter(pk=event.pk).update(version=F("version") + 1)


def bare_write(event: Event) -> None:
    """Write and discard the same number of rows: the cost of the database alone."""
    like = Round.objects.filter(stage__event=event).last()
    with transaction.atomic():
        new_round = Round.objects.create(stage=like.stage, number=99, seed=1, paired_at=timezone.now())
        copies = [
            Match(round=new_round, table=m.table, p1_id=m.p1_id, p2_id=m.p2_id)
            for m in like.matches.filter(p2__isnull=False)
        ]
        Match.objects.bulk_create(copies, batch_size=1000)
        Seat.objects.bulk_create(
            (Seat(round=new_round, match=m, player_id=pk) for m in copies for pk in (m.p1_id, m.p2_id)),
            batch_size=1000,
        )
        transaction.set_rollback(True)


def measure(name: str, act: Callable[[], Any]) -> None:
    """Run once and print times and statements.

    The counter is a wrapper, which costs next to nothing.
    """
    statements = 0

    def count(execute: Any, *args: Any) -> Any:
        nonlocal statements
        statements += 1
        return execute(*args)

    # As in a server, garbage is collected between requests.
    gc.collect()
    with connection.execute_wrapper(count):
        began, worked = time.perf_counter(), time.process_time()
        act()
        wall, cpu = time.perf_counter() - began, time.process_time() - worked
    print(f"{name:<44}{wall:8.3f} s wall {cpu:8.3f} s cpu {statements:5d} statements")


def main(players: int, before: int) -> None:
    call_command("migrate", verbosity=0)
    luck = random.Random(1)
    with transaction.atomic():
        event = field(players)
        for _ in range(before):
            play(event, luck)
        print(f"{players} players, round {before + 1}, {connection.vendor}")
        measure("a bare write of the same rows (peer)", lambda: bare_write(event))
        measure("pair next round, reading and writing", lambda: rounds.pair_next_round(event, SYSTEM_ACTOR))
        measure("standings from the database", lambda: calculate_standings(event))
        transaction.set_rollback(True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--players", type=int, default=5000, help="number of players")
    parser.add_argument("--before", type=int, default=7, help="rounds played before")
    parser.add_argument("--postgres", action="store_true", help="on a passing PostgreSQL server")
    options = parser.parse_args()
    main(options.players, options.before)
