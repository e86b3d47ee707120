"""Kills the server at random moments under load and looks after each restart whether anything is lost.

    python -m benchmarks.kill [--kills 200] [--database sqlite|postgres] [--seed N]

The web server is the process that `bin/start` runs. Players and staff press everything twice and at once:
registrations, pairing, publishing, slips, reports, corrections. With PostgreSQL the database server is killed
as well. Afterwards every acknowledged answer must be true, every event must agree with its own log, and the
database with itself. Leaves with 0 when nothing was lost, with 1 and a line for each fault otherwise.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.kill.installation import Installation
from benchmarks.kill.ledger import Ledger
from benchmarks.kill.people import Door, Hall

PLAYERS, ROUNDS, EVENTS = 12, 6, 2
MOST_REGISTERED = 60


def main() -> int:
    """Kill as often as asked; 0 when nothing was lost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kill")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    with tempfile.TemporaryDirectory(prefix="ringside-kill-") as folder:
        Path(folder).chmod(0o755)
        installation = Installation(Path(folder), postgres=chosen.database == "postgres")
        try:
            return Trial(installation, chosen.database, chosen.seed).run(chosen.kills)
        finally:
            installation.end()


class Trial:
    """One installation, its events, and the faults that were found."""

    def __init__(self, installation: Installation, database: str, seed: int) -> None:
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        self.installation, self.database, self.chance = installation, database, random.Random(seed)
        self.ledger, self.faults, self.kills = Ledger(), list[str](), Counter[str]()
        self.organizer, session = _organizer()
        door = Door(installation.port, session, self.ledger)
        self.hall = Hall(door, {}, self._open_event(), seed)
        self._renew()

    def run(self, kills: int) -> int:
        """Kill, start again, look; then say what was done."""
        self.installation.start_web()
        began = time.monotonic()
        for n in range(1, kills + 1):
            self.kill_once()
            self._look([*self.hall.tokens, self.hall.open_event])
            if n % 10 == 0:
                print(f"{n} kills, {self.ledger.acknowledged} results, {len(self.faults)} faults", flush=True)
            self._renew()
        self._look(None)
        self._report(time.monotonic() - began)
        return 1 if self.faults else 0

    def kill_once(self) -> None:
        """Let everybody work, kill at a random moment, start again, wait for all answers."""
        from django.db import connections

        what = "web" if self.database == "sqlite" else self.chance.choice(("web", "web", "database", "both"))
        self.hall.work()
        time.sleep(self.chance.uniform(0.05, 0.9))
        connections.close_all()
        self.installation.kill(what)
        self.kills[what] += 1
        self.installation.recover()
        self.hall.rest()

    def _look(self, slugs: list[str] | None) -> None:
        from benchmarks.kill.checks import broken_promises, damage, inconsistencies
        from tournament.events.models.event import Event

        events = Event.objects.all() if slugs is None else Event.objects.filter(slug__in=slugs)
        new_faults = [*damage(), *broken_promises(self.ledger)]
        new_faults += [fault for event in events for fault in inconsistencies(event)]
        new_faults += self.ledger.unasked
        self.ledger.unasked.clear()
        for fault in new_faults:
            print(f"after {self.kills.total()} kills: {fault}", flush=True)
        self.faults += new_faults

    def _renew(self) -> None:
        """Events that are played through make room for new ones."""
        from tournament.events.models.event import Event
        from tournament.events.models.round import Round

        done = Round.objects.filter(number=ROUNDS, state="finished", stage__event__slug__in=self.hall.tokens)
        for slug in list(done.values_list("stage__event__slug", flat=True)):
            del self.hall.tokens[slug]
        while len(self.hall.tokens) < EVENTS:
            slug, tokens = self._event_in_play()
            self.hall.tokens[slug] = tokens
        if Event.objects.get(slug=self.hall.open_event).players.count() > MOST_REGISTERED:
            self.hall.open_event = self._open_event()

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
        ledger = self.ledger
        lines = [
            f"{self.kills.total()} kills on {self.database} in {seconds:.0f} s: {kills}",
            f"{ledger.acknowledged} results acknowledged in {len(ledger.results)} matches, "
            f"{len(ledger.reports)} reports, {len(ledger.registered)} registrations, "
            f"{len(ledger.paired)} rounds paired, {len(ledger.published)} published",
            f"{Event.objects.count()} events, {Player.objects.count()} players, "
            f"{Round.objects.count()} rounds, {LogEntry.objects.count()} lines of log; "
            f"answers: {dict(sorted(ledger.answers.items()))}",
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

    played = {"game": "ufs", "format": "constructed", "rules_version": "1.9", "round_minutes": 50}
    return events.create_event(
        organizer, name="Open", starts_at=timezone.now(), match_form="best_of_3_50min", **played, **values
    )


if __name__ == "__main__":
    sys.exit(main())
