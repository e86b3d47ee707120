"""A full disk is reported as such: on pages, by the API, in jobs and in the log."""

from __future__ import annotations

import errno
import http.client
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import OperationalError
from django.test import Client
from kombu import Connection

from config.env import broker
from config.serving.database_away import DISK_FULL
from config.serving.sockets import listen
from config.start import disk_watch
from config.start.disk_watch import DiskWatch
from decks.jobs import queue
from decks.jobs.models import Job
from decks.jobs.worker import perform
from decks.shared.disk import is_disk_full
from tests import machine
from tests.decks.jobs import handlers
from tests.fixtures.full_disk import SmallDisk
from tests.fixtures.senders import sender
from tests.fixtures.workers import CLONE, process_environment, wait_for

pytestmark = pytest.mark.both_databases

FULL = {key: value and str(value) for key, value in DISK_FULL.items()}


def sqlite_full() -> sqlite3.Error:
    """Return the error of a real SQLite that has no page left."""
    database = sqlite3.connect(":memory:")
    database.execute("PRAGMA max_page_count = 2")
    try:
        database.execute("CREATE TABLE a AS SELECT zeroblob(99999)")
    except sqlite3.Error as error:
        return error
    finally:
        database.close()
    raise AssertionError("there was room")


def wrap_error(cause: Exception) -> OperationalError:
    """Wrap an error as Django raises it."""
    try:
        raise OperationalError(str(cause)) from cause
    except OperationalError as error:
        return error


ERRORS: list[Callable[[], Exception]] = [
    lambda: OSError(errno.ENOSPC, "No space left on device"),
    lambda: OSError(errno.EDQUOT, "Disk quota exceeded"),
    sqlite_full,
    lambda: wrap_error(sqlite_full()),
    lambda: wrap_error(psycopg.errors.DiskFull("could not extend file")),
]


@pytest.mark.parametrize("make", ERRORS)
def test_each_way_in_which_a_full_disk_shows_is_recognized(make: Callable[[], Exception]) -> None:
    assert is_disk_full(make()) is True


@pytest.mark.parametrize(
    "error",
    [
        None,
        ValueError("full"),
        OSError(errno.EACCES, "Permission denied"),
        OperationalError("server closed the connection unexpectedly"),
        wrap_error(sqlite3.OperationalError("disk I/O error")),  # this machine has free space
        wrap_error(sqlite3.OperationalError("database is locked")),
    ],
)
def test_no_other_error_is_taken_for_a_full_disk(error: Exception | None) -> None:
    assert is_disk_full(error) is False


@pytest.fixture
def full(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> Callable[[Exception], Client]:
    """A client whose requests meet this error."""

    def meet(error: Exception) -> Client:
        def fail(*args: Any, **kwargs: Any) -> None:
            raise error

        monkeypatch.setattr("django.db.models.query.QuerySet._fetch_all", fail)
        client.raise_request_exception = False
        return client

    return meet


@pytest.mark.parametrize("make", ERRORS)
def test_page_and_api_say_that_the_disk_is_full(
    full: Callable[[Exception], Client], make: Callable[[], Exception], caplog: pytest.LogCaptureFixture
) -> None:
    client = full(make())
    page, answer = client.get("/"), client.get("/api/events/open/")
    assert [(each.status_code, each["Retry-After"]) for each in (page, answer)] == [(503, "5")] * 2
    assert "<h1>The server disk is full</h1>" in page.content.decode()
    assert answer.json() == {"problems": [FULL]}
    assert "The disk is full: nothing can be saved." in caplog.text


@pytest.fixture
def installation(small_disk: SmallDisk, transactional_db: None) -> Iterator[tuple[SmallDisk, int]]:
    """A server whose data are on a small disk."""
    data = small_disk.folder / "data"
    environment = process_environment(
        data, DATABASE_URL="", RINGSIDE_LOG_LEVEL="WARNING", TMPDIR=str(small_disk.folder)
    )
    migrate = [sys.executable, "manage.py", "migrate", "-v", "0"]
    subprocess.run(migrate, cwd=CLONE, env=environment, check=True)
    make = "from tests.scenarios.factories import make_event; print(make_event().slug)"
    subprocess.run([sys.executable, "manage.py", "shell", "-c", make], cwd=CLONE, env=environment, check=True)
    listener = listen("127.0.0.1", 0)
    command = [sys.executable, "-m", "config.serving.server", "--fd", str(listener.fileno())]
    log = small_disk.folder.parent / "web.log"
    with log.open("wb") as output:
        server = subprocess.Popen(
            command, cwd=CLONE, env=environment, pass_fds=(listener.fileno(),), stdout=output, stderr=output
        )
    port = listener.getsockname()[1]
    wait_for(lambda: ask(port, "GET", "/api/events/")[0] == 200)
    yield small_disk, port
    server.terminate()
    server.wait(60)
    listener.close()


def ask(port: int, method: str, path: str, body: bytes | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    status_and_body = answer.status, answer.read()
    connection.close()
    return status_and_body


@pytest.mark.worker
@pytest.mark.skipif(not machine.on_sqlite(), reason="shown by the run on SQLite, the embedded default")
@pytest.mark.whole("page, API, jobs and messages on a full disk, each alone in this file")
def test_server_on_a_full_disk_says_so_reads_on_and_saves_again_when_there_is_room(
    installation: tuple[SmallDisk, int], tmp_path: Path
) -> None:
    disk, port = installation
    register = "/api/events/spring-open/register/"

    def person(n: int) -> bytes:
        return json.dumps({"name": f"Person {n}", "email": f"p{n}@example.org"}).encode()

    assert ask(port, "POST", register, person(1))[0] == 201
    disk.fill()
    status, body = ask(port, "POST", register, person(2))
    assert (status, json.loads(body)) == (503, {"problems": [FULL]})
    assert ask(port, "GET", "/api/events/spring-open/players/")[0] == 200
    assert "The disk is full" in (tmp_path / "web.log").read_text()
    disk.empty()
    assert ask(port, "POST", register, person(2))[0] == 201
    players = json.loads(ask(port, "GET", "/api/events/spring-open/players/")[1])
    assert [each["name"] for each in players] == ["Person 1", "Person 2"]


def test_job_that_finds_no_room_for_its_file_says_so_and_leaves_nothing(
    db: None, small_disk: SmallDisk, settings: Any
) -> None:
    settings.JOB_FILES_DIR = small_disk.folder / "jobs"
    job = queue.enqueue("tests.file", {"text": "x" * 100_000})
    (small_disk.folder / "jobs" / str(job.pk)).mkdir(parents=True)
    small_disk.fill()
    assert _perform(job).error_code == "disk-full"
    assert job.error == "The server's disk is full. Free some space, then try again."
    assert list((small_disk.folder / "jobs" / str(job.pk)).iterdir()) == []
    small_disk.empty()
    assert (_perform(job).state, job.error, job.error_code) == ("done", "", "")


def _perform(job: Job) -> Job:
    Job.objects.filter(pk=job.pk).update(run_after=job.created_at)
    assert perform(job.pk, heartbeat=False) is True
    job.refresh_from_db()
    return job


def test_job_asked_for_on_a_full_disk_is_told_of_later(
    db: None, small_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    messages = small_disk.folder / "queue" / "messages"
    with sender("", small_disk.folder / "queue") as app:
        monkeypatch.setattr("decks.jobs.queue.current_app", app)
        small_disk.fill()
        job = queue.enqueue("tests.add", {"a": 1, "b": 1})
        queue.send_hint(job.pk)
        assert "The disk is full; the sweep will tell of the job." in caplog.text
        assert [path.name for path in messages.iterdir() if path.stat().st_size == 0] == []
        small_disk.empty()
        queue.send_hint(job.pk)
    assert len(list(messages.glob("*.msg"))) == 1


def test_outcome_of_a_job_is_stored_as_soon_as_there_is_room(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("decks.jobs.worker.SECONDS_BETWEEN_TRIES", 0.01)
    refusals = [wrap_error(sqlite_full()) for _ in range(3)]
    close = handlers.Run.close

    def full_at_first(run: handlers.Run, **changes: Any) -> bool:
        if refusals:
            raise refusals.pop()
        return close(run, **changes)

    monkeypatch.setattr(handlers.Run, "close", full_at_first)
    job = _perform(queue.enqueue("tests.add", {"a": 1, "b": 1}))
    assert (job.state, job.result, job.tries) == ("done", {"sum": 2}, 1)
    assert caplog.text.count("The disk is full: how the job ended cannot be stored.") == 3


def test_supervisor_says_in_time_that_there_is_little_room(monkeypatch: pytest.MonkeyPatch) -> None:
    free, log_lines = [900, 400, 300, 700], list[str]()
    monkeypatch.setattr(disk_watch, "SECONDS_BETWEEN_LOOKS", 0.0)
    monkeypatch.setattr(
        disk_watch.shutil, "disk_usage", lambda folder: type("", (), {"free": free.pop(0) * 1_000_000})
    )
    watch = DiskWatch(Path("/data"))
    while free:
        watch.monitor(log_lines.append)
    assert log_lines == [
        "Only 400 MB are left on the disk of /data. Free some space.",
        "There is room again on the disk of /data: 700 MB.",
    ]


def test_message_left_by_a_full_disk_or_a_power_cut_is_dropped(tmp_path: Path) -> None:
    options = broker.parse(None, folder=tmp_path)[0]["CELERY_BROKER_TRANSPORT_OPTIONS"]
    broker.make_folders(options)
    folder = Path(options["data_folder_in"])
    (folder / "0_empty.hall.msg").write_text("")
    (folder / "0_half.hall.msg").write_text('{"body": "a')
    with Connection("filesystem://", transport_options=options) as connection:
        messages = connection.SimpleQueue("hall")
        messages.put("round 1")
        message = messages.get(timeout=60)
        message.ack()
    assert message.payload == "round 1"
    assert list(folder.iterdir()) == []
