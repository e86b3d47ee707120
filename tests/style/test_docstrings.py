"""Docstrings begin with a short sentence, those of functions with a verb."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.style.sources import (
    PACKAGES,
    find_nodes,
    list_modules,
    list_nodes,
    name_file,
    parse_module,
    walk,
)
from tests.style.test_names import list_functions

CODE = (*PACKAGES, "bin", "benchmarks", "tests")

# Words that begin a noun phrase or a clause.
NO_VERBS = frozenset(
    {"A", "All", "An", "And", "Another", "Any", "Anyone", "As", "At", "Before", "Between", "Both", "But"}
    | {"By", "During", "Each", "Either", "Every", "Everyone", "Everything", "Exactly", "Few", "For", "From"}
    | {"Here", "If", "In", "Instead", "Into", "It", "Like", "Many", "More", "Most", "Neither", "Never", "No"}
    | {"None", "Not", "Nothing", "Of", "On", "Once", "One", "Only", "Or", "Other", "Others", "Our", "Out"}
    | {"Own", "Several", "So", "Some", "Someone", "Such", "The", "Their", "Then", "There", "These", "They"}
    | {"This", "Those", "Three", "To", "Too", "True", "Two", "Under", "Unless", "Until", "Up", "We", "While"}
    | {"With", "Within", "Without"}
)
# Verbs that end like the third person.
VERBS_IN_S = frozenset({"Access", "Address", "Bypass", "Compress", "Express", "Focus", "Guess", "Pass"})
VERBS_IN_S |= {"Press", "Process", "Suppress"}
VERB = re.compile(r"[A-Z][a-z]+(?:-[a-z]+)?")

MOST_CHARACTERS = 79

# The description of the API shows what these say about a field.
FIELD_METHOD = re.compile(r"get_\w+")


def find_field_methods(path: Path) -> Iterator[ast.AST]:
    """Yield the methods of serializers whose docstring describes a field."""
    for serializer in find_nodes(path, ast.ClassDef):
        if any("Serializer" in ast.unparse(base) for base in serializer.bases):
            yield from (line for line in serializer.body if FIELD_METHOD.match(getattr(line, "name", "")))


def is_imperative(docstring: str) -> bool:
    """Return whether a docstring can begin with a verb in the imperative."""
    word = docstring.split(maxsplit=1)[0].rstrip(".,:;")
    is_third_person = word.endswith("s") and word not in VERBS_IN_S
    return bool(VERB.fullmatch(word)) and word not in NO_VERBS and not is_third_person


def test_docstrings_of_functions_begin_with_a_verb():
    others = []
    for path in list_modules(*CODE):
        field_methods = set(find_field_methods(path))
        others += [
            f"{name_file(path)}:{function.lineno} {docstring}"
            for function in list_functions(path)
            if function not in field_methods
            if (docstring := ast.get_docstring(function)) and not is_imperative(docstring)
        ]
    assert others == []


def list_documented(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the docstring of a module, its classes and functions."""
    yield 1, ast.get_docstring(parse_module(path)) or ""
    for node in find_nodes(path, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef):
        yield node.lineno, ast.get_docstring(node) or ""


def begins_with_a_summary(docstring: str) -> bool:
    """Return whether the first line is short and ends, and a blank line follows."""
    first, *others = docstring.splitlines()
    return len(first) <= MOST_CHARACTERS and first.endswith((".", ":")) and not (others and others[0])


def test_first_line_of_a_docstring_is_a_summary_of_less_than_80_characters():
    others = [
        f"{name_file(path)}:{line} {docstring}"
        for path in list_modules(*CODE)
        for line, docstring in list_documented(path)
        if docstring and not begins_with_a_summary(docstring)
    ]
    assert others == []


@pytest.mark.parametrize(
    ("docstring", "is_allowed"),
    [
        ("Return the rounds.", True),
        ("Return the rounds.\n\nOne query.", True),
        (f"Return the {'x' * 80}.", False),
        ("Return the rounds,\nbest first.", False),
        ("Return the rounds", False),
    ],
)
def test_short_first_sentence_is_a_summary(docstring, is_allowed):
    assert begins_with_a_summary(docstring) is is_allowed


@pytest.mark.parametrize(
    ("docstring", "is_allowed"),
    [
        ("Return the rounds.", True),
        ("Re-make the cut.", True),
        ("Press a button.", True),
        ("The rounds.", False),
        ("Returns the rounds.", False),
        ("`4 Foo` is a card.", False),
        ("No card twice.", False),
    ],
)
def test_first_word_of_a_docstring_tells_a_verb(docstring, is_allowed):
    assert is_imperative(docstring) is is_allowed


def list_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names in code and the words in its keys."""
    for node in nodes:
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and " " not in node.value:
                yield from re.findall(r"\w+", node.value)
        else:
            yield from (getattr(node, name, None) or "" for name in ("id", "attr", "name", "arg"))


def list_parts_of_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """Return the words in backticks that are a part of the name of a parameter.

    A parameter that was called so once has another name now, unless the module has the word as a name.
    """
    words = re.findall(r"`([a-z]\w*)`", ast.get_docstring(function) or "")
    if not words:
        return []
    arguments = [node.arg for node in walk(function.args) if isinstance(node, ast.arg)]
    parts = {part for argument in arguments for part in argument.split("_")} - set(arguments)
    return [word for word in words if word in parts]


def list_old_names(path: Path) -> list[str]:
    """Return the words of docstrings of a module that name no parameter any more."""
    lines_by_word = [
        (word, function.lineno) for function in list_functions(path) for word in list_parts_of_names(function)
    ]
    names = set(list_names(list_nodes(path))) if lines_by_word else set()
    return [f"{name_file(path)}:{line} {word}" for word, line in lines_by_word if word not in names]


def test_docstrings_name_parameters_as_they_are_called():
    assert [name for path in list_modules(*CODE) for name in list_old_names(path)] == []


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ('def f(taken_tables): "Number without `taken` and `taken_tables`."', ["taken"]),
        ('def f(is_proved, key): "`proved` for this `key`."', ["proved"]),
        ('def f(own_sum): "The `sum` is built in."; sum(own_sum)', []),
    ],
)
def test_old_name_of_a_parameter_is_found(code, words):
    tree = ast.parse(code)
    names = set(list_names(walk(tree)))
    assert [word for word in list_parts_of_names(tree.body[0]) if word not in names] == words
