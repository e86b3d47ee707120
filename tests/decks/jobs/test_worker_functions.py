from __future__ import annotations

import gc
import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from decks.jobs import queue
from decks.jobs.handlers import job as register
from decks.jobs.handlers import paused_garbage_collection
from decks.jobs.models import Job
from decks.jobs.queue import SweepResult, cancel, delete_old_jobs, enqueue, sweep
from decks.jobs.worker import pause_before, perform
from decks.shared.refusals import Refused
from tests.decks.jobs import handlers
from tests.everyday import each_case
from tests.scenarios.rollback import rolled_back

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def hints(monkeypatch):
    sent_args = []
    monkeypatch.setattr(
        queue.current_app, "send_task", lambda name, args, **options: sent_args.append(args[0]), raising=False
    )
    return sent_args


def do(kind, payload=None, **options):
    job = enqueue(kind, payload or {}, **options)
    perform(job.pk, heartbeat=False)
    job.refresh_from_db()
    return job


def let_the_lease_run_out():
    Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))


def claim_job(**values):
    now = timezone.now()
    return Job.objects.create(
        kind="tests.add", state=Job.State.RUNNING, claim=uuid.uuid4(), lease_until=now, tries=1, **values
    )


def test_a_job_done_keeps_its_result():
    job = do("tests.add", {"a": 2, "b": 3})
    assert (job.state, job.result, job.tries, job.claim) == ("done", {"sum": 5}, 1, None)
    assert job.created_at <= job.started_at <= job.finished_at


def test_a_job_is_done_once_however_often_the_message_comes():
    job = enqueue("tests.add", {"a": 2, "b": 3})
    assert [perform(job.pk, heartbeat=False) for _ in range(3)] == [True, False, False]


def test_a_job_that_takes_too_long_is_stopped_and_not_tried_again(settings):
    settings.JOB_MINUTES_MAX = 0.001
    job = do("tests.stall")
    assert (job.state, job.error_code, job.tries) == ("failed", "took-too-long", 1)


def test_an_unknown_job_is_nothing_to_do():
    assert perform(uuid.uuid4(), heartbeat=False) is False


def test_a_cancelled_job_is_not_begun():
    job = enqueue("tests.add", {"a": 2, "b": 3})
    cancel(job.pk)
    assert perform(job.pk, heartbeat=False) is False


def test_the_last_progress_stays_readable():
    job = do("tests.steps", {"steps": 4})
    assert (job.progress_done, job.progress_total, job.progress_words) == (4, 4, "Step 4")


def test_a_job_cancelled_while_it_runs_ends_at_its_next_report():
    kind = f"tests.{uuid.uuid4()}"

    @register(kind)
    def cancel_itself(run):
        cancel(run.job_id)
        run.progress(1, 1)
        raise AssertionError("it went on")

    job = do(kind)
    assert (job.state, job.error, job.claim) == ("cancelled", "", None)


def test_a_handler_that_knows_why_it_fails_is_not_tried_again():
    job = do("tests.refuse")
    assert (job.state, job.error_code, job.error, job.tries) == (
        "failed",
        "no-players",
        "There is nobody to print.",
        1,
    )


@pytest.mark.both_databases
def test_an_unexpected_error_is_tried_again_and_then_kept():
    job = do("tests.break")
    assert (job.state, job.error_code) == ("queued", "unexpected")
    assert perform(job.pk, heartbeat=False) is False, "the pause is not over"
    for _ in range(2):
        Job.objects.update(run_after=timezone.now())
        assert perform(job.pk, heartbeat=False) is True
    job.refresh_from_db()
    assert (job.state, job.tries) == ("failed", 3)
    assert job.error == "The job stopped with an unexpected error (ZeroDivisionError: attempt 3)."


@each_case(
    ("attempt", "seconds"), [(2, 1), (3, 2), (4, 4), (9, 128), (11, 300), (99, 300)], around=rolled_back
)
def test_the_pause_before_an_attempt_doubles_up_to_five_minutes(attempt, seconds):
    assert pause_before(attempt) == timedelta(seconds=seconds)


def test_an_unknown_kind_of_job_fails_with_a_sentence():
    job = do("tests.unheard")
    assert (job.state, job.error_code) == ("failed", "unknown-kind")
    assert job.failure == Refused("unknown-kind", kind="tests.unheard").to_records()
    assert job.error == "“tests.unheard” is not a known kind of job."


def test_one_kind_has_one_handler():
    with pytest.raises(ValueError, match=r"^Jobs of the kind 'tests.add' are already done by add\.$"):
        register("tests.add")(handlers.refuse)


def test_a_file_made_by_a_job_is_found_from_its_row():
    job = do("tests.file", {"text": "Table 1"})
    assert (job.result, job.result_file) == ({"bytes": 7}, f"{job.pk}/sheet.txt")
    assert job.file_path.read_text() == "Table 1"
    assert [path.name for path in job.file_path.parent.iterdir()] == ["sheet.txt"]


@each_case("name", ["../sheet", "a/b", "", ".", "..", "/etc/passwd"], around=rolled_back)
def test_a_job_cannot_write_outside_its_folder(name):
    outcome = []

    kind = f"tests.{uuid.uuid4()}"

    @register(kind)
    def escape(run):
        try:
            run.save(name, b"")
        except ValueError as error:
            outcome.append(str(error))

    do(kind)
    assert outcome == [f"{name!r} is not a plain file name."]


def test_an_attempt_that_lost_its_lease_writes_nothing():
    kind = f"tests.{uuid.uuid4()}"

    @register(kind)
    def lose_the_lease(run):
        let_the_lease_run_out()
        sweep()
        return {"too": "late"}

    job = do(kind)
    assert (job.state, job.result) == ("queued", None)


def test_an_attempt_that_lost_its_lease_is_told_at_its_next_report():
    kind, names = f"tests.{uuid.uuid4()}", []

    @register(kind)
    def lose_the_lease(run):
        let_the_lease_run_out()
        sweep()
        try:
            run.progress(1, 1)
        except Exception as error:
            names.append(type(error).__name__)
            raise

    assert (do(kind).state, names) == ("queued", ["LeaseLost"])


def test_a_lost_worker_costs_a_try_and_no_job(hints):
    job = claim_job()
    let_the_lease_run_out()
    assert sweep() == SweepResult(requeued_count=1, hinted_count=1)
    job.refresh_from_db()
    assert (job.state, job.tries, job.claim, hints) == ("queued", 1, None, [str(job.pk)])


def test_a_worker_lost_each_time_fails_the_job():
    job = claim_job(max_tries=1)
    let_the_lease_run_out()
    assert sweep() == SweepResult(failed_count=1)
    job.refresh_from_db()
    assert (job.state, job.error_code) == ("failed", "worker-lost")


def test_a_cancelled_job_of_a_lost_worker_stays_cancelled():
    job = claim_job(cancel_requested=True)
    let_the_lease_run_out()
    assert sweep() == SweepResult(canceled_count=1)
    job.refresh_from_db()
    assert job.state == "cancelled"


@pytest.mark.both_databases
def test_a_job_whose_lease_holds_is_left_alone():
    claim_job()
    Job.objects.update(lease_until=timezone.now() + timedelta(seconds=5))
    assert sweep() == SweepResult()


def test_a_hint_without_an_answer_is_repeated_once_a_pause(hints):
    job = enqueue("tests.add", {"a": 1, "b": 1})
    assert sweep() == SweepResult()
    Job.objects.update(hint_after=timezone.now())
    assert [sweep(), sweep()] == [SweepResult(hinted_count=1), SweepResult()]
    assert hints == [str(job.pk)]


def test_a_sweep_with_nothing_to_do_writes_nothing(django_assert_num_queries):
    with django_assert_num_queries(2) as queries:
        sweep()
    assert [query["sql"][:6] for query in queries.captured_queries] == ["SELECT", "SELECT"]


@pytest.mark.both_databases
def test_old_closed_jobs_are_forgotten_with_their_files(django_capture_on_commit_callbacks):
    job = do("tests.file", {"text": "Table 1"})
    fresh = do("tests.file", {"text": "Table 2"})
    waiting_job = enqueue("tests.add", {})
    Job.objects.filter(pk=job.pk).update(finished_at=timezone.now() - timedelta(days=8))
    with django_capture_on_commit_callbacks(execute=True):
        assert delete_old_jobs(older_than=timedelta(days=7)) == 1
    assert set(Job.objects.all()) == {fresh, waiting_job}
    assert not (Path(settings.JOB_FILES_DIR) / str(job.pk)).exists()
    assert fresh.file_path.exists()


def test_the_collector_rests_inside_the_block_and_works_again_after_it():
    with paused_garbage_collection():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off():
    gc.disable()
    try:
        with paused_garbage_collection():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.both_databases
def test_waiting_jobs_can_be_done_without_a_worker(capsys):
    enqueue("tests.add", {"a": 1, "b": 2})
    enqueue("tests.refuse", {})
    call_command("runjobs")
    assert capsys.readouterr().out.splitlines() == [
        "tests.add: done",
        "tests.refuse: failed There is nobody to print.",
    ]


OUTSIDE = ["/etc/passwd", "../secret.key", "x/sheet.pdf", "{own}/../../secret.key", "{own}/../x/sheet.pdf"]


@each_case("file", OUTSIDE, around=rolled_back)
def test_file_of_a_job_outside_its_own_folder_is_none(file: str) -> None:
    job = Job(kind="tests.file", state=Job.State.DONE)
    job.result_file = file.format(own=job.pk)
    assert job.file_path is None
    job.result_file = f"{job.pk}/sheet.txt"
    assert job.file_path == (Path(settings.JOB_FILES_DIR) / str(job.pk) / "sheet.txt").resolve()
