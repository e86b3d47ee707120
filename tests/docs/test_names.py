"""Names in the documentation: paths exist, and dotted names can be imported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

from decks.access import GROUPS
from tests.docs.contracts import CLONE
from tests.docs.pages import PAGES
from tests.everyday import list_faults

PACKAGES = ("benchmarks", "config", "decks", "rules", "tests", "tournament")
FOLDERS = (*PACKAGES, "bin", "deploy", "docs", "fixtures", "templates")
PATH = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./<>-]*")
PYTHON_FILE = re.compile(
    r"(?!tidewater/)[\w/]+\.py"
)  # Tidewater is the game of docs/tutorial/add-a-game-with-code.md
DOTTED_NAME = re.compile(rf"((?:{'|'.join(PACKAGES)})(?:\.\w+)+)(?:\(\))?")
PERMISSIONS = {f"decks.{permission}" for permissions in GROUPS.values() for permission in permissions}


def get_code_words(page: Path) -> Iterator[str]:
    """Yield the words between backticks, without the blocks of code."""
    text = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for code in re.findall(r"`([^`]+)`", text):
        yield from code.split()


@cache
def get_python_files() -> frozenset[Path]:
    """Return all Python files of the repository."""
    return frozenset(path for folder in FOLDERS for path in (CLONE / folder).rglob("*.py"))


def path_exists(path: str) -> bool:
    """Return whether a path exists.

    <words> stand for any name, and a file may be named by its last parts.
    """
    pattern = re.sub(r"<\w+>", "*", path.rstrip("/"))
    return any(CLONE.glob(pattern)) or any(file.match(pattern) for file in get_python_files())


def can_import(name: str) -> bool:
    """Return whether a dotted name is a module or an attribute.

    An attribute belongs to what comes before the last dot.
    """
    try:
        import_module(name)
    except ModuleNotFoundError:
        parent, _, attribute = name.rpartition(".")
        return bool(parent) and can_import(parent) and hasattr(import_module(parent), attribute)
    return True


def find_missing_paths(page: Path) -> list[str]:
    paths = [word for word in get_code_words(page) if PATH.fullmatch(word) or PYTHON_FILE.fullmatch(word)]
    return [path for path in paths if not path_exists(path)]


def find_missing_names(page: Path) -> list[str]:
    names = [match[1] for word in get_code_words(page) if (match := DOTTED_NAME.fullmatch(word))]
    return [name for name in names if name not in PERMISSIONS and not can_import(name)]


def test_paths_in_backticks_exist() -> None:
    assert list_faults(PAGES, find_missing_paths) == {}


def test_dotted_names_in_backticks_can_be_imported() -> None:
    assert list_faults(PAGES, find_missing_names) == {}
