"""Checks of the machine and of declarations, each with a stable id and a fix."""

from __future__ import annotations

import os
from collections.abc import Sequence
from ctypes import CDLL
from ctypes.util import find_library
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, Warning, register
from kombu import Connection
from kombu.exceptions import OperationalError

from tournament.registration.player_csv import list_taken_names
from tournament.shared.fonts import find_scripts_without_font, list_packages

PAPER_LIBRARIES = {"pangoft2-1.0": "libpangoft2-1.0-0", "harfbuzz-subset": "libharfbuzz-subset0"}


def writable(folder: Path) -> bool:
    """Return whether this user may write in `folder`, or make it."""
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    return folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)


@register(Tags.files)
def data_folder_is_writable(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Check that the data folder is writable (ringside.E001).

    The folder of a SQLite file is checked as well.
    """
    folders = {Path(settings.DATA_DIR)}
    database = settings.DATABASES["default"]
    name = str(database["NAME"])
    if str(database["ENGINE"]).endswith("sqlite3") and "mode=memory" not in name:
        folders.add(Path(name).parent)
    return [
        Error(
            f"The folder {folder} cannot be written by this user.",
            hint="Give this user the folder, or name another one with RINGSIDE_DATA_DIR (or DATABASE_URL).",
            id="ringside.E001",
        )
        for folder in sorted(folders)
        if not writable(folder)
    ]


@register(Tags.compatibility)
def paper_libraries_are_there(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Check for the libraries that WeasyPrint needs for PDF files (ringside.W001)."""
    packages = [package for library, package in PAPER_LIBRARIES.items() if not can_load(library)]
    if not packages:
        return []
    return [
        Warning(
            "PDF sheets cannot be made (or only slowly) without the system's text libraries.",
            hint=f"sudo apt-get install {' '.join(packages)}   Until then print pages from the browser.",
            id="ringside.W001",
        )
    ]


@register(Tags.compatibility)
def fonts_are_there(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Check for fonts of the scripts that names are written in (ringside.W004)."""
    if not all(map(can_load, PAPER_LIBRARIES)):
        return []
    scripts = find_scripts_without_font()
    if not scripts:
        return []
    return [
        Warning(
            f"Printouts show boxes for letters of: {', '.join(script.name for script in scripts)}.",
            hint=f"sudo apt-get install {' '.join(list_packages(scripts))}   Then start Ringside again.",
            id="ringside.W004",
        )
    ]


def can_load(library: str) -> bool:
    """Return whether the library can be loaded.

    One that is listed may be broken, or lack another that it needs.
    """
    try:
        CDLL(find_library(library) or f"lib{library}.so.0")
    except OSError:
        return False
    return True


@register("broker", deploy=True)
def broker_answers(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Check that the message broker is reachable (ringside.W002).

    Otherwise jobs wait for the sweep.
    """
    url = settings.CELERY_BROKER_URL
    try:
        with Connection(url, transport_options=settings.CELERY_BROKER_TRANSPORT_OPTIONS) as connection:
            connection.ensure_connection(max_retries=1, interval_start=0, timeout=3)
    except (OperationalError, OSError) as error:
        host = urlsplit(url).hostname or url
        return [
            Warning(
                f"The message broker at {host} does not answer: {error}",
                hint="Start it, correct CELERY_BROKER_URL, or unset that to pass messages as files.",
                id="ringside.W002",
            )
        ]
    return []


@register(Tags.security, deploy=True)
def address_is_known(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Check that production names its public address (ringside.W003).

    Cookies and links are right only if it does.
    """
    if settings.BASE_URL:
        return []
    return [
        Warning(
            "RINGSIDE_BASE_URL is not set; links in mails and on paper lead to the address of the request.",
            hint="Set it to the address that people type, as https://ringside.example.",
            id="ringside.W003",
        )
    ]


@register(Tags.security)
def mails_lead_to_an_own_address(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Check that no request can choose where links in emails lead (ringside.E002).

    This applies to a request under any name.
    """
    sends_mail = settings.EMAIL_BACKEND.endswith("smtp.EmailBackend")
    if settings.BASE_URL or not sends_mail or "*" not in settings.ALLOWED_HOSTS:
        return []
    return [
        Error(
            "Links in mails would lead to any address that a visitor makes up.",
            hint="Set RINGSIDE_BASE_URL, or name the hosts in RINGSIDE_HOSTS instead of *.",
            id="ringside.E002",
        )
    ]


@register()
def registration_fields_have_names_of_their_own(app_configs: Any, **kwargs: Any) -> Sequence[CheckMessage]:
    """Check that registration fields have distinct names (ringside.E003).

    No declared field may have the name of another one.
    """
    return [
        Error(
            f"The registration field {place} has a name that something else has.",
            hint="Give the field another key and label.",
            id="ringside.E003",
        )
        for place in list_taken_names()
    ]
