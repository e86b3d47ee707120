"""The pages of the documentation, and what a reader finds in them.

These are links, anchors, sentences and labels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from tests.docs.contracts import CLONE

DOCS = CLONE / "docs"
INDEX = DOCS / "README.md"
CHANGELOG = CLONE / "CHANGELOG.md"
ROOT_PAGES = [*(CLONE / name for name in ("README.md", "CONTRIBUTING.md", "deploy/README.md")), CHANGELOG]
PAGES = [*ROOT_PAGES, *sorted(DOCS.rglob("*.md"))]
HOW_TOS = sorted((DOCS / "how-to").rglob("*.md"))

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n)+", re.MULTILINE)
LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
NEW_BLOCK = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*>]|\d+\.)\s)")
MARKER = re.compile(r"^\s*(?:[-*>]|\d+\.)\s+")
SENTENCE_END = re.compile(r"(?<=[.!?])[\"”)*]*\s+")


def name_page(page: Path) -> str:
    """Return a page as tests name it: its path in the clone."""
    return page.relative_to(CLONE).as_posix()


def read_prose(page: Path) -> str:
    """Return the text of a page without blocks of code."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    return INDENTED.sub("", text)


def list_links(page: Path) -> Iterator[str]:
    """Yield the targets of all links and pictures of a page, web addresses left out."""
    for _, target in LINK.findall(read_prose(page)):
        if not target.startswith(("http:", "https:", "mailto:")):
            yield target


def list_anchors(page: Path) -> set[str]:
    """Return the anchors of a page, as they are made of its headings."""
    return {make_anchor(heading) for heading in HEADING.findall(read_prose(page))}


def make_anchor(heading: str) -> str:
    """Return the anchor of a heading.

    It has small letters, hyphens for spaces, and nothing else but words.
    """
    plain = LINK.sub(r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")


def list_sentences(page: Path) -> Iterator[str]:
    """Yield the sentences of paragraphs and list items.

    Tables, headings, diagrams and code have none.
    """
    text = re.sub(r"^(?:#|\|).*$", "", read_prose(page), flags=re.MULTILINE)
    for block in NEW_BLOCK.split(text):
        words = " ".join(MARKER.sub("", block).split())
        yield from (sentence for sentence in SENTENCE_END.split(words) if count_words(sentence))


def count_words(text: str) -> int:
    """Return the number of words that a reader reads.

    Links count by their text, and a piece of code counts as one word.
    """
    plain = LINK.sub(lambda link: "" if link[0].startswith("!") else link[1], text)
    plain = re.sub(r"`[^`]+`", "code", plain)
    return sum(bool(re.search(r"\w", word)) for word in plain.split())
