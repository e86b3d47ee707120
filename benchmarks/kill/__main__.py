"""A server that is killed at random moments under load.

After each restart, it is checked that nothing is lost.

    python -m benchmarks.kill [--kills 200] [--database sqlite|postgres] [--seed N]

The web server is the process that `bin/start` runs. Players and staff press everything twice and at once:
registrations, pairing, publishing, slips, reports, corrections. With PostgreSQL the database server is killed
as well. Afterwards every acknowledged answer must be true, every event must agree with its own log, and the
database with itself. Exits with 0 if nothing was lost, otherwise with 1 and a line for each fault.
"""

from __future__ import annotations

import argparse
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.kill.acknowledgements import Acknowledgements
from benchmarks.kill.clients import ApiClient, ClientPool
from benchmarks.kill.installation import Installation

PLAYERS, ROUNDS, EVENTS = 12, 6, 2
MOST_REGISTERED = 60


def main() -> int:
    """Run the trial; return 0 when nothing was lost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kill")
    parser.add_argument("--kills", type=int, default=200, help="how often a process is killed")
    parser.add_argument(
        "--database", choices=("sqlite", "postgres"), default="sqlite", help="kind of database"
    )
    parser.add_argument("--seed", type=int, default=1, help="random seed")
    parser.add_argument("--migrated", type=Path, help="migrated SQLite database, to begin with a copy")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="ringside-kill-") as folder:
        Path(folder).chmod(0o755)
        if options.migrated:
            (Path(folder) / "data").mkdir(mode=0o700)
            shutil.copy(options.migrated, Path(folder) / "data" / "ringside.sqlite3")
        server = Installation(Path(folder), postgres=options.database == "postgres")
        try:
            return ResultTrial(server, options.database, options.seed).run(options.kills)
        finally:
            server.end()


class ResultTrial:
    """A server, its events, and the faults that were found."""

    def __init__(self, server: Installation, database: str, seed: int) -> None:
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        self.server, self.database, self.chance = server, database, random.Random(seed)
        self.acknowledgements, self.faults, self.kills = Acknowledgements(), list[str](), Counter[str]()
        self.organizer, session = _organizer()
        api = ApiClient(server.port, session, self.acknowledgements)
        self.clients = ClientPool(api, {}, self._open_event(), seed)
        self._replace_events()

    def run(self, kills: int) -> int:
        """Kill, restart and check as often as requested; then print a report."""
        self.server.start_web()
        began = time.monotonic()
        for n in range(1, kills + 1):
            self.kill_once()
            self._check([*self.clients.tokens, self.clients.open_event])
            if n % 10 == 0:
                print(
                    f"{n} kills, {self.acknowledgements.acknowledged} results, {len(self.faults)} faults",
                    flush=True,
                )
            self._replace_events()
        self._check(None)
        self._report(time.monotonic() - began)
        return 1 if self.faults else 0

    def kill_once(self) -> None:
        """Let the clients work, kill at a random moment, restart, wait for all answers."""
        from django.db import connections

        what = "web" if self.database == "sqlite" else self.chance.choice(("web", "web", "database", "both"))
        self.clients.work()
        time.sleep(self.chance.uniform(0.05, 0.9))
        connections.close_all()
        self.server.kill(what)
        self.kills[what] += 1
        self.server.recover()
        self.clients.rest()

    def _check(self, slugs: list[str] | None) -> None:
        from benchmarks.kill.checks import broken_acknowledgements, database_damage, inconsistencies
        from tournament.events.models.event import Event

        events = Event.objects.all() if slugs is None else Event.objects.filter(slug__in=slugs)
        new_faults = [*database_damage(), *broken_acknowledgements(self.acknowledgements)]
        new_faults += [fault for event in events for fault in inconsistencies(event)]
        new_faults += self.acknowledgements.complaints
        self.acknowledgements.complaints.clear()
        for fault in new_faults:
            print(f"after {self.kills.total()} kills: {fault}", flush=True)
        self.faults += new_faults

    def _replace_events(self) -> None:
        """Replace events that are finished by new ones."""
        from tournament.events.models.event import Event
        from tournament.events.models.round import Round

        finished_rounds = Round.objects.filter(
            number=ROUNDS, state="finished", stage__event__slug__in=self.clients.tokens
        )
        for slug in list(finished_rounds.values_list("stage__event__slug", flat=True)):
            del self.clients.tokens[slug]
        while len(self.clients.tokens) < EVENTS:
            slug, tokens = self._event_in_play()
            self.clients.tokens[slug] = tokens
        if Event.objects.get(slug=self.clients.open_event).players.count() > MOST_REGISTERED:
            self.clients.open_event = self._open_event()

    def _open_event(self) -> str:
        return _new_event(self.organizer).slug

    def _event_in_play(self) -> tuple[str, dict[int, str]]:
        from tournament.registration import services as registration
        from tournament.setup.services import events

        event = _new_event(self.organizer, swiss_rounds=ROUNDS)
        players = [
            registration.add_player(event, self.organizer, name=f"Player {n}") for n in range(1, PLAYERS)
        ]
        events.start_event(event, self.organizer)
        return event.slug, {player.number: player.token for player in players}

    def _report(self, seconds: float) -> None:
        from tournament.events.models.event import Event
        from tournament.events.models.player import Player
        from tournament.events.models.round import Round
        from tournament.log.models import LogEntry

        kills = ", ".join(f"{times} of the {_NAMES[what]}" for what, times in sorted(self.kills.items()))
        notes = self.acknowledgements
        lines = [
            f"{self.kills.total()} kills on {self.database} in {seconds:.0f} s: {kills}",
            f"{notes.acknowledged} results acknowledged in {len(notes.results)} matches, "
            f"{len(notes.reports)} reports, {len(notes.registered)} registrations, "
            f"{len(notes.paired)} rounds paired, {len(notes.published_rounds)} published",
            f"{Event.objects.count()} events, {Player.objects.count()} players, "
            f"{Round.objects.count()} rounds, {LogEntry.objects.count()} lines of log; "
            f"answers: {dict(sorted(notes.answers.items()))}",
            f"faults: {len(self.faults)}",
        ]
        print("\n".join(lines), flush=True)


_NAMES = {"web": "web server", "database": "database server", "both": "web and database server together"}


def _organizer() -> tuple[Any, str]:
    from django.contrib.auth.models import User
    from django.test import Client

    from tournament.access.permissions import Actor

    user = User.objects.create_user("olga@example.org")
    client = Client()
    client.force_login(user)
    return Actor.of_user(user), client.cookies["sessionid"].value


def _new_event(organizer: Any, **values: Any) -> Any:
    from django.utils import timezone

    from tournament.setup.services import events

    game_values = {"game": "ufs", "format": "constructed", "rules_version": "1.9", "round_minutes": 50}
    return events.create_event(
        organizer,
        name="Open",
        starts_at=timezone.now(),
        match_form="best_of_3_50min",
        **game_values,
        **values,
    )


if __name__ == "__main__":
    sys.exit(main())
