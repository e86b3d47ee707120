"""The Python that commands take.

It is that of the environment, then the system's, then one on the PATH.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[3] / "bin" / "_python.sh"
SYSTEM = Path("/usr/bin/python3")
NEW_ENOUGH = "case $2 in *'import pip'*) exit 1;; esac"
WITH_PIP = "exit 0"
TOO_OLD = "exit 1"


def is_new_enough(python: Path) -> bool:
    check = "import sys; sys.exit(sys.version_info < (3, 11))"
    return python.exists() and subprocess.run([python, "-c", check], check=False).returncode == 0


def add_python(folder: Path, answer: str) -> Path:
    """Write a program that answers the two questions of the script."""
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "python3"
    program.write_text(f"#!/bin/sh\n{answer}\n")
    program.chmod(0o755)
    return program


def add_tools(folder: Path, *, uv: bool) -> Path:
    """Make a PATH with the tools of the script alone.

    This way no Python of this machine is on it.
    """
    folder.mkdir()
    (folder / "sed").symlink_to(str(shutil.which("sed")))
    if uv:
        (folder / "uv").symlink_to(sys.executable)
    return folder


def choose(clone: Path, *path: Path) -> str:
    """Return the Python that a command in this folder takes."""
    line = f'. {SCRIPT}; echo "$python"'
    environment = {"PATH": ":".join(map(str, path))}
    answer = subprocess.run(
        ["/bin/sh", "-euc", line], cwd=clone, env=environment, capture_output=True, text=True, check=True
    )
    return answer.stdout.strip()


def test_python_that_made_the_environment_stays_whatever_the_path_says(tmp_path: Path) -> None:
    maker = add_python(tmp_path / "maker", WITH_PIP)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "pyvenv.cfg").write_text(f"home = {maker.parent}\nversion = 3.11.2\n")
    add_python(tmp_path / "first", WITH_PIP)
    tools = add_tools(tmp_path / "tools", uv=False)
    assert choose(tmp_path, tmp_path / "first", tools) == str(maker)


@pytest.mark.skipif(not is_new_enough(SYSTEM), reason="the system has no Python that is new enough")
@pytest.mark.parametrize("maker", [None, TOO_OLD], ids=["no environment", "one whose Python is too old"])
def test_python_of_the_system_comes_before_the_path(tmp_path: Path, maker: str | None) -> None:
    if maker:
        home = add_python(tmp_path / "maker", maker).parent
        (tmp_path / ".venv").mkdir()
        (tmp_path / ".venv" / "pyvenv.cfg").write_text(f"home = {home}\n")
    add_python(tmp_path / "first", WITH_PIP)
    tools = add_tools(tmp_path / "tools", uv=True)
    assert choose(tmp_path, tmp_path / "first", tools, SYSTEM.parent) == str(SYSTEM)


@pytest.mark.parametrize("uv", [False, True], ids=["pip", "uv"])
def test_python_without_pip_is_passed_over_where_pip_has_to_install(tmp_path: Path, uv: bool) -> None:
    maker = add_python(tmp_path / "maker", NEW_ENOUGH)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "pyvenv.cfg").write_text(f"home = {maker.parent}\n")
    add_python(tmp_path / "first", WITH_PIP)
    tools = add_tools(tmp_path / "tools", uv=uv)
    assert (choose(tmp_path, tmp_path / "first", tools) == str(maker)) is uv
