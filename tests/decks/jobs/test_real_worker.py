"""A real Celery worker, on files and on Redis, at work and killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from config.start.watchdog import Watchdog
from decks.jobs.models import Job
from decks.jobs.queue import enqueue, sweep
from tests.fixtures.senders import sender
from tests.fixtures.workers import CLONE, process_environment, wait_for

pytestmark = [pytest.mark.both_databases, pytest.mark.worker, pytest.mark.django_db(transaction=True)]


ON_ONE_DATABASE = pytest.mark.one_database("signals of a process, whatever it keeps its rows in")
EVERY_DAY = "the other broker, and this one in the other test"
LEFT_ON_FILES = [pytest.param("files", marks=pytest.mark.whole(EVERY_DAY)), "redis"]
LEFT_ON_REDIS = ["files", pytest.param("redis", marks=pytest.mark.whole(EVERY_DAY))]


@pytest.fixture(params=["files", "redis"])
def on_broker(request, tmp_path, start_worker, monkeypatch):
    """Connects this process to one kind of broker and starts workers on the same one."""
    url = request.getfixturevalue("redis_url") if request.param == "redis" else ""
    environment = {"CELERY_BROKER_URL": url, "RINGSIDE_JOB_LEASE_SECONDS": "1.5"}
    with sender(url, tmp_path / "data" / "queue") as app:
        monkeypatch.setattr("decks.jobs.queue.current_app", app)
        yield lambda **more: start_worker(**environment, **more)


@pytest.fixture
def on_files(tmp_path, monkeypatch):
    """Connects this process to the files that workers take messages from by default."""
    with sender("", tmp_path / "data" / "queue") as app:
        monkeypatch.setattr("decks.jobs.queue.current_app", app)
        yield


def state_of(job):
    job.refresh_from_db()
    return job.state


def until(job, state, seconds=60):
    wait_for(lambda: state_of(job) == state, seconds, f"the job stayed {state_of(job)}: {job.error}")
    return job


@pytest.fixture
def watchdog():
    """A watchdog that listens as the supervisor's does."""
    watchdog = Watchdog()
    yield watchdog
    watchdog.close()


@pytest.mark.parametrize("on_broker", LEFT_ON_FILES, indirect=True)
def test_a_worker_does_its_jobs_with_signs_of_life_and_told_to_end_finishes_one(on_broker, watchdog):
    watchdog.begin()
    worker = on_broker(**watchdog.environment)
    with transaction.atomic():
        job = enqueue("tests.add", {"a": 2, "b": 3})
        assert state_of(job) == "queued"
    finished_job = until(job, "done")
    assert (finished_job.result, finished_job.tries) == ({"sum": 5}, 1)

    failed_job = until(enqueue("tests.refuse", {}), "failed")
    assert (failed_job.error_code, failed_job.error) == ("no-players", "There is nobody to print.")

    long, waiting_job = (
        enqueue("tests.steps", {"steps": 100, "pause": 0.05}),
        enqueue("tests.add", {"a": 1, "b": 1}),
    )
    wait_for(lambda: state_of(long) == "running" and 0 < long.progress_done < 100)
    assert (long.progress_total, long.progress_words) == (100, f"Step {long.progress_done}")
    assert (until(long, "done").percent, long.progress_done) == (100, 100)
    assert (watchdog.fault(), until(waiting_job, "done").result) == ("", {"sum": 2})

    job = enqueue("tests.steps", {"steps": 20, "pause": 0.05})
    wait_for(lambda: state_of(job) == "running")
    worker.process.terminate()
    assert worker.process.wait(60) == 0
    assert state_of(job) == "done"


@pytest.mark.daily_on_postgres
@pytest.mark.parametrize("on_broker", LEFT_ON_REDIS, indirect=True)
def test_a_worker_killed_in_the_middle_costs_a_try_and_the_job_is_done_once(on_broker, tmp_path):
    worker = on_broker()
    notes = tmp_path / "notes"
    job = enqueue("tests.stall", {"notes": str(notes)})
    wait_for(lambda: state_of(job) == "running" and job.progress_words)
    worker.kill()
    assert state_of(job) == "running", "nobody is left to say that it is not"

    on_broker()
    with override_settings(JOB_LEASE_SECONDS=1.5):
        wait_for(lambda: sweep() and state_of(job) == "done")
    assert (job.result, job.tries) == ({"attempt": 2}, 2)
    assert notes.read_text() == "done in attempt 2\n"


@pytest.mark.whole("the only worker killed in the middle, above")
@pytest.mark.parametrize("on_broker", ["files", "redis"], indirect=True)
def test_one_of_two_workers_killed_leaves_the_other_at_work(on_broker, tmp_path):
    both = [on_broker(), on_broker()]
    job = enqueue("tests.stall", {"notes": str(tmp_path / "notes")})
    wait_for(lambda: state_of(job) == "running" and job.progress_words)
    assert int(job.progress_words) in [worker.process.pid for worker in both], (
        "a worker has no processes below it"
    )
    os.kill(int(job.progress_words), signal.SIGKILL)
    assert [until(enqueue("tests.add", {"a": n, "b": 1}), "done").result["sum"] for n in range(3)] == [
        1,
        2,
        3,
    ]
    wait_for(lambda: sweep() and state_of(job) == "done")
    assert (job.result, job.tries) == ({"attempt": 2}, 2)


@pytest.mark.whole("both signs of the watchdog, in tests/config/start/test_parts.py")
def test_a_worker_that_takes_nothing_while_jobs_wait_asks_to_be_ended(start_worker, watchdog):
    watchdog.begin()
    # It listens to a queue without senders, like a worker that its broker has forgotten.
    start_worker("--queues", "nobody", **watchdog.environment, RINGSIDE_JOB_LEASE_SECONDS="1")
    wait_for(lambda: watchdog.fault() or watchdog.signs > 1)
    assert watchdog.fault() == "", "no job waits"
    Job.objects.create(kind="tests.add", payload={"a": 1, "b": 1})
    wait_for(lambda: watchdog.fault() == "does not do its work")


@ON_ONE_DATABASE
@pytest.mark.whole("a job that takes too long, in tests/decks/jobs/test_worker_functions.py")
def test_a_job_that_takes_too_long_is_stopped_in_a_worker(start_worker, on_files, tmp_path):
    start_worker(RINGSIDE_JOB_MINUTES_MAX="0.01")
    job = until(enqueue("tests.stall", {"notes": str(tmp_path / "notes")}), "failed")
    assert (job.error_code, job.tries) == ("took-too-long", 1)


@pytest.mark.whole("sweep(), which the scheduler calls, in tests/decks/jobs/test_worker_functions.py")
def test_beat_tells_of_jobs_whose_message_was_lost(start_worker, tmp_path):
    job = Job.objects.create(kind="tests.add", payload={"a": 1, "b": 1})
    Job.objects.update(hint_after=timezone.now() - timedelta(minutes=1))
    start_worker()
    beat = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "config", "beat", "-l", "WARNING"],
        cwd=CLONE,
        env=process_environment(tmp_path / "data"),
    )
    try:
        assert until(job, "done").result == {"sum": 2}
    finally:
        beat.terminate()
        beat.wait(60)
