"""What rooms take from each other."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

CLONE = Path(__file__).resolve().parents[2]
APPS = ("decks", "tournament")
FILES = [file.relative_to(CLONE) for app in APPS for file in sorted((CLONE / app).rglob("*.py"))]


def imported_names(file: Path) -> Iterator[tuple[str, ...]]:
    """Every name that a file imports from one of the apps, with the modules that lead to it."""
    for node in ast.walk(ast.parse((CLONE / file).read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] in APPS:
            for name in node.names:
                yield (*node.module.split("."), name.name)


@pytest.mark.parametrize("app", APPS)
def test_private_name_stays_in_its_room(app: str) -> None:
    texts = [
        f"{file}: {'.'.join(path)}"
        for file in FILES
        for path in imported_names(file)
        if path[0] == app and path[:2] != file.with_suffix("").parts[:2]
        if any(part.startswith("_") for part in path)
    ]
    assert texts == []


@pytest.mark.parametrize("package", ["rules", *APPS, "config"])
def test_no_module_has_more_than_400_lines(package: str) -> None:
    # Django writes migrations, one for each change of the models.
    files = (file for file in (CLONE / package).rglob("*.py") if file.parent.name != "migrations")
    assert [str(file) for file in files if len(file.read_text(encoding="utf-8").splitlines()) > 400] == []
