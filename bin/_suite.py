"""The part of `bin/test` that runs once its environment is ready: all tests on SQLite, some on PostgreSQL."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CLONE = Path(__file__).resolve().parent.parent
DATABASES = {
    "sqlite": "SQLite, with style, arrows and types",
    "postgres": "PostgreSQL, every test marked both_databases or postgres",
}
# Folders whose tests need neither a database nor Django.
PURE = ["tests/rules", "tests/decks/importers", "tests/decks/matching", "tests/tournament/engine"]
# These tests run without the plugins that load Django.
PLUGINS = [
    "tests.fixtures.pure",
    "tests.fixtures.failures",
    *(f"no:{name}" for name in ("django", "schemathesis", "time_machine", "rerunfailures")),
]
WITHOUT_DJANGO = ["--noconftest", *(f"-p{name}" for name in PLUGINS)]
# Tests wait for pages, workers and disks: with three processes, two cores idle for a quarter of the run.
PROCESSES = 4
# Failing tests are shown here at once, see tests/fixtures/failures.py; they are named again at the end.
FAILURES = "RINGSIDE_TEST_FAILURES"
SECONDS_TO_END = 30
NOTHING_TO_RUN = 5


def main(arguments: Sequence[str]) -> int:
    """Run both halves, or the requested one; return the code of the first that fails, or 0."""
    databases = [name for name in DATABASES if f"--{name}" in arguments] or list(DATABASES)
    options = [argument for argument in arguments if argument.removeprefix("--") not in (*DATABASES, "pure")]
    if "--pure" in arguments:
        databases, options = ["sqlite"], [*options, *WITHOUT_DJANGO, *PURE]
    if says_how(options):
        codes = [run(database, options) for database in databases]
    elif len(databases) == 1:
        processes = PROCESSES // 2 if "--pure" in arguments else PROCESSES
        codes = [run(databases[0], [*spread(processes), *options])]
    else:
        codes = both(options)
    # The second half is empty if PostgreSQL runs none of the selected tests.
    failed_codes = [code for code in codes if code not in (0, NOTHING_TO_RUN)]
    return failed_codes[0] if failed_codes else min(codes)


def both(options: Sequence[str]) -> list[int]:
    """Run the halves side by side and return their codes; each shows its failing tests at once."""
    with (
        tempfile.TemporaryFile() as output,
        started("postgres", options, stdout=output, stderr=output) as second,
    ):
        codes = [run("sqlite", [*spread(PROCESSES - 1), *options]), second.wait()]
        output.seek(0)
        announce("postgres")
        lines = output.read().decode(errors="replace").splitlines(keepends=True)
        # Passed tests take one line, so that failures stay in sight.
        sys.stdout.writelines(lines if codes[1] else lines[-1:])
    return codes


def run(database: str, options: Sequence[str]) -> int:
    """Run pytest on one database and return its code."""
    announce(database)
    with started(database, options) as process:
        return process.wait()


@contextmanager
def started(database: str, options: Sequence[str], **streams: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start pytest on one database; it ends with the `with` block."""
    shown_output = os.dup(sys.stdout.fileno())
    environment = {**os.environ, "RINGSIDE_TEST_DATABASE": database, FAILURES: str(shown_output)}
    # Without cached bytecode, every process of the suite would compile all modules again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "pytest", *options]
    process = subprocess.Popen(command, cwd=CLONE, env=environment, pass_fds=[shown_output], **streams)
    os.close(shown_output)
    try:
        yield process
    except KeyboardInterrupt:
        # It has received the signal too, and ends its own processes in order.
        process.wait(SECONDS_TO_END)
        raise
    finally:
        process.kill()
        process.wait()


def announce(database: str) -> None:
    """Print the heading of a half."""
    sys.stdout.write(f"== {DATABASES[database]}\n")
    sys.stdout.flush()


def spread(processes: int) -> list[str]:
    """Return options that spread the tests over a number of processes."""
    return ["-n", str(processes), "--dist", "worksteal"]


def says_how(options: Sequence[str]) -> bool:
    """Return whether the options set the number of processes, or ask for direct output."""
    return any(option in ("-s", "--pdb") or option.startswith(("-n", "--numprocesses")) for option in options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
