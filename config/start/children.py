"""The process tree: web server, worker and scheduler, started, watched, started again, and ended together."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

SECONDS_TO_END = 6.0
SECONDS_TO_END_AT_ONCE = 2.0
LONGEST_PAUSE = 30.0
SECONDS_OF_HEALTH = 60.0
LINES_OF_LOG = 8
LARGEST_LOG = 5_000_000
PR_SET_PDEATHSIG = 1


class Child:
    """One process of Ringside, with its log in a file."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        environment: Mapping[str, str],
        log: Path,
        fd: int | None = None,
    ) -> None:
        self.name = name
        self._command = list(command)
        self._environment = dict(environment)
        self._log = log
        self._fds = () if fd is None else (fd,)
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._failures = 0
        self._start_again_at = 0.0

    def start(self) -> None:
        """Start the process, in a session of its own: Ctrl-C must reach it through us alone."""
        _make_room(self._log)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=self._fds,
                start_new_session=True,
                preexec_fn=_end_with_the_parent,
            )
        self._started_at = time.monotonic()

    @property
    def pid(self) -> int | None:
        """Its process id while it runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def look_after(self, say: Callable[[str], None]) -> None:
        """Start it again when it has died, after a pause that grows with each failure."""
        if self.pid is not None:
            return
        now = time.monotonic()
        if self._process is not None:
            self._failures = 1 if now - self._started_at > SECONDS_OF_HEALTH else self._failures + 1
            pause = min(2.0 ** (self._failures - 1), LONGEST_PAUSE)
            self._start_again_at = now + pause
            ended = _how_it_ended(self._process.returncode)
            say(f"The {self.name} {ended}; starting it again in {pause:.0f} s.")
            if self._failures == 3:
                say(f"It keeps ending. The last lines of {self._log}:\n{self.last_words()}")
            self._process = None
        if now >= self._start_again_at:
            self.start()

    def last_words(self) -> str:
        """The end of its log, indented."""
        lines = self._log.read_text(errors="replace").splitlines() if self._log.exists() else []
        return "\n".join(f"    {line}" for line in lines[-LINES_OF_LOG:])

    def tell(self, number: int) -> None:
        """Send a signal to its main process; its helpers are its own affair."""
        if self.pid is not None:
            os.kill(self.pid, number)

    def wait(self, seconds: float) -> bool:
        """Wait for its end; whether it came in time."""
        if self._process is None:
            return True
        try:
            self._process.wait(max(seconds, 0))
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill_family(self) -> None:
        """Kill whatever is left of it and of its helpers."""
        if self._process is not None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                return
            self._process.wait()


def _make_room(log: Path) -> None:
    """Set a log that has grown large aside; the one set aside before it goes."""
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.exists() and log.stat().st_size > LARGEST_LOG:
        log.replace(log.with_suffix(".old.log"))


def _end_with_the_parent() -> None:
    # Should this process be killed without a chance to end its children, the kernel ends them.
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    except (OSError, AttributeError):
        return


def _how_it_ended(code: int) -> str:
    return f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"


def end_all(children: Sequence[Child]) -> None:
    """End all: asked first, asked urgently after six seconds, killed after two more."""
    for number, seconds in ((signal.SIGTERM, SECONDS_TO_END), (signal.SIGQUIT, SECONDS_TO_END_AT_ONCE)):
        for child in children:
            child.tell(number)
        deadline = time.monotonic() + seconds
        if all(child.wait(deadline - time.monotonic()) for child in children):
            break
    for child in children:
        child.kill_family()
