"""A web server collects garbage rarely, and never in the code that it has loaded."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

from config.serving.garbage import OBJECTS_LEFT_BEHIND, search_between_requests

PROGRAM = """
import gc
import config
print(gc.get_threshold())
import config.wsgi
print(gc.get_threshold(), gc.get_freeze_count() > 100_000)
"""


def test_searches_are_rare_from_the_start_and_leave_loaded_code_out(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "RINGSIDE_DATA_DIR": str(tmp_path),
    }
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, env=environment, check=False)
    rarely = "(20000, 20, 20)"
    assert ran.stdout.decode().splitlines() == [rarely, f"{rarely} True"], ran.stderr.decode()


def test_search_between_requests_comes_only_after_enough_was_left_behind() -> None:
    gc.collect()
    left_behind: list[list[object]] = [[] for _ in range(OBJECTS_LEFT_BEHIND // 2)]
    search_between_requests()
    assert gc.get_count()[0] >= len(left_behind)
    left_behind += [[] for _ in range(OBJECTS_LEFT_BEHIND)]
    search_between_requests()
    assert gc.get_count()[0] < len(left_behind)
