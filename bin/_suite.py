"""What `bin/test` does once its environment stands; each step must hold before the next begins."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

CLONE = Path(__file__).resolve().parent.parent
TOOLS = CLONE / ".venv" / "bin"
LOOKS = {
    "style": [TOOLS / "ruff", "check", "."],
    "format": [TOOLS / "ruff", "format", "--check", "."],
    "arrows": [TOOLS / "lint-imports"],
    "types": [TOOLS / "mypy"],
}
PROCESSES = "2"
DATABASES = {"sqlite": "SQLite", "postgres": "PostgreSQL, without those that need no database"}


def main(arguments: Sequence[str]) -> int:
    """Run the steps; the code of the first one that fails, or 0."""
    databases = [name for name in DATABASES if f"--{name}" in arguments] or list(DATABASES)
    options = [argument for argument in arguments if argument.removeprefix("--") not in DATABASES]
    for name, command in LOOKS.items():
        say(f"== {name}")
        code = run([str(part) for part in command])
        if code:
            return code
    for database in databases:
        say(f"== tests on {DATABASES[database]}")
        code = run(
            [sys.executable, "-m", "pytest", *spread(options), *options], RINGSIDE_TEST_DATABASE=database
        )
        if code:
            return code
    return 0


def spread(options: Sequence[str]) -> list[str]:
    """Options that spread the tests over two processes, unless the person says how."""
    if any(
        option in ("-n", "-s", "--pdb") or option.startswith(("-n", "--numprocesses")) for option in options
    ):
        return []
    return ["-n", PROCESSES, "--dist", "worksteal"]


def run(command: Sequence[str], **environment: str) -> int:
    """Run a command here and return its code."""
    began = time.monotonic()
    code = subprocess.run(command, cwd=CLONE, env={**os.environ, **environment}, check=False).returncode
    if "pytest" not in command:
        say(f"   {time.monotonic() - began:.0f} s")
    return code


def say(words: str) -> None:
    """Print a line at once, before what comes after it."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
