"""The style of the code, the direction of its imports, and its types."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.style.sources import CLONE

TOOLS = Path(sys.executable).parent
LOOKS = {
    "types": ["mypy"],
    "arrows": ["lint-imports"],
    "style": ["ruff", "check", "."],
    "format": ["ruff", "format", "--check", "."],
    "templates": ["djangofmt", "--check", "templates"],
}


@pytest.mark.parametrize("look", LOOKS)
def test_style_of_the_code_passes_every_tool(look):
    program, *options = LOOKS[look]
    # The tools read the code alone; the settings of the tests would disturb them.
    environment = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    ran = subprocess.run(
        [TOOLS / program, *options],
        cwd=CLONE,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
