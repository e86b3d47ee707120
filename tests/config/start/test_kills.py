"""Processes are killed in a busy venue.

`python -m benchmarks.kill` does it hundreds of times.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests import machine
from tests.fixtures.databases import TEMPLATE, sqlite_file
from tests.fixtures.workers import CLONE

pytestmark = [
    pytest.mark.worker,
    pytest.mark.skipif(not machine.on_sqlite(), reason="shown by the run on SQLite, the embedded default"),
]


@pytest.mark.whole("a killed server, in tests/browser/test_typed_lines.py")
def test_server_killed_under_load_loses_nothing_that_it_acknowledged(django_db_setup: None) -> None:
    command = [sys.executable, "-m", "benchmarks.kill", "--kills", "3", "--seed", "7"]
    begin = ["--migrated", str(sqlite_file(TEMPLATE))]
    ran = subprocess.run(
        [*command, *begin], cwd=CLONE, capture_output=True, text=True, timeout=280, check=False
    )
    assert (ran.returncode, ran.stdout.splitlines()[-1:]) == (0, ["faults: 0"]), ran.stdout + ran.stderr


@pytest.mark.whole("one of two workers killed, in tests/decks/jobs/test_real_worker.py")
def test_no_kill_of_a_process_stops_jobs_for_longer_than_the_lease() -> None:
    command = [sys.executable, "-m", "benchmarks.kill.jobs", "--kills", "64"]
    ran = subprocess.run(command, cwd=CLONE, capture_output=True, text=True, timeout=1800, check=False)
    assert (ran.returncode, ran.stdout.splitlines()[-1:]) == (0, ["faults: 0"]), ran.stdout + ran.stderr
