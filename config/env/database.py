"""From DATABASE_URL to Django's settings.

The database is PostgreSQL, or SQLite set up to take many writers.
"""

from __future__ import annotations

from pathlib import Path

import dj_database_url
from dj_database_url import DBConfig

from config.env.errors import SettingProblem

SQLITE = "django.db.backends.sqlite3"
POSTGRESQL = "django.db.backends.postgresql"
SHAPES = "postgresql://user:password@host:5432/name or sqlite:////absolute/path/ringside.sqlite3"

# Without IMMEDIATE a transaction that reads first cannot become a writer while another one writes: SQLite
# refuses it at once, whatever the timeout. With it, writers queue up for as long as the timeout says. FULL
# puts each commit on the disk before it is acknowledged: with NORMAL a power cut may take the last ones. It
# costs half a millisecond a commit where entering a result takes twenty.
SQLITE_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;",
}


# To open the file and set it up takes longer than most pages ask of it.
SQLITE_KEEP_SECONDS = 600


def sqlite_settings(path: Path) -> DBConfig:
    """Return Django's settings for the SQLite file at `path`."""
    options = dict(SQLITE_OPTIONS)
    return {"ENGINE": SQLITE, "NAME": str(path), "OPTIONS": options, "CONN_MAX_AGE": SQLITE_KEEP_SECONDS}


def parse(
    url: str | None, *, default: Path, keep_seconds: int = 0, pool: bool = False
) -> tuple[DBConfig, list[SettingProblem]]:
    """Return settings of the database named by `url`.

    Without a URL, the database is the SQLite file `default`. `keep_seconds` is how long a PostgreSQL
    connection may be used again, `pool` whether psycopg pools them. Returns the settings and what is wrong;
    with a fault, the settings are those of the default.
    """
    if not url:
        return sqlite_settings(default), []
    try:
        values = dj_database_url.parse(url, conn_max_age=keep_seconds, conn_health_checks=keep_seconds > 0)
    except ValueError as error:
        return sqlite_settings(default), [_unreadable(str(error))]
    return _finish(values, default, pool)


def _finish(values: DBConfig, default: Path, pool: bool) -> tuple[DBConfig, list[SettingProblem]]:
    if not values["NAME"] or values["ENGINE"] not in (SQLITE, POSTGRESQL):
        reason = "it names no database" if not values["NAME"] else f"{values['ENGINE']} is not supported"
        return sqlite_settings(default), [_unreadable(reason)]
    if values["ENGINE"] == SQLITE:
        return sqlite_settings(Path(values["NAME"])), []
    if pool:
        values["OPTIONS"] = {**values.get("OPTIONS", {}), "pool": True}
        values["CONN_MAX_AGE"] = 0
    return values, []


def _unreadable(reason: str) -> SettingProblem:
    return SettingProblem(
        "database-url",
        f"DATABASE_URL cannot be used: {reason.rstrip('.')}.",
        f"Write it as {SHAPES}, or unset it to keep the data in SQLite.",
    )
