"""`python -m config.start`: prepare the data, run and end the processes.

They are ended cleanly.
"""

from __future__ import annotations

import argparse
import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import FrameType

from config.env.private_files import keep_new_files_private
from config.start import addresses
from config.start.certificates import TlsCertificate, make_certificate
from config.start.disk_watch import DiskWatch
from config.start.folder_lock import FolderLock, FolderLockedError
from config.start.say import say
from config.start.supervisor import ManagedProcess, stop_all
from config.start.watchdog import Watchdog

CLONE = Path(__file__).resolve().parents[2]
SECONDS_TO_ANSWER = 60.0
POLL_SECONDS = 0.3
MAX_WORKERS = 64
WORKER_OPTIONS = ["--loglevel", "WARNING", "--without-mingle", "--without-gossip", "--without-heartbeat"]


class EndRequested(Exception):
    """A signal asked Ringside to end."""


def arguments() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="bin/start", description="Start Ringside with its worker and its demo."
    )
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on (default: all)")  # noqa: S104
    parser.add_argument("--port", type=int, help="port to listen on (default: 8000 or the next free one)")
    parser.add_argument("--https", action="store_true", help="serve https too, with own certificates")
    parser.add_argument("--https-port", type=int, help="port for https (default: 8443 or the next free one)")
    parser.add_argument("--no-demo", action="store_true", help="skip the demo events")
    return parser.parse_args()


def main() -> int:
    """Run until a signal arrives; return 0, or 1 when the start failed."""
    options = arguments()
    keep_new_files_private()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    folder = Path(os.environ.get("RINGSIDE_DATA_DIR", CLONE / "var")).expanduser().absolute()
    try:
        return _run(options, folder)
    except FolderLockedError as lock_error:
        say(f"Ringside is already running from this folder: {lock_error.url or 'it is just starting'}")
        return 0
    except (OSError, ValueError) as error:
        say(f"Ringside cannot start: {error}.")
        return 1
    except EndRequested:
        return 0


def _end(number: int, frame: FrameType | None) -> None:
    # A second Ctrl-C must not interrupt the cleanup.
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    raise EndRequested


def _run(arguments: argparse.Namespace, folder: Path) -> int:
    lock = FolderLock(folder)
    try:
        with ExitStack() as stack:
            listeners = [stack.enter_context(_open_port(arguments.host, arguments.port))]
            if arguments.https or arguments.https_port:
                secure = _open_port(arguments.host, arguments.https_port, addresses.DEFAULT_HTTPS_PORT)
                listeners.append(stack.enter_context(secure))
            return _run_until_ended(arguments, folder, lock, listeners)
    finally:
        lock.release()


def _open_port(host: str, port: int | None, default: int = addresses.DEFAULT_PORT) -> socket.socket:
    try:
        return addresses.open_port(host, port, default)
    except OSError as error:
        requested_port = port or default
        fix = "Choose another port with --port, or leave it out to use the next free one"
        raise OSError(f"port {requested_port} on {host} cannot be used ({error.strerror}). {fix}") from None


def _run_until_ended(
    arguments: argparse.Namespace, folder: Path, lock: FolderLock, listeners: Sequence[socket.socket]
) -> int:
    port, *secure_ports = [listener.getsockname()[1] for listener in listeners]
    nearby = addresses.local_address() if addresses.is_open_to_phones(arguments.host) else None
    environment = _environment(nearby, port)
    if secure_ports:
        environment["RINGSIDE_HTTPS_PORT"] = str(secure_ports[0])
    demo = _prepare(environment, demo=not arguments.no_demo)
    if demo is None:
        return 1
    processes = _managed_processes(environment, folder / "log", listeners[0])
    if secure_ports:
        certificate = make_certificate(folder, addresses.host_names(nearby))
        processes.append(_secure_web(environment, folder / "log", listeners[1], certificate))
    try:
        for process in processes:
            process.start()
        if not _answers(port, processes):
            say(f"The web server does not answer. The last lines of its log:\n{processes[0].log_tail()}")
            return 1
        lock.publish_url(f"http://localhost:{port}/")
        say(addresses.greeting(port, nearby, demo, *secure_ports))
        _watch(processes, DiskWatch(folder))
    finally:
        say("Stopping …")
        stop_all(processes)
        say("Stopped.")
    return 0


def _environment(nearby: str | None, port: int) -> dict[str, str]:
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", **os.environ, "PYTHONUNBUFFERED": "1"}
    environment.setdefault("RINGSIDE_HOSTS", ",".join(addresses.host_names(nearby)))
    environment.setdefault("RINGSIDE_BASE_URL", f"http://{nearby or 'localhost'}:{port}")
    environment["PYTHONPATH"] = str(CLONE)
    return environment


def _prepare(environment: dict[str, str], *, demo: bool) -> list[str] | None:
    """Prepare the data; return the lines about the demo, or None after a failure."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as output:
        options = [] if demo else ["--no-demo"]
        command = [sys.executable, "-m", "config.start.prepare", output.name, *options]
        if subprocess.run(command, env=environment, cwd=CLONE, check=False).returncode != 0:
            say("The data could not be prepared. The message above says why.")
            return None
        return Path(output.name).read_text(encoding="utf-8").splitlines()


def _managed_processes(
    environment: dict[str, str], logs: Path, listener: socket.socket
) -> list[ManagedProcess]:
    celery = [sys.executable, "-m", "celery", "-A", "config"]
    web = [sys.executable, "-m", "config.serving.server", "--fd", str(listener.fileno())]
    scheduler = [*celery, "beat", "--loglevel", "WARNING"]
    return [
        ManagedProcess("web server", web, environment, logs / "web.log", listener.fileno()),
        *(_worker(n, celery, environment, logs) for n in range(1, read_worker_count(environment) + 1)),
        ManagedProcess("scheduler", scheduler, environment, logs / "scheduler.log", watchdog=Watchdog()),
    ]


def _secure_web(
    environment: dict[str, str], logs: Path, listener: socket.socket, certificate: TlsCertificate
) -> ManagedProcess:
    """Return the web server for https, a process of its own beside that for http."""
    command = [sys.executable, "-m", "config.serving.server", "--fd", str(listener.fileno())]
    command += ["--certificate", str(certificate.certificate)]
    return ManagedProcess("https server", command, environment, logs / "https.log", listener.fileno())


def _worker(n: int, celery: list[str], environment: dict[str, str], logs: Path) -> ManagedProcess:
    """Return the n-th worker, which is a separate process.

    The end of one worker does not affect the others. The scheduler starts with them, and checks the machine.
    """
    command = [*celery, "--skip-checks", "worker", "--hostname", f"ringside-{n}@%h", *WORKER_OPTIONS]
    log = logs / f"worker-{n}.log"
    return ManagedProcess(f"worker {n}", command, environment, log, watchdog=Watchdog())


def read_worker_count(environment: Mapping[str, str]) -> int:
    """Return how many workers there are.

    Raises ValueError for what is not a number of them.
    """
    text = environment.get("RINGSIDE_WORKERS", "2").strip()
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= MAX_WORKERS):
        raise ValueError(f"RINGSIDE_WORKERS is {text!r}. Enter a number from 1 to {MAX_WORKERS}")
    return int(text)


def _answers(port: int, processes: list[ManagedProcess]) -> bool:
    deadline = time.monotonic() + SECONDS_TO_ANSWER
    while time.monotonic() < deadline:
        if processes[0].pid is None:
            return False
        try:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_ANSWER)
            connection.request("GET", "/sign-in/")
            connection.getresponse().read()
            connection.close()
            return True
        except (OSError, http.client.HTTPException):
            time.sleep(POLL_SECONDS)
    return False


def _watch(processes: list[ManagedProcess], disk: DiskWatch) -> None:
    try:
        while True:
            time.sleep(POLL_SECONDS)
            disk.monitor(say)
            for process in processes:
                process.monitor(say)
    except EndRequested:
        return


if __name__ == "__main__":
    sys.exit(main())
