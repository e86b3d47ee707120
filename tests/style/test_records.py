"""One idiom for records: frozen dataclasses with slots."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
TUPLES = frozenset({"NamedTuple", "namedtuple"})
# Made by the thousand: the time that a dataclass would take stands where each of them is.
MEASURED = {
    "tournament/engine/pairing/model.py",
    "tournament/engine/records.py",
    "tournament/engine/standings/standing.py",
}


def names_of(tree: ast.AST) -> set[str]:
    """Every name that a module imports or uses, attributes included."""
    return {
        name
        for node in ast.walk(tree)
        for name in (getattr(node, "id", None), getattr(node, "attr", None), getattr(node, "name", None))
        if isinstance(name, str)
    }


@pytest.mark.parametrize("package", ["rules", "decks", "tournament", "config"])
def test_no_record_is_a_named_tuple(package: str) -> None:
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in (ROOT / package).rglob("*.py")}
    texts = {str(file.relative_to(ROOT)) for file, tree in trees.items() if names_of(tree) & TUPLES}
    assert sorted(texts - MEASURED) == []


@pytest.mark.parametrize(
    "source",
    [
        "from typing import NamedTuple",
        "import typing\nclass A(typing.NamedTuple): ...",
        "namedtuple('A', 'b')",
    ],
)
def test_every_way_to_a_named_tuple_is_seen(source: str) -> None:
    assert names_of(ast.parse(source)) & TUPLES
