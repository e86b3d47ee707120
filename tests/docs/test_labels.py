"""Bold words of tutorials and how-to guides.

They are labels that the application shows.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.docs.contracts import CLONE
from tests.docs.pages import DOCS, HOW_TOS, name_page, read_prose
from tests.style.sources import find_nodes

GUIDES = [DOCS / "tutorial" / "your-first-event.md", *HOW_TOS]
# A bold beginning of a paragraph ends with a comma, a colon or a full stop and is no label.
BOLD = re.compile(r"\*\*(.+?)\*\*")
NO_LABEL_ENDS = (",", ":", ".")
NO_LABELS = frozenset({"Bold words", "Administration", "Users"})  # the last two are Django's
BETWEEN_TEXTS = re.compile(r"<[^>]*>|{%.*?%}|{{.*?}}|{#.*?#}")
QUOTED = re.compile(r'"([^"]*)"')


def read_template(file: Path) -> Iterator[str]:
    """Yield the texts between tags and variables, and those in quotes."""
    text = " ".join(file.read_text(encoding="utf-8").split())
    yield from (part.strip(" :") for part in BETWEEN_TEXTS.split(text))
    yield from QUOTED.findall(text)


def read_module(file: Path) -> Iterator[str]:
    """Yield every whole text of a module."""
    for node in find_nodes(file, ast.Constant):
        if isinstance(node.value, str):
            yield node.value


def read_messages(file: Path) -> Iterator[str]:
    """Yield every text of a file of messages."""
    values: list[Any] = [tomllib.loads(file.read_text(encoding="utf-8"))]
    while values:
        value = values.pop()
        if isinstance(value, dict):
            values.extend(value.values())
        elif isinstance(value, str):
            yield value


READERS = {
    "templates/**/*.html": read_template,
    "tournament/**/*.py": read_module,
    "decks/**/*.py": read_module,
    "tournament/**/en.toml": read_messages,
    "decks/**/en.toml": read_messages,
}


@cache
def read_labels() -> frozenset[str]:
    """Return every text that can be a label of a page."""
    files = (
        (file, read_labels_of) for pattern, read_labels_of in READERS.items() for file in CLONE.glob(pattern)
    )
    pairs = ((file, read_labels_of) for file, read_labels_of in files if "migrations" not in file.parts)
    return frozenset(
        label
        for file, read_labels_of in pairs
        if file.name != "styleguide.html"
        for label in read_labels_of(file)
    )


def list_labels(page: Path) -> list[str]:
    """Return the labels that a page quotes.

    An arrow is between a page and what is on it.
    """
    matches = BOLD.findall(" ".join(read_prose(page).split()))
    labels = [label for words in matches if not words.endswith(NO_LABEL_ENDS) for label in words.split(" → ")]
    return [label for label in labels if label not in NO_LABELS]


@pytest.mark.parametrize("page", GUIDES, ids=name_page)
def test_labels_that_a_guide_quotes_are_on_a_page(page: Path) -> None:
    assert [label for label in list_labels(page) if label not in read_labels()] == []
