"""Resources of the machine that tests need.

These are a temporary folder and, on request, a PostgreSQL server.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = "RINGSIDE_TEST_FOLDER"
DATABASE = "RINGSIDE_TEST_DATABASE"
FOREIGN = ("RINGSIDE_", "CELERY_", "EMAIL_", "DATABASE_URL")
BROWSER = "RINGSIDE_TEST_BROWSER"
DAYS = "RINGSIDE_TEST_DAYS"
WHOLE = "RINGSIDE_TEST_WHOLE"
GAMES = "RINGSIDE_TEST_GAMES"
FAILURES = "RINGSIDE_TEST_FAILURES"
PROCESS = "RINGSIDE_TEST_PROCESS"
URL = "RINGSIDE_TEST_DATABASE_URL"
KEPT = (FOLDER, DATABASE, BROWSER, DAYS, WHOLE, GAMES, FAILURES, PROCESS, URL, "RINGSIDE_REAL_DATA")


def prepare() -> None:
    """Prepare the folder and the database for this run.

    The configuration of the machine is ignored. Processes started by this one find both in the environment.
    """
    for name in [name for name in os.environ if name.startswith(FOREIGN) and name not in KEPT]:
        del os.environ[name]
    if FOLDER not in os.environ:
        _make_folder()
    if os.environ.get(DATABASE, "sqlite") == "postgres":
        os.environ["DATABASE_URL"] = _server_url()
    if GAMES in os.environ:
        os.environ["RINGSIDE_GAMES_DIR"] = os.environ[GAMES]
    os.environ["RINGSIDE_DATA_DIR"] = str(folder() / "data")
    (folder() / "data" / "static").mkdir(parents=True, exist_ok=True)
    os.environ["RINGSIDE_SECRET_KEY"] = "only for tests, and long enough to be accepted by the settings"
    os.environ["RINGSIDE_LOG_LEVEL"] = "WARNING"


def folder() -> Path:
    """Return the folder of this run; it is deleted afterwards."""
    return Path(os.environ[FOLDER])


def on_sqlite() -> bool:
    """Return whether this run uses SQLite."""
    return "DATABASE_URL" not in os.environ


@contextmanager
def one_at_a_time(name: str) -> Iterator[None]:
    """Hold a lock against the other processes of this run."""
    with (folder() / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def whole() -> bool:
    """Return whether this is the whole run.

    It covers all of PostgreSQL, more pages and more examples.
    """
    return os.environ.get(WHOLE, "") not in ("", "0")


def examples(everyday: int) -> int:
    """Return the number of random examples of a test.

    In the whole run there are ten times as many. On PostgreSQL there are half as many every day.
    """
    if whole():
        return 10 * everyday
    return everyday if on_sqlite() else max(1, everyday // 2)


def _make_folder() -> None:
    folder = tempfile.mkdtemp(prefix="ringside-tests-")
    os.environ[FOLDER] = folder
    maker = os.getpid()

    def remove() -> None:
        if os.getpid() == maker:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)


def _server_url() -> str:
    """Return the address of the PostgreSQL server.

    The first process of the run starts the server and stops it at its end.
    """
    if URL not in os.environ:
        from tests.postgres import start

        os.environ[URL] = start(folder() / "postgres")
    return os.environ[URL]


def real_data() -> Path | None:
    """Return the folder named by RINGSIDE_REAL_DATA, or None when it names none."""
    data_folder = os.environ.get("RINGSIDE_REAL_DATA", "")
    return Path(data_folder) if data_folder and Path(data_folder).is_dir() else None
