"""A real Celery worker, on files and on Redis, at work and killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import timedelta

import pytest
from celery import Celery
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from config.env import broker
from decks.jobs.models import Job
from decks.jobs.queue import enqueue, sweep
from tests.fixtures.workers import CLONE, process_environment, wait_for

pytestmark = [pytest.mark.worker, pytest.mark.django_db(transaction=True)]


def sender(url, folder):
    """An application that sends to this broker, in place of the one that the settings name."""
    settings, _ = broker.parse(url, folder=folder)
    app = Celery("sender", broker=settings["CELERY_BROKER_URL"], set_as_current=False)
    app.conf.broker_transport_options = settings["CELERY_BROKER_TRANSPORT_OPTIONS"]
    return app


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
        yield lambda *options: start_worker(*options, **environment)


def state_of(job):
    job.refresh_from_db()
    return job.state


def until(job, state, seconds=60):
    wait_for(lambda: state_of(job) == state, seconds, f"the job stayed {state_of(job)}: {job.error}")
    return job


@pytest.mark.parametrize("on_broker", LEFT_ON_FILES, indirect=True)
def test_a_worker_does_what_it_is_told_of(on_broker):
    on_broker()
    with transaction.atomic():
        job = enqueue("tests.add", {"a": 2, "b": 3})
        assert state_of(job) == "queued"
    done = until(job, "done")
    assert (done.result, done.tries) == ({"sum": 5}, 1)

    failed = until(enqueue("tests.refuse", {}), "failed")
    assert (failed.error_code, failed.error) == ("no-players", "There is nobody to print.")

    steps = enqueue("tests.steps", {"steps": 40, "pause": 0.05})
    wait_for(lambda: state_of(steps) == "running" and 0 < steps.progress_done < 40)
    assert (steps.progress_total, steps.progress_words) == (40, f"Step {steps.progress_done}")
    assert (until(steps, "done").percent, steps.progress_done) == (100, 40)


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


@pytest.mark.whole("the worker killed with its whole pool")
@pytest.mark.parametrize("on_broker", ["redis"], indirect=True)
def test_one_process_of_the_pool_killed_leaves_the_worker_at_work(on_broker, tmp_path):
    on_broker()
    job = enqueue("tests.stall", {"notes": str(tmp_path / "notes")})
    wait_for(lambda: state_of(job) == "running" and job.progress_words)
    os.kill(int(job.progress_words), signal.SIGKILL)
    wait_for(lambda: sweep() and state_of(job) == "done")
    assert (job.result, job.tries) == ({"attempt": 2}, 2)


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
        beat.wait(10)


@pytest.mark.parametrize("on_broker", ["files"], indirect=True)
def test_a_worker_told_to_end_finishes_the_job_at_hand(on_broker):
    worker = on_broker()
    job = enqueue("tests.steps", {"steps": 20, "pause": 0.05})
    wait_for(lambda: state_of(job) == "running")
    worker.process.terminate()
    assert worker.process.wait(20) == 0
    assert state_of(job) == "done"
