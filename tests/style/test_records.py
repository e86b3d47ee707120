"""One idiom for records: frozen dataclasses with slots, in every package that gave up named tuples."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
TUPLES = frozenset({"NamedTuple", "namedtuple"})


def names_of(tree: ast.AST) -> set[str]:
    """Every name that a module imports or uses, attributes included."""
    return {
        name
        for node in ast.walk(tree)
        for name in (getattr(node, "id", None), getattr(node, "attr", None), getattr(node, "name", None))
        if isinstance(name, str)
    }


@pytest.mark.parametrize("package", ["rules", "decks"])
def test_no_record_is_a_named_tuple(package: str) -> None:
    trees = {file: ast.parse(file.read_text(encoding="utf-8")) for file in (ROOT / package).rglob("*.py")}
    assert [str(file.relative_to(ROOT)) for file, tree in trees.items() if names_of(tree) & TUPLES] == []


@pytest.mark.parametrize(
    "written",
    [
        "from typing import NamedTuple",
        "import typing\nclass A(typing.NamedTuple): ...",
        "namedtuple('A', 'b')",
    ],
)
def test_every_way_to_a_named_tuple_is_seen(written: str) -> None:
    assert names_of(ast.parse(written)) & TUPLES
