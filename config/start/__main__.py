"""`python -m config.start`: prepare the data, run Ringside, end it cleanly."""

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
from pathlib import Path
from types import FrameType

from config.start import addresses
from config.start.children import Child, end_all
from config.start.claim import Claim, Taken
from config.start.say import say

CLONE = Path(__file__).resolve().parents[2]
SECONDS_TO_ANSWER = 60.0
SECONDS_BETWEEN_LOOKS = 0.3


class Ended(Exception):
    """A signal asked Ringside to end."""


def arguments() -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        prog="bin/start", description="Start Ringside with its worker and its demo."
    )
    parser.add_argument("--host", default="0.0.0.0", help="address to listen on (all of them)")  # noqa: S104
    parser.add_argument("--port", type=int, help="port to listen on (8000, or the next free one)")
    parser.add_argument("--no-demo", action="store_true", help="do without the demo events")
    return parser.parse_args()


def main() -> int:
    """Run Ringside until it is told to end; 0 when it ended as told, 1 when it could not start."""
    options = arguments()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _end)
    folder = Path(os.environ.get("RINGSIDE_DATA_DIR", CLONE / "var")).expanduser().absolute()
    try:
        return _run(options, folder)
    except Taken as taken:
        say(f"Ringside already runs from this folder: {taken.url or 'it is just starting'}")
        return 0
    except OSError as error:
        say(f"Ringside cannot start: {error}.")
        return 1
    except Ended:
        return 0


def _end(number: int, frame: FrameType | None) -> None:
    # From now on once is enough; a second Ctrl-C must not interrupt the tidying up.
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    raise Ended


def _run(options: argparse.Namespace, folder: Path) -> int:
    claim = Claim(folder)
    try:
        with _door(options.host, options.port) as door:
            return _open_house(options, folder, claim, door)
    finally:
        claim.release()


def _door(host: str, port: int | None) -> socket.socket:
    try:
        return addresses.open_door(host, port)
    except OSError as error:
        requested_port = port or addresses.DEFAULT_PORT
        fix = "Name another one with --port, or none to take the next free one"
        raise OSError(f"port {requested_port} on {host} cannot be used ({error.strerror}). {fix}") from None


def _open_house(options: argparse.Namespace, folder: Path, claim: Claim, door: socket.socket) -> int:
    port = door.getsockname()[1]
    nearby = addresses.address_nearby() if addresses.is_open_to_phones(options.host) else None
    environment = _environment(nearby, port)
    demo = _prepare(environment, demo=not options.no_demo)
    if demo is None:
        return 1
    children = _children(environment, folder / "log", door)
    try:
        for child in children:
            child.start()
        if not _answers(port, children):
            say(f"The web server does not answer. The last lines of its log:\n{children[0].last_words()}")
            return 1
        claim.tell(f"http://localhost:{port}/")
        say(addresses.greeting(port, nearby, demo))
        _watch(children)
    finally:
        say("Ending …")
        end_all(children)
        say("Ended.")
    return 0


def _environment(nearby: str | None, port: int) -> dict[str, str]:
    environment = {"DJANGO_SETTINGS_MODULE": "config.settings", **os.environ, "PYTHONUNBUFFERED": "1"}
    environment.setdefault("RINGSIDE_HOSTS", ",".join(addresses.names_of_this_machine(nearby)))
    environment.setdefault("RINGSIDE_BASE_URL", f"http://{nearby or 'localhost'}:{port}")
    environment["PYTHONPATH"] = str(CLONE)
    return environment


def _prepare(environment: dict[str, str], *, demo: bool) -> list[str] | None:
    """What the demo says of itself; None when preparing failed (and said why)."""
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as output:
        options = [] if demo else ["--no-demo"]
        command = [sys.executable, "-m", "config.start.prepare", output.name, *options]
        if subprocess.run(command, env=environment, cwd=CLONE, check=False).returncode != 0:
            say("The data could not be prepared; what stands above says why.")
            return None
        return Path(output.name).read_text(encoding="utf-8").splitlines()


def _children(environment: dict[str, str], logs: Path, door: socket.socket) -> list[Child]:
    celery = [sys.executable, "-m", "celery", "-A", "config"]
    worker = [
        *celery,
        "worker",
        "--concurrency",
        environment.get("RINGSIDE_WORKERS", "2"),
        "--loglevel",
        "WARNING",
    ]
    quiet = ["--without-mingle", "--without-gossip", "--without-heartbeat"]
    web = [sys.executable, "-m", "config.serving.server", "--fd", str(door.fileno())]
    return [
        Child("web server", web, environment, logs / "web.log", door.fileno()),
        Child("worker", [*worker, *quiet], environment, logs / "worker.log"),
        Child("scheduler", [*celery, "beat", "--loglevel", "WARNING"], environment, logs / "scheduler.log"),
    ]


def _answers(port: int, children: list[Child]) -> bool:
    deadline = time.monotonic() + SECONDS_TO_ANSWER
    while time.monotonic() < deadline:
        if children[0].pid is None:
            return False
        try:
            asking = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS_TO_ANSWER)
            asking.request("GET", "/sign-in/")
            asking.getresponse().read()
            asking.close()
            return True
        except (OSError, http.client.HTTPException):
            time.sleep(SECONDS_BETWEEN_LOOKS)
    return False


def _watch(children: list[Child]) -> None:
    try:
        while True:
            time.sleep(SECONDS_BETWEEN_LOOKS)
            for child in children:
                child.look_after(say)
    except Ended:
        return


if __name__ == "__main__":
    sys.exit(main())
