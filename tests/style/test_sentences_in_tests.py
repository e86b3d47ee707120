"""Tests that assert codes and facts.

Few of them quote what the product says, word for word.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Set
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.pofile import read_po

from config.env.languages import FOLDER
from tests.style.sources import CLONE, find_nodes, list_modules, name_file, read_text

PACKAGES = ("rules", "decks", "tournament")
# A label of a few words is what a test presses and looks for; a sentence is what it should not repeat.
FEWEST_WORDS = 4
# Whole sentences that tests look for on purpose, and the heading of each page for an error.
SENTENCES_ON_PURPOSE = frozenset({"tests/scenarios/sentences.py", "tests/screens/test_states.py"})
LABELS = "tests/scenarios/labels.py"
MOST_SENTENCES = 23
QUOTED = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"")
# Where Python joins two strings.
JOINED = re.compile(r"\"\s*\n\s*f?\"")


def iter_texts() -> Iterator[str]:
    """Yield every text of the product in English."""
    for path in (FOLDER / "en" / "LC_MESSAGES").glob("*.po"):
        for message in read_po(BytesIO(path.read_bytes())):
            yield from (message.id,) if isinstance(message.id, str) else message.id
    for package in PACKAGES:
        for path in (CLONE / package).rglob("messages/en.toml"):
            yield from _leaves(tomllib.loads(path.read_text("utf-8")))


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _leaves(part)
    else:
        yield str(value)


def iter_literals(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every string of a module that is written out, with its line."""
    for node in find_nodes(path, ast.Constant):
        if isinstance(node.value, str):
            yield node.lineno, node.value


def quotes_any(path: Path, sentences: Set[str]) -> bool:
    """Return whether one of the sentences is between quotes.

    This does not look at the whole tree.
    """
    return not sentences.isdisjoint(QUOTED.findall(JOINED.sub("", read_text(path))))


def test_few_tests_quote_sentences_of_the_product() -> None:
    """Check that few tests quote sentences of the product.

    A message is identified by its code, say("refusal", "draft_changed"). A page has a template and a context.
    """
    # A browser looks for what people see.
    paths = [path for path in list_modules("tests") if "browser" not in path.parts]
    sentences = {text for text in iter_texts() if len(text.split()) >= FEWEST_WORDS}
    quotes = [
        (name_file(path), f"{line}: {text}")
        for path in paths
        if name_file(path) != LABELS and quotes_any(path, sentences)
        for line, text in iter_literals(path)
        if text in sentences
    ]
    assert [quote for quote in quotes if quote[0] not in SENTENCES_ON_PURPOSE] == []
    assert len(quotes) <= MOST_SENTENCES, quotes


# A browser test that presses a button, follows a link or fills in a field.
PRESSED = re.compile(r"""get_by_role\(\s*"(?:button|link)",\s*name="([^"]*)"|get_by_label\("([^"]*)\"""")


def test_label_that_several_tests_press_is_named_once() -> None:
    labels = [
        label for path in list_modules("tests") for pair in PRESSED.findall(read_text(path)) for label in pair
    ]
    product_labels = set(iter_texts()) - {""}
    assert [label for label, count in Counter(labels).items() if count > 1 and label in product_labels] == []
