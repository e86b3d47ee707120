"""A web server looks for garbage seldom, and never among the code that it has loaded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = "import config.wsgi, gc; print(gc.get_threshold()[0], gc.get_freeze_count() > 100_000)"


def test_loaded_code_is_left_out_of_every_search_and_searches_are_rare(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "RINGSIDE_DATA_DIR": str(tmp_path),
    }
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, env=environment, check=False)
    assert ran.stdout.decode().split() == ["20000", "True"], ran.stderr.decode()
