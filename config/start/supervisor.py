"""Start, watch, restart and stop the web server, the workers and the scheduler."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from config.start.watchdog import Watchdog

TERM_SECONDS = 6.0
QUIT_SECONDS = 2.0
FIRST_PAUSE_SECONDS = 0.5
# However often a process ends, its work waits no longer than this for the next start.
MAX_PAUSE_SECONDS = 3.0
HEALTHY_SECONDS = 10.0
FAILURES_BETWEEN_LOG_TAILS = 20
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
        *,
        watchdog: Watchdog | None = None,
    ) -> None:
        self.name = name
        self._command = list(command)
        self.watchdog = watchdog
        self._environment = {**environment, **(watchdog.environment if watchdog else {})}
        self._log = log
        self._fds = () if fd is None else (fd,)
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._failures = 0
        self._start_again_at = 0.0

    def start(self) -> None:
        """Start the process in a separate session.

        This way Ctrl-C does not reach it directly.
        """
        _rotate_log(self._log)
        if self.watchdog is not None:
            self.watchdog.begin()
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

    @property
    def has_ended(self) -> bool:
        """Whether its end is known and it waits for its next start."""
        return self._process is None

    def monitor(self, say: Callable[[str], None]) -> None:
        """Restart the process when it has ended; end it when its watchdog finds a fault.

        A process that ran well for a while is started again at once, any other after a short pause.
        """
        if self.pid is not None:
            self._end_if_broken(say)
            return
        if self._process is not None:
            self._note_end(self._process.returncode, say)
            self._process = None
        if time.monotonic() >= self._start_again_at:
            self._start_again(say)

    def _end_if_broken(self, say: Callable[[str], None]) -> None:
        fault = self.watchdog.fault() if self.watchdog is not None else ""
        if fault:
            say(f"The {self.name} {fault} and is stopped.")
            self.kill_group()

    def _note_end(self, code: int, say: Callable[[str], None]) -> None:
        now = time.monotonic()
        self._failures = 0 if now - self._started_at > HEALTHY_SECONDS else self._failures + 1
        pause = min(FIRST_PAUSE_SECONDS * 2.0 ** (self._failures - 1), MAX_PAUSE_SECONDS)
        self._start_again_at = now + (pause if self._failures else 0.0)
        say(f"The {self.name} {_exit_reason(code)} and is restarted.")
        if self._failures % FAILURES_BETWEEN_LOG_TAILS == 3:
            say(
                f"The {self.name} keeps stopping. It is restarted every {MAX_PAUSE_SECONDS:.0f} s. "
                f"The last lines of {self._log}:\n{self.log_tail()}"
            )

    def _start_again(self, say: Callable[[str], None]) -> None:
        try:
            self.start()
        except OSError as error:
            # The others continue; a full disk or process table may have room again.
            say(f"The {self.name} cannot be started ({error}). Ringside tries again.")
            self._start_again_at = time.monotonic() + MAX_PAUSE_SECONDS

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

    def close(self) -> None:
        """Kill what is left of the process, and give its watchdog back."""
        self.kill_group()
        if self.watchdog is not None:
            self.watchdog.close()


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
        process.close()
