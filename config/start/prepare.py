"""`python -m config.start.prepare OUTPUT [--no-demo]`: prepare the data.

It prepares tables, static files, cards and the demo. It runs in its own process, so that the supervisor stays
small.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import os
import sys
from collections.abc import Callable
from pathlib import Path

import django
from django.core.management import call_command
from django.db import OperationalError

from config.env.errors import ConfigurationError
from config.env.private_files import make_data_private
from config.start.say import say


def main() -> int:
    """Prepare everything and write the lines about the demo to OUTPUT.

    Returns 0 on success.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("output", type=Path, help="file for the lines about the demo")
    parser.add_argument("--no-demo", action="store_true", help="skip the demo events")
    arguments = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        django.setup()
        _make_data_private()
        _prepare(arguments.output, demo=not arguments.no_demo)
    except (ConfigurationError, OperationalError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def _make_data_private() -> None:
    from django.conf import settings

    make_data_private(settings.DATA_DIR, settings.DATABASES["default"])


def _prepare(output: Path, *, demo: bool) -> None:
    _step("Updating the database", lambda: call_command("migrate", interactive=False, verbosity=0))
    _step("Collecting static files", _gather_static_once)
    _step("Loading cards and rules", lambda: call_command("load_fixtures", stdout=io.StringIO()))
    demo_text = io.StringIO()
    if demo:
        _step("Creating the demo events", lambda: call_command("demo", stdout=demo_text))
    output.write_text(demo_text.getvalue(), encoding="utf-8")


def _step(words: str, action: Callable[[], object]) -> None:
    say(f"{words} …")
    action()


def _gather_static_once() -> None:
    from django.conf import settings

    mark = Path(settings.STATIC_ROOT) / ".gathered"
    fingerprint = _fingerprint()
    if mark.is_file() and mark.read_text() == fingerprint:
        return
    call_command("gather_static", stdout=io.StringIO())
    mark.write_text(fingerprint)


def _fingerprint() -> str:
    from django.contrib.staticfiles.finders import get_finders

    digest = hashlib.sha256()
    for finder in get_finders():
        for path, storage in sorted(finder.list([]), key=lambda entry: entry[0]):
            stat = Path(storage.path(path)).stat()
            digest.update(f"{path} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main())
