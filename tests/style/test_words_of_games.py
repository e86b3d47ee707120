"""The words of one game, which occur only in its folder.

Generic code, pages and messages have none of them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

from tests.style.sources import CLONE, list_nodes, name_file, read_text

# Words of the rules, cards and printouts of one game.
WORDS = re.compile(
    r"head[ _-]?shot|quickening|crystal|(?<![a-z])gems?(?![a-z])|persona(?!l)|(?<![a-z])hilt|darius|immortal"
    r"|foundation|first[ _-]?blood|vitality|battle[ _-]?deck|tag[ _-]?token"
    r"|\bufs\b|highlander|street[ _]?fighter|miniatures|\bcfc\b|\bsfm\b|card fighters",
    re.IGNORECASE,
)
FOLDERS = ("tournament", "decks", "templates", "config")
ENDINGS = (".py", ".html", ".txt", ".js", ".css", ".toml", ".svg")
# Each file with the reason for which it may hold such words.
EXCEPTIONS = {
    "templates/styleguide.html": "shows the parts of pages with the cards of an example",
    "tournament/archive/old_lines.py": "reads sentences of archives that earlier versions wrote",
    "tournament/archive/old_results.py": "reads columns of archives that earlier versions wrote",
    "tournament/demo.py": "plays an event of one game",
    "tournament/engine/__main__.py": "has the standings system `ufs`, which its contract names",
    "tournament/engine/event_options.py": "has the standings system that counts where none is named",
    "tournament/engine/messages/de.toml": "says what the standings system `ufs` is called",
    "tournament/engine/messages/en.toml": "says what the standings system `ufs` is called",
    "tournament/events/models/event.py": "keeps the key of the default standings system",
    "tournament/standings/selectors/standings.py": "keeps the key of the default standings system",
}


def iter_files() -> Iterator[Path]:
    """Yield generic code, pages, styles, scripts and messages.

    Migrations are left out, as they keep what once was.
    """
    for folder in FOLDERS:
        yield from (file for file in (CLONE / folder).rglob("*") if file.suffix in ENDINGS)
    yield from (CLONE / "rules").glob("*.py")
    for folder in ("checks", "timed", "catalogue_files", "messages"):
        yield from (file for file in (CLONE / "rules" / folder).rglob("*") if file.suffix in ENDINGS)


def read_words(file: Path) -> str:
    """Return the text of a file without comments and docstrings.

    Comments and docstrings may give an example.
    """
    text = read_text(file)
    if file.suffix == ".toml":
        return "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    return "\n".join(_read_code(list_nodes(file))) if file.suffix == ".py" else text


def _read_code(nodes: Collection[ast.AST]) -> Iterator[str]:
    """Yield names and texts of a module."""
    explanation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in explanation:
            yield node.value
        for name in ("id", "attr", "name", "arg", "module", "asname"):
            if isinstance(value := getattr(node, name, None), str):
                yield value


@cache
def find_words() -> dict[str, list[str]]:
    """Return the words of games in each file that holds one."""
    found_words = {}
    for file in iter_files():
        if "migrations" in file.parts or "locale" in file.parts or not WORDS.search(read_text(file)):
            continue
        words = sorted({word.lower() for word in WORDS.findall(read_words(file))})
        if words:
            found_words[name_file(file)] = words
    return found_words


def test_no_generic_code_page_or_message_holds_a_word_of_one_game() -> None:
    found_words = find_words()
    assert {file: words for file, words in found_words.items() if file not in EXCEPTIONS} == {}


CITED = re.compile(r"\b(?:UFS|HL|SFM|CFC)[- ](?:[A-Z]|[0-9]{3}[.])[0-9]")


def test_no_generic_module_cites_the_document_of_a_game() -> None:
    """Generic code does not cite documents: the `clauses` of a game do."""
    citing = [
        name_file(file)
        for file in iter_files()
        if file.suffix == ".py" and "migrations" not in file.parts and CITED.search(read_text(file))
    ]
    assert citing == []


def test_each_exception_is_still_needed() -> None:
    assert sorted(EXCEPTIONS.keys() - find_words().keys()) == []


def test_word_is_found_in_names_and_texts_but_not_in_docstrings(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        '"""Head shots."""\ndef read_gem_sheet(hilt):\n    """UFS 100.2."""\n    return "Persona"\n'
    )
    assert sorted(WORDS.findall(read_words(module))) == ["Persona", "gem", "hilt"]
