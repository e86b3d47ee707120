"""No game is known by name outside its folder: a game declares its own features."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import rules
from rules.library import SHIPPED
from tests.style.sources import CLONE, find_nodes, list_modules, name_file, read_text

GAMES = [game for game in rules.games() if game.folder.parent == SHIPPED]
KEYS = re.compile(rf"\b(?:{'|'.join(game.key for game in GAMES)})\b")
NAMES = re.compile("|".join(re.escape(name) for game in GAMES for name in (game.name, game.short_name)))
CODE = list_modules("decks")
TEMPLATES = tuple(sorted((CLONE / "templates" / "decks").rglob("*.html")))
# File and why a game's name has to be in it.
EXCEPTIONS: dict[str, str] = {}


def list_checked_texts(files: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Name and text of the files that are no exception."""
    for file in files:
        if name_file(file) not in EXCEPTIONS:
            yield name_file(file), read_text(file)


def spoken_texts(file: Path) -> Iterator[str]:
    """Yield every text of a module that is not a docstring.

    Docstrings may cite a game's document.
    """
    doc_ids = {id(node.value) for node in find_nodes(file, ast.Expr)}
    for node in find_nodes(file, ast.Constant):
        if isinstance(node.value, str) and id(node) not in doc_ids:
            yield node.value


@pytest.mark.parametrize("files", [CODE, TEMPLATES], ids=["code", "templates"])
def test_no_key_of_a_game_stands_in_decks(files: tuple[Path, ...]) -> None:
    assert [
        (name, found_word) for name, text in list_checked_texts(files) for found_word in KEYS.findall(text)
    ] == []


def test_no_text_of_decks_names_a_game() -> None:
    naming = [name for name, code in list_checked_texts(CODE) if NAMES.search(code)]
    texts = [(name, text) for name in naming for text in spoken_texts(CLONE / name)]
    texts += list(list_checked_texts(TEMPLATES))
    assert [(name, found_word) for name, text in texts for found_word in NAMES.findall(text)] == []


def test_no_folder_of_a_game_is_imported_by_decks() -> None:
    assert [name for name, code in list_checked_texts(CODE) if "rules.games." in code] == []


def test_exceptions_are_still_needed() -> None:
    texts = {name: (CLONE / name).read_text(encoding="utf-8") for name in EXCEPTIONS}
    assert [name for name, text in texts.items() if not KEYS.search(text) and not NAMES.search(text)] == []
