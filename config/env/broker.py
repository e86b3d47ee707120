"""From CELERY_BROKER_URL to Celery's transport settings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from config.env.errors import SettingProblem

SERVERS = ("redis", "rediss", "redis+socket", "amqp", "amqps", "pyamqp")
VISIBLE_AFTER_SECONDS = 900


def parse(url: str | None, *, folder: Path) -> tuple[dict[str, object], list[SettingProblem]]:
    """Return Celery's settings for `url`.

    Without `url`, messages are transported as files in `folder`.

    Returns the settings and what is wrong; with a fault, messages travel as files.
    """
    scheme = urlsplit(url).scheme if url else "filesystem"
    if scheme == "filesystem":
        return _files(folder), []
    if scheme not in SERVERS:
        return _files(folder), [_report_unknown(scheme)]
    if not scheme.startswith("redis"):
        return {"CELERY_BROKER_URL": url, "CELERY_BROKER_TRANSPORT_OPTIONS": {}}, []
    options = {"visibility_timeout": VISIBLE_AFTER_SECONDS, "socket_connect_timeout": 2}
    return {"CELERY_BROKER_URL": url, "CELERY_BROKER_TRANSPORT_OPTIONS": options}, []


def make_folders(transport_options: Mapping[str, object]) -> None:
    """Make the folders for messages that are transported as files, if they are.

    Raises OSError if that fails.
    """
    for option in ("data_folder_in", "control_folder"):
        if option in transport_options:
            Path(str(transport_options[option])).mkdir(parents=True, exist_ok=True)


def _files(folder: Path) -> dict[str, object]:
    messages = str(folder / "messages")
    return {
        "CELERY_BROKER_URL": "filesystem://",
        "CELERY_BROKER_TRANSPORT_OPTIONS": {
            # One folder for both directions: what one process puts in, another takes out.
            "data_folder_in": messages,
            "data_folder_out": messages,
            "control_folder": str(folder / "control"),
            "store_processed": False,
            # The default of one second would delay a user who waits for a printout.
            "polling_interval": 0.1,
        },
    }


def _report_unknown(scheme: str) -> SettingProblem:
    return SettingProblem(
        "broker-url",
        f"CELERY_BROKER_URL begins with {scheme or 'nothing'!r}, which Ringside does not support.",
        "Use redis://host:6379/0 or amqp://user:password@host:5672//, or unset it to pass messages as files.",
    )
