"""What `bin/test` does once its environment stands: the whole suite on SQLite, then on PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

CLONE = Path(__file__).resolve().parent.parent
PROCESSES = "2"
DATABASES = {
    "sqlite": "SQLite, with style, arrows and types",
    "postgres": "PostgreSQL, what can reach a database",
}
NOTHING_TO_RUN = 5


def main(arguments: Sequence[str]) -> int:
    """Run both halves, or the one asked for; the code of the first that fails, or 0."""
    asked = [name for name in DATABASES if f"--{name}" in arguments] or list(DATABASES)
    options = [argument for argument in arguments if argument.removeprefix("--") not in DATABASES]
    codes = [run(database, options) for database in asked]
    # A choice of tests none of which reaches a database leaves the second half empty.
    failed = [code for code in codes if code not in (0, NOTHING_TO_RUN)]
    return failed[0] if failed else min(codes)


def run(database: str, options: Sequence[str]) -> int:
    """Run pytest on one database and return its code."""
    sys.stdout.write(f"== {DATABASES[database]}\n")
    sys.stdout.flush()
    command = [sys.executable, "-m", "pytest", *spread(options), *options]
    environment = {**os.environ, "RINGSIDE_TEST_DATABASE": database}
    # Where Python is told to keep nothing, every process of the suite compiles all of it again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return subprocess.run(command, cwd=CLONE, env=environment, check=False).returncode


def spread(options: Sequence[str]) -> list[str]:
    """Options that spread the tests over two processes, unless the person says how."""
    if any(option in ("-s", "--pdb") or option.startswith(("-n", "--numprocesses")) for option in options):
        return []
    return ["-n", PROCESSES, "--dist", "worksteal"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
