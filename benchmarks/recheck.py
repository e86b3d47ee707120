"""A hundred thousand stored lists checked again after a new edition.

Real Celery workers check them.

    python -m benchmarks.recheck [--decks 100000] [--workers 1,2,4] [--postgres] [--peer 2000]

Prints for each number of workers the time from publishing to the end, lists a second and how that grows.
The peer in the same run is the plain loop: one process, one list after the other, read, judged and saved
through the ORM. Works in a passing folder, on SQLite or on a PostgreSQL server of its own.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from datetime import date, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PATTERN = 200


def main() -> None:
    """Prepare, then measure."""
    options = _arguments()
    with tempfile.TemporaryDirectory(prefix="ringside-recheck-") as folder:
        os.environ.update(
            DJANGO_SETTINGS_MODULE="config.settings", RINGSIDE_DATA_DIR=folder, RINGSIDE_LOG_LEVEL="WARNING"
        )
        if options.postgres:
            from tests.postgres import start

            os.environ["DATABASE_URL"] = start(Path(folder) / "postgres")
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        _measure(options, Path(folder))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--decks", type=int, default=100_000, help="how many lists, in events of 200")
    parser.add_argument("--workers", default="1,2,4", help="numbers of workers, one run each")
    parser.add_argument("--postgres", action="store_true", help="on PostgreSQL instead of SQLite")
    parser.add_argument("--peer", type=int, default=2_000, help="lists that the plain loop checks")
    return parser.parse_args()


def _measure(options: argparse.Namespace, folder: Path) -> None:
    from django.db import connection
    from django.utils import timezone

    from benchmarks import stored_decks
    from decks.submissions.models import DeckVersion

    began = time.perf_counter()
    names = stored_decks.import_cards()
    event = stored_decks.pattern_event(names, timezone.now() + timedelta(days=30))
    stored_decks.copy_events(event, options.decks // PATTERN - 1)
    seconds = time.perf_counter() - began
    lists = DeckVersion.objects.count()
    print(f"{lists} lists in {lists // PATTERN} events on {connection.vendor}, made in {seconds:.0f} s")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}", flush=True)
    _peer(options.peer)
    first = None
    for number, workers in enumerate(map(int, options.workers.split(",")), start=2):
        duration = _run(folder, workers, number, names[0])
        first = first or duration
        label = f"{workers} worker{'s' if workers > 1 else ' '}"
        rate = f"{lists / duration:8.0f} lists a second"
        speed = f"{duration:8.1f} s {rate}   {first / duration:5.2f} times the first"
        print(f"{label} {speed}   load {os.getloadavg()[0]:.1f}", flush=True)
        _forget()


def _peer(lists: int) -> None:
    """Loop over some lists: read one, judge it, save the result."""
    from django.db import transaction
    from django.utils import timezone

    import rules
    from decks.submissions import selectors
    from decks.submissions.models import DeckVersion, Rechecked

    began = time.perf_counter()
    with transaction.atomic():
        for version in DeckVersion.objects.select_related("deck_list").order_by("pk")[:lists].iterator():
            deck_list = version.deck_list
            form = rules.load_format(deck_list.game, deck_list.format_key, rules=deck_list.rules_version)
            verdict = rules.check_deck(selectors.to_deck(version), form)
            Rechecked.objects.create(
                version=version,
                day=date.today(),
                cause="plain loop",
                outcome=verdict.outcome,
                verdict=verdict.to_json(),
                judged_under={},
                brings_news=False,
                checked_at=timezone.now(),
            )
        seconds = time.perf_counter() - began
        transaction.set_rollback(True)
    print(f"plain loop {seconds:7.1f} s {lists / seconds:8.0f} lists a second   ({lists} lists, one process)")


def _run(folder: Path, workers: int, number: int, banned_card: str) -> float:
    """Publish an edition and wait for its recheck to end; seconds."""
    workers_started = [_worker(folder, each) for each in range(workers)]
    try:
        time.sleep(6)  # so that the start of Python is not measured
        return _wait(_publish(number, banned_card))
    finally:
        for process in workers_started:
            _end(process)


def _worker(folder: Path, number: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "celery", "-A", "config", "worker", "-c", "1", "-l", "WARNING"]
    flags = ["--without-mingle", "--without-gossip", "--without-heartbeat", "-n", f"benchmark{number}"]
    log = (folder / f"worker-{number}.log").open("ab")
    return subprocess.Popen([*command, *flags], cwd=ROOT, stdout=log, stderr=log, start_new_session=True)


def _end(worker: subprocess.Popen[bytes]) -> None:
    """End a worker and its pool at once.

    Its remaining notifications are not measured.
    """
    os.killpg(worker.pid, signal.SIGKILL)
    worker.wait(10)


def _publish(number: int, banned_card: str) -> Any:
    from django.utils import timezone

    from decks.editions.models import ListEdition
    from decks.rechecks import services as rechecks

    edition = ListEdition.objects.create(
        game="ufs",
        kind="bans",
        number=number,
        name="Banned list",
        document="Benchmark",
        clause="502.1",
        entries=[{"card": {"name": banned_card}, "clause": "502.1"}],
        in_force=date.today(),
        drafted_by="benchmark",
        drafted_at=timezone.now(),
        state="published",
        published_at=timezone.now(),
        published_by="benchmark",
        digest=str(number),
    )
    return rechecks.start_recheck(edition)


def _wait(recheck: Any) -> float:
    """Follow the progress until the recheck has ended.

    Returns the seconds from asking to the end.
    """
    from decks.jobs.queue import sweep
    from decks.rechecks.selectors import recheck_progress
    from decks.submissions.models import Rechecked

    while recheck.ended_at is None:
        time.sleep(0.5)
        sweep()
        recheck.refresh_from_db()
        if sys.stderr.isatty():
            print(recheck_progress(recheck).words, end="\r", file=sys.stderr)
    checked_count = Rechecked.objects.filter(recheck=recheck).count()
    if checked_count != recheck.total:
        raise SystemExit(f"{checked_count} lists were checked of {recheck.total}.")
    return float((recheck.ended_at - recheck.asked_at).total_seconds())


def _forget() -> None:
    """Delete the later verdicts, so that each run starts in the same state."""
    from decks.jobs.models import Job
    from decks.jobs.queue import sweep
    from decks.submissions.models import Rechecked
    from tournament.decklists.models import ListNotice

    Job.objects.all().delete()
    sweep()
    ListNotice.objects.all().delete()
    Rechecked._base_manager.all()._raw_delete("default")


if __name__ == "__main__":
    main()
