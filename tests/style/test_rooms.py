"""Imports between rooms."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.style.sources import CLONE, find_nodes, list_modules, read_text

APPS = ("decks", "tournament")
FILES = [file for app in APPS for file in sorted((CLONE / app).rglob("*.py"))]


def imported_names(file: Path) -> Iterator[tuple[str, ...]]:
    """Yield every name that a file imports from an app, with its parent modules."""
    for node in find_nodes(file, ast.ImportFrom):
        module = (node.module or "").split(".")
        if module[0] in APPS:
            yield from ((*module, name.name) for name in node.names)


def test_private_name_stays_in_its_room() -> None:
    texts = [
        f"{file}: {'.'.join(path)}"
        for file in FILES
        for path in imported_names(file)
        if path[:2] != file.relative_to(CLONE).with_suffix("").parts[:2]
        if any(part.startswith("_") for part in path)
    ]
    assert texts == []


@pytest.mark.parametrize("package", ["rules", *APPS, "config"])
def test_no_module_has_more_than_400_lines(package: str) -> None:
    # Django writes migrations, one for each change of the models.
    files = list_modules(package)
    assert [str(file) for file in files if len(read_text(file).splitlines()) > 400] == []
