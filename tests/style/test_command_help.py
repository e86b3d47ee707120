"""The help of every command.

It has a sentence for the command, and a few words for each argument.
"""

from __future__ import annotations

import ast

import pytest
from django.core.management import load_command_class

from rules.__main__ import COMMANDS
from tests.style.sources import CLONE, find_nodes, list_modules, name_file
from tournament.engine import __main__ as engine_command

FOLDERS = ("benchmarks", "bin", "config", "decks", "rules", "tournament")
MANAGEMENT_COMMANDS = sorted(
    (path.parents[2].name, path.stem) for path in CLONE.glob("*/management/commands/[a-z]*.py")
)
LINES_OF_COMMANDS = {
    **{f"rules {name}": COMMANDS[name][0] for name in COMMANDS},
    **{f"engine {name}": engine_command._COMMANDS[name][1] for name in engine_command._COMMANDS},
}


@pytest.mark.parametrize(("app", "name"), MANAGEMENT_COMMANDS)
def test_help_of_a_management_command_is_sentences(app: str, name: str) -> None:
    words = str(load_command_class(app, name).help)
    assert (words[:1].isupper(), words[-1:]) == (True, "."), words


def test_arguments_and_commands_are_described_in_a_few_words() -> None:
    """Check that argparse help and command descriptions are a few plain words.

    As in argparse, they begin with a small letter and have no full stop at the end. None is missing.
    """
    wrong_calls = [
        f"{name_file(path)}: {ast.unparse(call)}"
        for path in list_modules(*FOLDERS)
        for call in find_nodes(path, ast.Call)
        if ast.unparse(call.func).endswith(".add_argument") and not _has_plain_help(call)
    ]
    wrong_lines = [name for name, line in LINES_OF_COMMANDS.items() if not _is_few_words(line)]
    assert (wrong_calls, wrong_lines) == ([], [])


def _has_plain_help(call: ast.Call) -> bool:
    words = [keyword.value for keyword in call.keywords if keyword.arg == "help"]
    return bool(words) and (not isinstance(words[0], ast.Constant) or _is_few_words(str(words[0].value)))


def _is_few_words(words: str) -> bool:
    first_word = words.split()[0]
    return (first_word[0].islower() or first_word[:2].isupper()) and not words.endswith(".")
