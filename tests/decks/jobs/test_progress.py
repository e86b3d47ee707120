"""The progress of a job.

It is stored as a code with params, and put into words when it is read.
"""

from __future__ import annotations

import ast
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from decks.jobs.handlers import JobFailed, Run
from decks.jobs.handlers import job as register
from decks.jobs.models import Job
from decks.jobs.queue import enqueue
from decks.jobs.worker import perform
from rules.reason import reason
from tests.scenarios.migrations import migrate, migrate_to_newest
from tests.style.sources import find_nodes, list_modules, read_text

pytestmark = pytest.mark.both_databases

STAGE = reason("lists_done", done=2, total=5)


def do(report: Any, payload: dict[str, object] | None = None) -> Job:
    """Return a job that this function did."""
    kind = f"tests.{uuid.uuid4()}"
    register(kind)(report)
    job = enqueue(kind, payload or {})
    perform(job.pk, heartbeat=False)
    job.refresh_from_db()
    return job


@pytest.mark.django_db
def test_stage_is_stored_as_code_with_params():
    finished_job = do(lambda run: run.progress(1, 1, STAGE))
    assert (finished_job.state, finished_job.progress_stage) == ("done", STAGE.to_json())
    assert finished_job.progress_words == "2 of 5 decklists"


@pytest.mark.django_db
def test_job_without_a_stage_has_no_words():
    finished_job = do(lambda run: run.progress(1, 1))
    assert (finished_job.progress_done, finished_job.progress_stage, finished_job.progress_words) == (
        1,
        None,
        "",
    )


def test_no_progress_is_reported_in_words():
    """Callers that report progress name a stage, never a text."""
    texts = [
        f"{file}:{node.lineno}"
        for file in list_modules("decks", "tournament", "config")
        if "progress(" in read_text(file)
        for node in find_nodes(file, ast.Call)
        if (getattr(node.func, "attr", "") == "progress" or getattr(node.func, "id", "") == "progress")
        and not all(_is_stage(stage) for stage in node.args[2:])
    ]
    assert texts == []


def _is_stage(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") == "reason"


def _read(payload: dict[str, object], *, text: str = "", number: str = "", default: int | None = None) -> Any:
    run = Run(Job(payload=payload), uuid.uuid4())
    return run.read_text(text) if text else run.read_number(number, default)


@pytest.mark.parametrize("value", [None, "7", 7.0, True, [7]])
def test_payload_without_the_number_fails_the_job_with_a_code(value):
    with pytest.raises(JobFailed) as failure:
        _read({"list": value}, number="list")
    assert (failure.value.why.code, failure.value.why.params) == ("bad-payload", {"name": "list"})


@pytest.mark.parametrize("value", [None, 7, ["a"]])
def test_payload_without_the_text_fails_the_job_with_a_code(value):
    with pytest.raises(JobFailed) as failure:
        _read({"paper": value}, text="paper")
    assert (failure.value.why.code, failure.value.why.params) == ("bad-payload", {"name": "paper"})


@pytest.mark.parametrize(("payload", "number"), [({}, 0), ({"list": None}, 0), ({"list": 7}, 7)])
def test_missing_number_of_a_payload_has_its_default(payload, number):
    assert _read(payload, number="list", default=0) == number


# -- the migration

BEFORE, AFTER = ("decks", "0009_failures_as_reasons"), ("decks", "0010_progress_as_reason")


@pytest.fixture
def old_tables() -> Iterator[Any]:
    """The tables as they were, and afterwards as they are."""
    yield migrate(*BEFORE)
    migrate_to_newest()


@pytest.mark.whole("a migration that is out changes no more; all run forward in each test run")
@pytest.mark.django_db(transaction=True)
def test_words_of_jobs_from_before_are_kept_and_come_back(old_tables: Any):
    old_jobs = old_tables.get_model("decks", "Job").objects
    worded_job, silent = (
        old_jobs.create(kind="tests.old", progress_words=words).pk for words in ("Half", "")
    )
    jobs = migrate(*AFTER).get_model("decks", "Job").objects
    stages = dict(jobs.values_list("pk", "progress_stage"))
    assert stages == {worded_job: {"code": "told", "params": {"told": "Half"}}, silent: None}
    jobs.filter(pk=silent).update(progress_stage=STAGE.to_json())
    old_jobs = migrate(*BEFORE).get_model("decks", "Job").objects
    assert dict(old_jobs.values_list("pk", "progress_words")) == {
        worded_job: "Half",
        silent: "2 of 5 decklists",
    }
