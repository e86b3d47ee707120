"""Bold words of tutorials and how-to guides are labels that the application shows."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.docs.contracts import CLONE
from tests.docs.pages import DOCS, HOW_TOS, name_page, read_prose

GUIDES = [DOCS / "tutorial" / "your-first-event.md", *HOW_TOS]
# A bold beginning of a paragraph ends with a comma, a colon or a full stop and is no label.
BOLD = re.compile(r"\*\*(.+?)\*\*")
NO_LABEL_ENDS = (",", ":", ".")
NO_LABELS = frozenset({"Bold words", "Administration", "Users"})  # the last two are Django's
SOURCES = (("templates", "*.html"), ("tournament", "*.py"), ("decks", "*.py"), ("tournament", "*.js"))
MESSAGES = (("decks", "en.toml"), ("tournament", "en.toml"))


@cache
def read_sources() -> str:
    """Everything from which pages are made, without line breaks."""
    files = [file for folder, kind in (*SOURCES, *MESSAGES) for file in (CLONE / folder).rglob(kind)]
    return " ".join(" ".join(file.read_text(encoding="utf-8").split()) for file in files)


def list_labels(page: Path) -> list[str]:
    """The labels that a page quotes; an arrow stands between a page and what is on it."""
    found = BOLD.findall(" ".join(read_prose(page).split()))
    labels = [label for words in found if not words.endswith(NO_LABEL_ENDS) for label in words.split(" → ")]
    return [label for label in labels if label not in NO_LABELS]


@pytest.mark.parametrize("page", GUIDES, ids=name_page)
def test_labels_that_a_guide_quotes_are_on_a_page(page: Path) -> None:
    shown = read_sources()
    assert [label for label in list_labels(page) if label not in shown] == []
