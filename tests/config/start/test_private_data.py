"""A started installation keeps its data to itself.

This covers modes of files, and logs without private addresses.
"""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import machine
from tests.config.start.test_whole_start import StartedInstallation, alive, family_of
from tests.fixtures.workers import CLONE, wait_for

pytestmark = [
    pytest.mark.worker,
    pytest.mark.skipif(not machine.on_sqlite(), reason="shown by the run on SQLite, the embedded default"),
]

UNKNOWN = "unknown-Key_34567890"
MAKE_EVENT = """
import django
django.setup()
from django.contrib.auth.models import User
from tournament.access.permissions import Actor
from tournament.registration import services as registration
from tournament.setup.services import events
from tournament.staff import services as staff
from datetime import datetime, UTC
olga = Actor.of_user(User.objects.create_user("olga@example.org", email="olga@example.org"))
event = events.create_event(
    olga, name="Spring", starts_at=datetime(2026, 5, 2, 9, 0, tzinfo=UTC), time_zone="Europe/Berlin",
    place="", game="ufs", format="constructed", rules_version="1.9", match_form="best_of_3_50min",
    round_minutes=50,
)
player = registration.add_player(event, olga, name="Anna", email="anna@example.org")
print(player.token, staff.create_invitation(event, olga, kind="judge").token)
"""


@pytest.fixture
def installation(tmp_path: Path):
    """Yield an installation that starts on a data folder of an earlier one.

    Everyone could read that folder.
    """
    folder = tmp_path / "data"
    for name in ("mail", "log", "jobs/1"):
        (folder / name).mkdir(parents=True)
    for name in ("mail/old.log", "log/web.log", "jobs/1/sheet.pdf", "ringside.sqlite3"):
        (folder / name).touch()
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    mask = os.umask(0o022)
    started_installation = StartedInstallation(folder)
    yield started_installation
    os.umask(mask)
    if started_installation.process.poll() is None:
        started_installation.process.kill()
    started_installation.process.wait(10)


def make_event(installation: StartedInstallation) -> list[str]:
    """Return the keys of a player and an invitation.

    They belong to an event made beside the running server.
    """
    command = [sys.executable, "-c", MAKE_EVENT]
    process = subprocess.run(
        command, cwd=CLONE, env=installation.environment, capture_output=True, text=True, check=True
    )
    return process.stdout.split()


def ask(port: int, method: str, address: str) -> int:
    """Return the status of an answer to a browser that came from a private page."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, address, headers={"Referer": f"http://127.0.0.1:{port}{address}"})
    status = connection.getresponse().status
    connection.close()
    return status


def open_to_others(folder: Path) -> list[str]:
    """Return files and folders that other users may read, write or enter."""
    return [str(path) for path in (folder, *folder.rglob("*")) if path.lstat().st_mode & 0o077]


def test_started_installation_keeps_keys_and_files_to_itself(installation: StartedInstallation) -> None:
    _, port = wait_for(installation.url, 90, f"it did not start; see {installation.log}")
    player, invitation = make_event(installation)
    statuses = {
        ask(port, method, address)
        for key in (player, invitation, UNKNOWN)
        for method in ("GET", "POST", "PUT")
        for address in (
            f"/p/{key}/", f"/p/{key}/drop/", f"/p/{key}/nowhere/", f"/api/me/{key}/", f"/api/me/{key}/drop/",
            f"/join/{key}/", f"/sign-up/{key}/", f"/password/MQ/{key}/", f"/console/?next=/join/{key}/",
        )
    }  # fmt: skip
    assert {200, 403, 404, 405} <= statuses
    family = family_of(installation.process.pid)
    installation.process.send_signal(signal.SIGKILL)
    wait_for(lambda: not alive(family), 30, "the processes to end with the one that started them")
    logs = [installation.log, *(installation.folder / "log").rglob("*.log")]
    text = "\n".join(path.read_text(errors="replace") for path in logs)
    assert "Not Found: /p/***/" in text
    assert [key for key in (player, invitation, UNKNOWN) if key in text] == []
    assert open_to_others(installation.folder) == []
    assert (installation.folder / "ringside.sqlite3").stat().st_mode & 0o777 == 0o600
    assert installation.folder.stat().st_mode & 0o777 == 0o700
