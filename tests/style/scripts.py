"""The names in our scripts.

They are read by the parser that comes with the driver of the browsers.
"""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.style.sources import CLONE

FOLDER = CLONE / "tournament" / "static"
READER = Path(__file__).with_name("script_names.js")


@cache
def read_scripts(folder: Path = FOLDER) -> dict[str, dict[str, Any]]:
    """Return each script's names, imports, exports, globals and undefined names.

    The globals are what a script gives to the window.
    """
    driver = pytest.importorskip("playwright._impl._driver")
    node = driver.compute_driver_executable()[0]
    files = sorted(folder.rglob("*.js"))
    answer = subprocess.run(
        [node, "--expose-internals", READER, *files], capture_output=True, check=True, text=True
    )
    scripts: dict[str, dict[str, Any]] = json.loads(answer.stdout)
    return scripts
