from __future__ import annotations

import threading
import uuid
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from decks.jobs import queue
from decks.jobs.models import Job
from decks.jobs.queue import cancel, enqueue, latest_job, retry

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]


@pytest.fixture
def hints(monkeypatch):
    names = []
    monkeypatch.setattr(
        queue.current_app,
        "send_task",
        lambda name, args, **options: names.append((name, args)),
        raising=False,
    )
    return names


def test_a_job_is_written_before_workers_are_notified(hints, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        job = enqueue("print", {"round": 3}, requested_by="Ada")
        assert hints == []
    assert hints == [("decks.run_job", [str(job.pk)])]
    stored_job = Job.objects.get()
    assert (stored_job.kind, stored_job.payload, stored_job.requested_by) == ("print", {"round": 3}, "Ada")
    assert (stored_job.state, stored_job.tries, stored_job.max_tries) == ("queued", 0, 3)


def ask_and_fail():
    with transaction.atomic():
        enqueue("print", {})
        raise ValueError


def test_a_job_asked_for_in_a_transaction_that_fails_was_never_asked_for(
    hints, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True), pytest.raises(ValueError):
        ask_and_fail()
    assert (Job.objects.count(), hints) == (0, [])


def test_a_broker_that_does_not_answer_loses_no_job(monkeypatch, django_capture_on_commit_callbacks):
    def refuse(*args, **options):
        raise OperationalError("nobody there")

    monkeypatch.setattr(queue.current_app, "send_task", refuse, raising=False)
    with django_capture_on_commit_callbacks(execute=True):
        job = enqueue("print", {})
    assert Job.objects.get(pk=job.pk).state == "queued"


def test_an_open_job_with_the_same_key_is_enough(hints, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        first = enqueue("print", {"copy": 1}, key="round 3")
        second = enqueue("print", {"copy": 2}, key="round 3")
    assert second == first
    assert len(hints) == 1
    assert Job.objects.get().payload == {"copy": 1}


@pytest.mark.parametrize("state", ["done", "failed", "cancelled"])
def test_a_closed_job_with_the_same_key_is_no_hindrance(hints, state):
    first = enqueue("print", {}, key="round 3")
    Job.objects.update(state=state)
    assert enqueue("print", {}, key="round 3") != first


def test_the_same_key_may_stand_in_another_kind(hints):
    assert enqueue("print", {}, key="round 3") != enqueue("mail", {}, key="round 3")


def test_jobs_without_a_key_never_stand_for_each_other(hints):
    assert enqueue("print", {}) != enqueue("print", {})


def test_the_database_refuses_a_second_open_job_with_the_same_key():
    Job.objects.create(kind="print", key="round 3")
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="print", key="round 3")
    assert Job.objects.count() == 1


def test_the_database_refuses_a_running_job_without_a_lease():
    with pytest.raises(IntegrityError), transaction.atomic():
        Job.objects.create(kind="print", state=Job.State.RUNNING)
    assert Job.objects.count() == 0


@pytest.mark.django_db(transaction=True)
def test_ten_who_ask_at_once_with_one_key_get_one_job(hints):
    gate, job_ids = threading.Barrier(10), []

    def ask():
        gate.wait()
        job_ids.append(enqueue("print", {}, key="round 3").pk)
        connection.close()

    threads = [threading.Thread(target=ask) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(job_ids), len(set(job_ids)), Job.objects.count(), len(hints)) == (10, 1, 1, 1)


def test_the_latest_job_of_a_key_is_found_in_any_state(hints):
    assert latest_job("print", "round 3") is None
    enqueue("print", {}, key="round 3")
    Job.objects.update(state=Job.State.DONE, created_at=timezone.now() - timedelta(hours=1))
    second = enqueue("print", {}, key="round 3")
    assert latest_job("print", "round 3") == second


def test_a_waiting_job_is_cancelled_at_once(hints):
    job = cancel(enqueue("print", {}).pk)
    assert (job.state, job.finished_at is not None) == ("cancelled", True)


def test_a_running_job_is_asked_to_end(hints):
    job = enqueue("print", {})
    Job.objects.update(state=Job.State.RUNNING, claim=uuid.uuid4(), lease_until=timezone.now())
    assert (cancel(job.pk).state, cancel(job.pk).cancel_requested) == ("running", True)


def test_a_job_that_is_done_cannot_be_cancelled(hints):
    job = enqueue("print", {})
    Job.objects.update(state=Job.State.DONE)
    assert (cancel(job.pk).state, cancel(job.pk).cancel_requested) == ("done", False)


def test_a_failed_job_tried_again_has_all_its_tries(hints, django_capture_on_commit_callbacks):
    job = enqueue("print", {})
    broke = [{"code": "unexpected", "params": {"told": "It broke."}}]
    Job.objects.update(state=Job.State.FAILED, tries=3, failure=broke, error_code="unexpected")
    assert Job.objects.get().error == "It broke."
    with django_capture_on_commit_callbacks(execute=True):
        again = retry(job.pk)
    assert (again.state, again.tries, again.error, again.error_code) == ("queued", 0, "", "")
    assert hints == [("decks.run_job", [str(job.pk)])]


def test_a_job_that_is_done_is_not_tried_again(hints):
    job = enqueue("print", {})
    Job.objects.update(state=Job.State.DONE)
    assert retry(job.pk).state == "done"


@pytest.mark.parametrize("lease", [1.5, 10.0])
def test_a_lost_hint_is_repeated_within_half_a_lease_however_often_it_was_lost(settings, hints, lease):
    settings.JOB_LEASE_SECONDS = lease
    job = enqueue("print", {})
    for hint in range(2, 9):
        Job.objects.update(hint_after=timezone.now())
        queue.sweep()
        job.refresh_from_db()
        assert job.hints == hint
        assert job.hint_after - timezone.now() <= timedelta(seconds=lease / 2)


@pytest.mark.parametrize(
    ("seconds_ago", "state", "waits"), [(11, "queued", True), (9, "queued", False), (11, "cancelled", False)]
)
def test_only_a_job_that_is_due_for_longer_waits(hints, seconds_ago, state, waits):
    enqueue("print", {})
    Job.objects.update(run_after=timezone.now() - timedelta(seconds=seconds_ago), state=state)
    assert queue.jobs_wait_for(10) is waits


@pytest.mark.parametrize(
    ("state", "done_count", "total", "percent"),
    [
        ("queued", 0, None, None),
        ("running", 1, None, None),
        ("running", 1, 3, 33),
        ("running", 4, 3, 100),
        ("done", 0, None, 100),
    ],
)
def test_progress_in_percent(state, done_count, total, percent):
    assert Job(state=state, progress_done=done_count, progress_total=total).percent == percent
