"""A started installation keeps its data to itself.

This covers modes of files, and logs without private addresses.
"""

from __future__ import annotations

import http.client
import os
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection

from tests import machine
from tests.config.start.test_whole_start import StartedInstallation, alive, family_of
from tests.everyday import some
from tests.fixtures.workers import wait_for
from tests.scenarios.factories import make_event, organizer
from tournament.registration import services as registration
from tournament.staff import services as staff

pytestmark = [
    pytest.mark.worker,
    pytest.mark.one_database("an installation starts on a copy of a file"),
    pytest.mark.skipif(not machine.on_sqlite(), reason="shown by the run on SQLite, the embedded default"),
]

UNKNOWN = "unknown-Key_34567890"


@pytest.fixture
def keys(transactional_db: None) -> list[str]:
    """Return the keys of a player and an invitation."""
    event = make_event()
    player = registration.add_player(event, organizer(), name="Anna", email="anna@example.org")
    return [player.token, staff.create_invitation(event, organizer(), kind="judge").token]


@pytest.fixture
def installation(keys: list[str], tmp_path: Path) -> Iterator[StartedInstallation]:
    """Yield an installation that starts on a data folder of an earlier one.

    Everyone could read that folder.
    """
    folder = tmp_path / "data"
    for name in ("mail", "log", "jobs/1"):
        (folder / name).mkdir(parents=True)
    for name in ("mail/old.log", "log/web.log", "jobs/1/sheet.pdf", "ringside.sqlite3"):
        (folder / name).touch()
    with closing(sqlite3.connect(folder / "ringside.sqlite3")) as database:
        connection.connection.backup(database)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    mask = os.umask(0o022)
    started_installation = StartedInstallation(folder)
    yield started_installation
    os.umask(mask)
    if started_installation.process.poll() is None:
        started_installation.process.kill()
    started_installation.process.wait(60)


def ask(port: int, method: str, address: str) -> int:
    """Return the status of an answer to a browser that came from a private page."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as visitor:
        visitor.request(method, address, headers={"Referer": f"http://127.0.0.1:{port}{address}"})
        return visitor.getresponse().status


def open_to_others(folder: Path) -> list[str]:
    """Return files and folders that other users may read, write or enter."""
    return [str(path) for path in (folder, *folder.rglob("*")) if path.lstat().st_mode & 0o077]


def test_started_installation_keeps_keys_and_files_to_itself(
    installation: StartedInstallation, keys: list[str]
) -> None:
    _, port = wait_for(installation.url, 90, f"it did not start; see {installation.log}")
    requests = [
        (method, address)
        for key in (*keys, UNKNOWN)
        for method in ("GET", "POST", "PUT")
        for address in (
            f"/p/{key}/", f"/p/{key}/drop/", f"/p/{key}/nowhere/", f"/api/me/{key}/", f"/api/me/{key}/drop/",
            f"/join/{key}/", f"/sign-up/{key}/", f"/password/MQ/{key}/", f"/console/?next=/join/{key}/",
        )
    ]  # fmt: skip
    # Each key, method and address comes with half of the others.
    statuses = {ask(port, method, address) for method, address in some(2, requests)}
    assert {200, 403, 404, 405} <= statuses
    family = family_of(installation.process.pid)
    installation.process.send_signal(signal.SIGKILL)
    wait_for(lambda: not alive(family), 60, "the processes to end with the one that started them")
    logs = [installation.log, *(installation.folder / "log").rglob("*.log")]
    text = "\n".join(path.read_text(errors="replace") for path in logs)
    assert "Not Found: /p/***/" in text
    assert [key for key in (*keys, UNKNOWN) if key in text] == []
    assert open_to_others(installation.folder) == []
    assert (installation.folder / "ringside.sqlite3").stat().st_mode & 0o777 == 0o600
    assert installation.folder.stat().st_mode & 0o777 == 0o700
