"""What `bin/test` does once its environment stands: all tests on SQLite, and beside it on PostgreSQL."""

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
# What needs no database, nor any of Django.
PURE = ["tests/rules", "tests/decks/importers", "tests/decks/matching", "tests/tournament/engine"]
# They run without the plugins that load Django.
PLUGINS = [
    "tests.fixtures.pure",
    "tests.fixtures.failures",
    *(f"no:{name}" for name in ("django", "schemathesis", "time_machine", "rerunfailures")),
]
WITHOUT_DJANGO = ["--noconftest", *(f"-p{name}" for name in PLUGINS)]
# Tests wait for pages, workers and disks: with three processes two cores idle for a quarter of the run.
PROCESSES = 4
# Where a failing test is shown at once, see tests/fixtures/failures.py; it is named again at the end.
FAILURES = "RINGSIDE_TEST_FAILURES"
SECONDS_TO_END = 30
NOTHING_TO_RUN = 5


def main(arguments: Sequence[str]) -> int:
    """Run both halves, or the one asked for; the code of the first that fails, or 0."""
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
    # A choice of tests of which PostgreSQL runs none leaves the second half empty.
    failed_codes = [code for code in codes if code not in (0, NOTHING_TO_RUN)]
    return failed_codes[0] if failed_codes else min(codes)


def both(options: Sequence[str]) -> list[int]:
    """Run the halves side by side and return their codes; each shows at once which of its tests fail."""
    with (
        tempfile.TemporaryFile() as output,
        started("postgres", options, stdout=output, stderr=output) as second,
    ):
        codes = [run("sqlite", [*spread(PROCESSES - 1), *options]), second.wait()]
        output.seek(0)
        announce("postgres")
        lines = output.read().decode(errors="replace").splitlines(keepends=True)
        # What has passed is told in a line, so that it pushes nothing out of sight that has failed.
        sys.stdout.writelines(lines if codes[1] else lines[-1:])
    return codes


def run(database: str, options: Sequence[str]) -> int:
    """Run pytest on one database and return its code."""
    announce(database)
    with started(database, options) as process:
        return process.wait()


@contextmanager
def started(database: str, options: Sequence[str], **streams: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start pytest on one database; it does not outlive what is done meanwhile."""
    shown_output = os.dup(sys.stdout.fileno())
    environment = {**os.environ, "RINGSIDE_TEST_DATABASE": database, FAILURES: str(shown_output)}
    # Where Python is told to keep nothing, every process of the suite compiles all of it again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    command = [sys.executable, "-m", "pytest", *options]
    process = subprocess.Popen(command, cwd=CLONE, env=environment, pass_fds=[shown_output], **streams)
    os.close(shown_output)
    try:
        yield process
    except KeyboardInterrupt:
        # It has heard that too, and ends its own processes in order.
        process.wait(SECONDS_TO_END)
        raise
    finally:
        process.kill()
        process.wait()


def announce(database: str) -> None:
    """Say which half comes now."""
    sys.stdout.write(f"== {DATABASES[database]}\n")
    sys.stdout.flush()


def spread(processes: int) -> list[str]:
    """Options that spread the tests over so many processes."""
    return ["-n", str(processes), "--dist", "worksteal"]


def says_how(options: Sequence[str]) -> bool:
    """Return whether the person says how many processes there are to be, or wants to look on."""
    return any(option in ("-s", "--pdb") or option.startswith(("-n", "--numprocesses")) for option in options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
