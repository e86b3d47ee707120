"""One idiom for records: frozen dataclasses with slots."""

from __future__ import annotations

import ast
from collections.abc import Iterable

import pytest

from tests.style.sources import PACKAGES, list_modules, list_nodes, name_file, read_text, walk

TUPLES = frozenset({"NamedTuple", "namedtuple"})
# Created by the thousand: the cost of a dataclass is noted at each of them.
MEASURED = {
    "rules/finding.py",
    "tournament/engine/pairing/model.py",
    "tournament/engine/records.py",
    "tournament/engine/standings/standing.py",
}
# Loaded by each command of the engine: Python makes such a class in 0.1 ms, and a frozen dataclass in 0.8.
LOADED_BY_COMMANDS = {
    "tournament/engine/brackets/layout.py",
    "tournament/engine/commands/given.py",
    "tournament/engine/event_options.py",
    "tournament/engine/pairing/round_model.py",
    "tournament/engine/pairing/search.py",
    "tournament/engine/pairing/weights.py",
    "tournament/engine/problems.py",
    "tournament/engine/standings/scoring.py",
    "tournament/engine/standings/systems/system.py",
}


def names_of(nodes: Iterable[ast.AST]) -> set[str]:
    """Return every name that a module imports or uses, attributes included."""
    return {
        name
        for node in nodes
        for name in (getattr(node, "id", None), getattr(node, "attr", None), getattr(node, "name", None))
        if isinstance(name, str)
    }


def test_no_record_is_a_named_tuple() -> None:
    naming = [file for file in list_modules(*PACKAGES) if any(name in read_text(file) for name in TUPLES)]
    modules = {name_file(file) for file in naming if names_of(list_nodes(file)) & TUPLES}
    assert sorted(modules - MEASURED - LOADED_BY_COMMANDS) == []


@pytest.mark.parametrize(
    "source",
    [
        "from typing import NamedTuple",
        "import typing\nclass A(typing.NamedTuple): ...",
        "namedtuple('A', 'b')",
    ],
)
def test_every_way_to_a_named_tuple_is_seen(source: str) -> None:
    assert names_of(walk(ast.parse(source))) & TUPLES
