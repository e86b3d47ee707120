"""A ban on parsing the sentences of Ringside.

Patterns are for what people type, and for other programs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.style.sources import CLONE, find_nodes, list_modules, name_file, read_text, walk

# Modules with patterns for what people type or scan, names of fields and keys.
READ_WHAT_PEOPLE_TYPE = {
    "decklists/declaration_fields.py",
    "engine/standings/systems/custom.py",
    "judging/selectors.py",
    "my_page/forms.py",
    "pairing/options.py",
    "registration/forms.py",
    "registration/selectors.py",
    "results/change_lines.py",
    "results/forms.py",
    "results/places.py",
    "shared/awards.py",
    "shared/names.py",
    "setup/services/copies.py",
    "web/board_fields.py",
}
# Modules with patterns for browsers, archives, the documentation, and names in what people wrote.
READ_OTHER_TEXTS = {
    "accounts/services.py",
    "archive/archived_changes.py",
    "archive/old_lines.py",
    "guide/rendering.py",
    "guide/selectors.py",
    "privacy/personal_texts.py",
    "screens/services.py",
    "shared/message_words.py",
    "shared/text.py",
}

# Modules beside the importers that read what people type, or the texts of a document or card.
READ_WORDS = {
    "decks/matching/lookup.py": "a card that is typed without its article",
    "rules/games/highlander/card_view.py": "kinds and titles of cards",
    "rules/games/highlander/checks/plot_hilt.py": "a title that is typed without its article",
    "rules/games/highlander/document.py": "the document of the game",
    "rules/games/highlander/names.py": "titles of cards",
    "rules/games/highlander/timed_cases.py": "worked cases in words",
    "rules/games/ufs/timed_cases.py": "worked cases in words",
}
TEXT_METHODS = frozenset(
    {
        "startswith", "endswith", "partition", "rpartition", "split", "rsplit", "removeprefix",
        "removesuffix", "find", "index", "replace",
    }
)  # fmt: skip
# More than one word.
PROSE = re.compile(r"[^\W\d_]{2,} ")
END_OF_SENTENCE = "end of "
CONDITION = re.compile(r"\{% (?:el)?if (.*?)%\}", re.DOTALL)
QUOTED = re.compile(r"\"([^\"]*)\"")


def imports_patterns(file: Path) -> bool:
    names = {name.name for node in find_nodes(file, ast.Import) for name in node.names}
    return "re" in names | {node.module for node in find_nodes(file, ast.ImportFrom)}


def test_tournament_applies_no_pattern_to_a_sentence() -> None:
    reading_modules = {
        name_file(file).removeprefix("tournament/")
        for file in list_modules("tournament")
        if imports_patterns(file)
    }
    assert reading_modules == READ_WHAT_PEOPLE_TYPE | READ_OTHER_TEXTS


def test_engine_names_no_player_in_a_text() -> None:
    """Check that the engine's modules have no sentence about a player.

    Names and numbers of players are in references.
    """
    texts = [
        file.name
        for file in list_modules("tournament/engine")
        for node in find_nodes(file, ast.JoinedStr)
        for part in node.values
        if isinstance(part, ast.Constant) and str(part.value).casefold().endswith("player ")
    ]
    assert texts == ["wording.py"]


def iter_texts_compared(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield each text that a module compares with, searches in or strips off another."""
    for node in nodes:
        if isinstance(node, ast.Compare):
            yield from iter_literals(node.left, *node.comparators)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            method = node.func.attr
            for text in iter_literals(*node.args[:1]) if method in TEXT_METHODS else ():
                yield END_OF_SENTENCE if (method, text) == ("removesuffix", ".") else text


def iter_literals(*expressions: ast.expr) -> Iterator[str]:
    """Yield the texts written out in expressions.

    Those in tuples, sets and between braces are included.
    """
    for expression in expressions:
        if isinstance(expression, ast.Constant):
            yield str(expression.value)
        elif isinstance(expression, ast.Tuple | ast.Set):
            yield from iter_literals(*expression.elts)
        elif isinstance(expression, ast.JoinedStr):
            yield from iter_literals(*expression.values)


@pytest.mark.parametrize("package", ["rules", "decks", "tournament", "config"])
def test_no_module_looks_for_words_in_a_sentence(package: str) -> None:
    reading_modules = {
        name
        for file in list_modules(package)
        if "importers" not in file.parts
        for name in [name_file(file)]
        if any(map(PROSE.search, iter_texts_compared(find_nodes(file, ast.Compare, ast.Call))))
    }
    assert reading_modules == {name for name in READ_WORDS if name.startswith(f"{package}/")}


@pytest.mark.parametrize(
    "source",
    [
        'by == "both players"', '"bye in " in remark', 'words.startswith("fixed table")',
        'sentence.removesuffix(".")', 'words.partition(f"in place of {name}")', 'by in ("the player", "x")',
    ],
)  # fmt: skip
def test_sentence_that_is_read_back_is_seen(source: str) -> None:
    assert any(map(PROSE.search, iter_texts_compared(walk(ast.parse(source)))))


def test_no_template_chooses_by_a_sentence() -> None:
    """A condition compares keys and numbers, and no part of a text is cut out of it."""
    choosing = {
        name_file(file)
        for file in (CLONE / "templates").rglob("*.html")
        for tag in CONDITION.findall(read_text(file))
        if "|slice:" in tag or any(map(PROSE.search, QUOTED.findall(tag)))
    }
    # Names of CSS classes that Django gives.
    assert choosing == {"templates/django/forms/errors/list/ul.html"}
