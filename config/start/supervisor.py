"""Start, watch, restart and stop the web server, the worker and the scheduler."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

TERM_SECONDS = 6.0
QUIT_SECONDS = 2.0
MAX_PAUSE_SECONDS = 30.0
HEALTHY_SECONDS = 60.0
LOG_TAIL_LINES = 8
MAX_LOG_BYTES = 5_000_000
PR_SET_PDEATHSIG = 1


class ManagedProcess:
    """A child process with its log file."""

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
        """Start the process in its own session, so that Ctrl-C does not reach it directly."""
        _rotate_log(self._log)
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                env=self._environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=self._fds,
                start_new_session=True,
                preexec_fn=_end_with_parent,
            )
        self._started_at = time.monotonic()

    @property
    def pid(self) -> int | None:
        """Process id while it runs, else None."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    def monitor(self, say: Callable[[str], None]) -> None:
        """Restart the process when it has ended, after a pause that grows with each failure."""
        if self.pid is not None:
            return
        now = time.monotonic()
        if self._process is not None:
            self._failures = 1 if now - self._started_at > HEALTHY_SECONDS else self._failures + 1
            pause = min(2.0 ** (self._failures - 1), MAX_PAUSE_SECONDS)
            self._start_again_at = now + pause
            ended = _exit_reason(self._process.returncode)
            say(f"The {self.name} {ended}; starting it again in {pause:.0f} s.")
            if self._failures == 3:
                say(f"It keeps ending. The last lines of {self._log}:\n{self.log_tail()}")
            self._process = None
        if now >= self._start_again_at:
            self.start()

    def log_tail(self) -> str:
        """Return the last lines of the log, indented."""
        lines = self._log.read_text(errors="replace").splitlines() if self._log.exists() else []
        return "\n".join(f"    {line}" for line in lines[-LOG_TAIL_LINES:])

    def send_signal(self, number: int) -> None:
        """Send a signal to the process, but not to its children."""
        if self.pid is not None:
            os.kill(self.pid, number)

    def wait(self, seconds: float) -> bool:
        """Wait for the end; return whether it came in time."""
        if self._process is None:
            return True
        try:
            self._process.wait(max(seconds, 0))
        except subprocess.TimeoutExpired:
            return False
        return True

    def kill_group(self) -> None:
        """Kill the process and its children."""
        if self._process is not None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except ProcessLookupError:
                return
            self._process.wait()


def _rotate_log(log: Path) -> None:
    """Rename a large log, replacing the one renamed before."""
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.exists() and log.stat().st_size > MAX_LOG_BYTES:
        log.replace(log.with_suffix(".old.log"))


def _end_with_parent() -> None:
    # If this process is killed, the kernel ends its children.
    try:
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    except (OSError, AttributeError):
        return


def _exit_reason(code: int) -> str:
    return f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"


def stop_all(processes: Sequence[ManagedProcess]) -> None:
    """Stop all: SIGTERM, SIGQUIT after six seconds, SIGKILL after two more."""
    for number, seconds in ((signal.SIGTERM, TERM_SECONDS), (signal.SIGQUIT, QUIT_SECONDS)):
        for process in processes:
            process.send_signal(number)
        deadline = time.monotonic() + seconds
        if all(process.wait(deadline - time.monotonic()) for process in processes):
            break
    for process in processes:
        process.kill_group()
