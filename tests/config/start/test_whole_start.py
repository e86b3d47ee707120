"""The whole installation, started and ended as a person does it."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import machine
from tests.fixtures.workers import CLONE, children_of, wait_for

pytestmark = [
    pytest.mark.worker,
    pytest.mark.skipif(not machine.on_sqlite(), reason="shown by the run on SQLite, the embedded default"),
]


class StartedInstallation:
    """A started installation and what it says."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder.with_suffix(".log")
        values_by_name = {
            name: value for name, value in os.environ.items() if not name.startswith("RINGSIDE_")
        }
        self.environment = {
            **values_by_name,
            "RINGSIDE_DATA_DIR": str(folder),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "RINGSIDE_WORKERS": "1",
            "PYTHONIOENCODING": "ascii",
        }
        with self.log.open("wb") as log:
            self.process = self.start(stdout=log, stderr=subprocess.STDOUT)

    def start(self, **options):
        command = [sys.executable, "-m", "config.start", "--no-demo", "--host", "127.0.0.1"]
        return subprocess.Popen(command, cwd=CLONE, env=self.environment, start_new_session=True, **options)

    def read_output(self):
        return self.log.read_text()

    def url(self):
        match_found = re.search(r"Ringside is running:  (http://localhost:(\d+)/)", self.read_output())
        return match_found and (match_found[1], int(match_found[2]))


@pytest.fixture
def installation(tmp_path):
    started_installation = StartedInstallation(tmp_path / "data")
    yield started_installation
    if started_installation.process.poll() is None:
        started_installation.process.kill()
    started_installation.process.wait(60)


def family_of(pid):
    children = children_of(pid)
    return [*children, *(each for child in children for each in children_of(child))]


def alive(pids):
    return [pid for pid in pids if Path(f"/proc/{pid}").exists()]


@pytest.mark.whole("test_private_data.py starts one, asks it for pages and ends it")
def test_installation_is_started_found_and_ended(installation):
    url, port = wait_for(installation.url, 90, f"it did not start; see {installation.log}")
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", "/")
    page = connection.getresponse()
    assert (page.status, b"Ringside" in page.read()) == (200, True)
    connection.close()

    second = installation.start(stdout=subprocess.PIPE)
    assert (
        second.communicate(timeout=60)[0].decode() == f"Ringside is already running from this folder: {url}\n"
    )
    assert second.returncode == 0

    wait_for(lambda: len(family_of(installation.process.pid)) >= 3, 60, "web server, worker, scheduler")
    family = family_of(installation.process.pid)
    installation.process.send_signal(signal.SIGINT)
    assert installation.process.wait(60) == 0
    assert installation.read_output().endswith("Stopping …\nStopped.\n".encode("ascii", "replace").decode())
    assert alive(family) == []
    assert "Traceback" not in installation.read_output()
    assert (installation.folder / "secret-key").stat().st_mode & 0o777 == 0o600
