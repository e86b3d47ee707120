"""One idiom for records: frozen dataclasses with slots."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

import pytest

from tests.style.sources import PACKAGES, find_nodes, list_modules, list_nodes, name_file, read_text, walk

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


CONTAINER = re.compile(r"\b(list|dict|set|Counter|defaultdict|deque)\b")


def list_records(nodes: Iterable[ast.AST]) -> list[tuple[ast.ClassDef, set[str]]]:
    """Return each dataclass with the options that are true."""
    return [
        (node, {each.arg for each in getattr(decorator, "keywords", ()) if getattr(each.value, "value", 0)})
        for node in nodes
        if isinstance(node, ast.ClassDef)
        for decorator in node.decorator_list
        if getattr(getattr(decorator, "func", decorator), "id", "") == "dataclass"
    ]


def has_cached_property(record: ast.ClassDef) -> bool:
    """Return whether a record keeps what it computed, for which slots have no place."""
    return any(
        getattr(decorator, "id", "") == "cached_property"
        for part in record.body
        if isinstance(part, ast.FunctionDef)
        for decorator in part.decorator_list
    )


def is_collecting(record: ast.ClassDef, written_names: set[str]) -> bool:
    """Return whether a record is filled after it was made."""
    fields = [part for part in record.body if isinstance(part, ast.AnnAssign)]
    return any(
        CONTAINER.search(ast.unparse(field.annotation)) or ast.unparse(field.target) in written_names
        for field in fields
    )


def find_written_names() -> set[str]:
    """Return the names of all attributes that some module sets."""
    return {
        node.attr
        for file in list_modules(*PACKAGES)
        for node in find_nodes(file, ast.Attribute)
        if isinstance(node.ctx, ast.Store)
    }


# Its base has cached properties.
INHERITED = {"LoadedCatalogue"}


def test_records_are_frozen_with_slots_unless_they_collect_or_keep_what_they_computed() -> None:
    written_names = find_written_names()
    others = {
        f"{name_file(file)} {record.name}"
        for file in list_modules(*PACKAGES)
        for record, options in list_records(find_nodes(file, ast.ClassDef))
        if not options >= {"frozen", "slots"}
        and not ("frozen" in options and (has_cached_property(record) or record.name in INHERITED))
        and not ("frozen" not in options and is_collecting(record, written_names))
    }
    assert others == set()


@pytest.mark.parametrize(
    ("source", "options"),
    [
        ("@dataclass\nclass A: ...", set()),
        ("@dataclass(frozen=True, slots=True)\nclass A: ...", {"frozen", "slots"}),
        ("@dataclass(frozen=False)\nclass A: ...", set()),
    ],
)
def test_options_of_a_record_are_read(source: str, options: set[str]) -> None:
    [(record, found_options)] = list_records(walk(ast.parse(source)))
    assert (record.name, found_options) == ("A", options)


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
