"""A fifth game is a folder, and nothing else of the program changes for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import machine
from tests.scenarios.fifth_game import write_tidewater

CLONE = Path(__file__).resolve().parents[2]
WALK = Path(__file__).with_name("fifth_event.py")


@pytest.mark.paper
def test_game_that_is_a_folder_only_is_played_from_its_creation_to_the_champion(tmp_path: Path) -> None:
    folder = str(write_tidewater(tmp_path))
    # A worker of its own: it copies the database of this run under another name.
    environment = {**os.environ, machine.GAMES: folder, machine.PROCESS: f"games{os.getpid()}"}
    left_out = [f"-pno:{name}" for name in ("cacheprovider", "schemathesis", "unraisableexception")]
    command = [sys.executable, "-m", "pytest", "-q", *left_out, str(WALK)]
    ran = subprocess.run(command, cwd=CLONE, env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
