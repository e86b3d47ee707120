"""Names and docstrings of the code: a name says what it holds, and a docstring says what a function does."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.style.test_style import CLONE

PACKAGES = ("rules", "decks", "tournament", "config")
MOST_LINES = 40
CODE = (*PACKAGES, "bin", "benchmarks", "tests")

# A participle alone says what happened to a value, not which value it is.
BARE_PARTICIPLES = frozenset(
    {"asked", "caught", "found", "given", "heard", "held", "kept", "laid", "made", "meant", "named", "said"}
    | {"sent", "taken", "told", "wanted", "written"}
)
# Findings are stored and published with this key.
FIXED_NAMES = frozenset({("rules/rule.py", "found")})

QUESTION_WORDS = frozenset(
    {"How", "That", "What", "Whatever", "When", "Where", "Whether", "Which", "Whichever"}
    | {"Who", "Whoever", "Whom", "Whose", "Why"}
)

# Django, argparse and migrations look for classes with these names.
FORCED_CLASSES = frozenset({"Command", "Meta", "Migration"})
# The engine knows no database, and calls its own records as the models are called.
ENGINE_RECORDS = frozenset({"Event", "Match", "Player"})


@cache
def read_modules(*folders: str) -> tuple[tuple[str, ast.Module], ...]:
    """Return the modules below folders by name; migrations are as they were written."""
    paths = sorted(path for folder in folders for path in (CLONE / folder).rglob("*.py"))
    return tuple(
        (str(path.relative_to(CLONE)), ast.parse(path.read_text("utf-8")))
        for path in paths
        if "migrations" not in path.parts
    )


def list_bindings(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield each name that code binds to a value, with its line; a field is read with its record."""
    fields = {
        target
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for line in node.body
        for target in [*getattr(line, "targets", []), getattr(line, "target", None)]
    }
    for node in ast.walk(tree):
        if node in fields:
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, ast.MatchAs | ast.MatchStar | ast.ExceptHandler) and node.name:
            yield node.name, node.lineno


def list_functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions whose docstring is an instruction: neither properties, fixtures nor tests."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("test_"):
            continue
        decorators = " ".join(ast.unparse(each) for each in node.decorator_list)
        if "property" not in decorators and "fixture" not in decorators:
            yield node


def test_no_name_is_a_bare_participle():
    bare_names = [
        f"{file}:{line} {name}"
        for file, tree in read_modules(*CODE)
        for name, line in list_bindings(tree)
        if name.strip("_") in BARE_PARTICIPLES and (file, name) not in FIXED_NAMES
    ]
    assert bare_names == []


def test_no_docstring_of_a_function_begins_like_a_question():
    questions = [
        f"{file}:{function.lineno} {function.name}"
        for file, tree in read_modules(*CODE)
        for function in list_functions(tree)
        if (ast.get_docstring(function) or "-").split(maxsplit=1)[0] in QUESTION_WORDS
    ]
    assert questions == []


def test_class_names_differ_between_modules():
    files_by_class = defaultdict(set)
    for file, tree in read_modules(*PACKAGES):
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                files_by_class[node.name].add(file)
    allowed = FORCED_CLASSES | ENGINE_RECORDS
    assert {n: f for n, f in files_by_class.items() if len(f) > 1 and n not in allowed} == {}


def test_no_function_has_more_than_40_lines():
    long_functions = [
        (file, node.name)
        for file, tree in read_modules(*PACKAGES)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= MOST_LINES
    ]
    assert long_functions == []


@pytest.mark.parametrize(
    "source", ["found = 1", "for kept in []: pass", "def read(told): pass", "if (said := 1): pass"]
)
def test_bare_participle_in_any_binding_is_listed(source):
    assert {name for name, _ in list_bindings(ast.parse(source))} & BARE_PARTICIPLES


def test_files_of_fixed_names_exist():
    assert [file for file, _ in FIXED_NAMES if not Path(CLONE / file).is_file()] == []
