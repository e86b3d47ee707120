"""Examples in docstrings give what they show."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from tests.style.sources import PACKAGES, list_modules, name_file, read_text

PROMPT = ">>> "
MODULES = [path for path in list_modules(*PACKAGES) if PROMPT in read_text(path)]


def run_examples(module: ModuleType, report: list[str]) -> int:
    """Run the examples of a module.

    Adds those that fail to `report`, and returns how many ran.
    """
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(module, module.__name__):
        runner.run(test, out=report.append)
    return runner.tries


@pytest.mark.parametrize("path", MODULES, ids=name_file)
def test_examples_give_what_they_show(path: Path):
    module, report = import_module(name_file(path).removesuffix(".py").replace("/", ".")), []
    assert (run_examples(module, report), report) == (read_text(path).count(PROMPT), [])


@pytest.mark.parametrize(("example", "fails"), [("fold('A')\n'a'", False), ("old_fold('A')\n'a'", True)])
def test_example_with_an_old_name_is_found(example, fails):
    module, report = ModuleType("example", f"Fold names.\n\n>>> {example}\n"), []
    module.fold = str.lower
    assert run_examples(module, report) == 1
    assert bool(report) is fails
