"""The rules run if nothing is installed, and load nothing but themselves."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.rules.builders import case_file

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def bare_python(tmp_path_factory) -> Path:
    """The Python of an empty virtual environment."""
    home = tmp_path_factory.mktemp("bare")
    venv.create(home, with_pip=False, symlinks=True)
    return home / "bin" / "python"


def _run(python: Path, *call: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(python), "-I", *call], cwd=ROOT, capture_output=True, text=True, check=False)


def _module(python: Path, *call: str) -> subprocess.CompletedProcess[str]:
    start = "import runpy, sys; sys.path.insert(0, sys.argv.pop(1)); "
    start += "runpy.run_module('rules', run_name='__main__')"
    return _run(python, "-c", start, str(ROOT), *call)


def test_nothing_is_installed_there(bare_python):
    result = _run(bare_python, "-c", "import django")

    assert "ModuleNotFoundError" in result.stderr


def test_cases_are_answered_there(bare_python, tmp_path):
    file = tmp_path / "cases.json"
    file.write_text(json.dumps(case_file("cfc.toml")))
    result = _module(bare_python, "cases", str(file))

    assert (result.returncode, result.stderr) == (0, "")
    assert len(result.stdout.splitlines()) == len(case_file("cfc.toml")["cases"])


def test_a_deck_is_checked_there(bare_python, tmp_path):
    deck, cards = tmp_path / "deck.txt", tmp_path / "cards.csv"
    deck.write_text("".join(f"3 Fighter {place}\n" for place in range(1, 17)) + "2 Fighter 17\n")
    cards.write_text("name,type\n" + "".join(f"Fighter {place},Character\n" for place in range(1, 18)))
    result = _module(
        bare_python, "check", str(deck), "--game", "cfc", "--format", "standard", "--cards", str(cards)
    )

    assert (result.returncode, result.stderr) == (0, "")


def test_only_the_standard_library_is_loaded():
    modules = "rules.legality, rules.cases, rules.lint, rules.catalogue, rules.formats"
    code = f"import sys, {modules}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    process = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert set(process.stdout.split()) - sys.stdlib_module_names - {"__main__", "rules"} == set()


def test_a_command_starts_without_what_takes_long_to_load():
    code = "import sys, rules.__main__; print(*sys.modules)"
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert (
        set(process.stdout.split()) & {"dataclasses", "inspect", "tomllib", "rules.formats", "decks"} == set()
    )


def test_a_format_is_loaded_without_what_takes_long_to_load():
    code = (
        "import sys, rules; from rules.format_text import explain_format;"
        "explain_format(rules.load_format('ufs', 'constructed')); print(*sys.modules)"
    )
    process = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )

    assert set(process.stdout.split()) & {"csv", "rules.games.highlander.checks"} == set()
