"""The templates of all pages.

They are loaded while no one waits, so that the first reader does not.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from django.template import engines

ENDINGS = (".html", ".txt")


def list_templates() -> list[str]:
    """Return the sorted names of the templates in the folders of the settings."""
    folders = [Path(folder) for engine in engines.all() for folder in engine.dirs]
    return sorted(name for folder in folders for name in _list_names(folder))


def _list_names(folder: Path) -> Iterator[str]:
    for file in folder.rglob("*"):
        if file.suffix in ENDINGS:
            yield file.relative_to(folder).as_posix()
