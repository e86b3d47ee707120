"""The part of `bin/test` that runs once its environment is ready.

It runs those that need no Django without it, all others on SQLite, and some on PostgreSQL.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

CLONE = Path(__file__).resolve().parent.parent


class Half(NamedTuple):
    """Tests that one call of pytest runs.

    It has the heading, the database and the number of processes.
    """

    heading: str
    database: str
    processes: int
    options: tuple[str, ...] = ()


# Tests of these folders need neither a database nor Django, nor the plugins that load it.
PURE_FOLDERS = {
    "engine": ("tests/tournament/engine", "tests/decks/matching"),
    "rules": ("tests/rules", "tests/decks/importers"),
}
WITHOUT_DJANGO = (
    "--noconftest",
    *(f"-ptests.fixtures.{name}" for name in ("call_stack", "failures", "processes", "pure")),
    *(f"-pno:{name}" for name in ("django", "logging", "schemathesis", "time_machine", "rerunfailures")),
)
# Each in one process: `--pure` runs them side by side, on both cores.
PURE_HALVES = {
    "engine": Half("Engine and matching", "sqlite", 0, (*PURE_FOLDERS["engine"], *WITHOUT_DJANGO)),
    "rules": Half("Rules and importers", "sqlite", 0, (*PURE_FOLDERS["rules"], *WITHOUT_DJANGO)),
}
# Tests wait for pages, workers and disks: with three processes, two cores idle for a quarter of the run.
PROCESSES = 4
# On SQLite, only the whole run sends random requests.
IS_WHOLE = os.environ.get("RINGSIDE_TEST_WHOLE", "") not in ("", "0")
WITHOUT_REQUESTS = () if IS_WHOLE else ("-pno:schemathesis",)
HALVES = {
    "sqlite": Half("SQLite, with style, arrows and types", "sqlite", PROCESSES - 1, WITHOUT_REQUESTS),
    "postgres": Half("PostgreSQL, every test that is marked for it", "postgres", 0),
}
WITHOUT_PURE = tuple(f"--ignore={folder}" for folders in PURE_FOLDERS.values() for folder in folders)
# Failing tests are shown here at once, see tests/fixtures/failures.py; they are named again at the end.
FAILURES = "RINGSIDE_TEST_FAILURES"
SECONDS_TO_END = 30
NOTHING_TO_RUN = 5
# In memory, tests do not wait for the disk; a small part of it (as in a container) could be filled.
MEMORY = Path("/dev", "shm")
BYTES_OF_A_RUN = 2 * 1024**3


def main(arguments: Sequence[str]) -> int:
    """Run both halves, or the requested one.

    Returns the code of the first that fails, or 0.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    # The address of a socket has at most 107 characters.
    with tempfile.TemporaryDirectory(prefix="t", dir=roomy_memory()) as folder:
        os.environ["TMPDIR"] = folder
        return run_halves(arguments)


def roomy_memory() -> Path | None:
    """Return the memory folder with room for the files of a run.

    Returns None if the usual folder is to be used.
    """
    if not os.access(MEMORY, os.W_OK) or shutil.disk_usage(MEMORY).free < BYTES_OF_A_RUN:
        return None
    # Some tests start programs that they write.
    return None if os.statvfs(MEMORY).f_flag & os.ST_NOEXEC else MEMORY


def run_halves(arguments: Sequence[str]) -> int:
    """Run what the arguments name.

    Returns the code of the first half that fails, or 0.
    """
    all_halves = PURE_HALVES if "--pure" in arguments else HALVES
    halves = [half for name, half in all_halves.items() if f"--{name}" in arguments]
    options = [each for each in arguments if each.removeprefix("--") not in (*HALVES, "pure")]
    if says_how(options):
        codes = [run(half._replace(processes=0), options) for half in halves or all_halves.values()]
    elif len(halves) == 1:
        codes = [run(halves[0]._replace(processes=PROCESSES), options)]
    elif all_halves is PURE_HALVES:
        codes = side_by_side([PURE_HALVES["engine"]], PURE_HALVES["rules"], options)
    elif names_tests(options):
        codes = side_by_side([HALVES["sqlite"]], HALVES["postgres"], options)
    else:
        others = HALVES["sqlite"]._replace(options=(*HALVES["sqlite"].options, *WITHOUT_PURE))
        codes = side_by_side([*PURE_HALVES.values(), others], HALVES["postgres"], options)
    # A half is empty if none of the selected tests is in it.
    failed_codes = [code for code in codes if code not in (0, NOTHING_TO_RUN)]
    return failed_codes[0] if failed_codes else min(codes)


def side_by_side(halves: Sequence[Half], beside: Half, options: Sequence[str]) -> list[int]:
    """Run halves in turn, another beside them, and return their codes.

    Each shows its failing tests at once.
    """
    with (
        tempfile.TemporaryFile() as output,
        run_pytest(beside, options, stdout=output, stderr=output) as process,
    ):
        codes = [*(run(half, options) for half in halves), process.wait()]
        output.seek(0)
        announce(beside)
        lines = output.read().decode(errors="replace").splitlines(keepends=True)
        # Passed tests take one line, so that failures stay in sight.
        sys.stdout.writelines(lines if codes[-1] else lines[-1:])
    return codes


def run(half: Half, options: Sequence[str]) -> int:
    """Run pytest on one half and return its code."""
    announce(half)
    with run_pytest(half, options) as process:
        return process.wait()


@contextmanager
def run_pytest(half: Half, options: Sequence[str], **streams: Any) -> Iterator[subprocess.Popen[bytes]]:
    """Start pytest on one half; it ends with the `with` block."""
    shown_output = os.dup(sys.stdout.fileno())
    environment = {**os.environ, "RINGSIDE_TEST_DATABASE": half.database, FAILURES: str(shown_output)}
    # Without cached bytecode, every process of the suite would compile all modules again.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    folder = tempfile.mkdtemp(prefix="")
    command = [sys.executable, "-m", "pytest", f"--basetemp={folder}", *spread(half.processes)]
    process = subprocess.Popen(
        [*command, *half.options, *options], cwd=CLONE, env=environment, pass_fds=[shown_output], **streams
    )
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


def announce(half: Half) -> None:
    """Print the heading of a half."""
    sys.stdout.write(f"== {half.heading}\n")
    sys.stdout.flush()


def spread(processes: int) -> list[str]:
    """Return options that spread the tests over a number of processes.

    Without options, the tests stay in the one process.
    """
    return [f"--processes={processes}"] if processes else []


def says_how(options: Sequence[str]) -> bool:
    """Return whether options set the number of processes or ask for direct output."""
    return any(option in ("-s", "--pdb") or option.startswith("--processes") for option in options)


def names_tests(options: Sequence[str]) -> bool:
    """Return whether options name files, folders or single tests."""
    return any(Path(CLONE, option.partition("::")[0]).exists() for option in options)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
