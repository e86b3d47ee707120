"""A failure is shown at once if `bin/test` asks for it."""

from __future__ import annotations

import os
from types import SimpleNamespace
from typing import Any

import pytest

from tests import machine
from tests.fixtures import failures

DATABASE = "SQLite" if machine.on_sqlite() else "PostgreSQL"


def print_report(report: Any) -> str:
    """Return the output for a report."""
    end, start = os.pipe()
    collected_failures = failures.Failures(start)
    hook = (
        collected_failures.pytest_collectreport
        if report.when is None
        else collected_failures.pytest_runtest_logreport
    )
    hook(report)
    os.close(start)
    with os.fdopen(end) as file:
        return file.read()


def report(outcome: str, when: str | None = "call") -> Any:
    return SimpleNamespace(
        nodeid="tests/test_one.py::test_two", when=when, outcome=outcome, failed=outcome == "failed",
        longreprtext="assert 1 == 2", sections=[("Captured stdout call", "printed words")],
    )  # fmt: skip


def test_failing_test_is_shown_with_its_database_and_what_it_has_printed() -> None:
    assert print_report(report("failed")) == (
        f"\n=== FAILED on {DATABASE}: tests/test_one.py::test_two (call)\n"
        "assert 1 == 2\n--- Captured stdout call\nprinted words\n"
    )


def test_test_that_runs_once_more_is_shown_too() -> None:
    assert print_report(report("rerun")).startswith(
        f"\n=== RUNS ONCE MORE on {DATABASE}: tests/test_one.py::test_two (call)\n"
    )


def test_module_that_cannot_be_imported_is_shown() -> None:
    assert print_report(report("failed", None)).startswith(
        f"\n=== FAILED on {DATABASE}: tests/test_one.py::test_two\n"
    )


@pytest.mark.parametrize("when", ["call", None])
def test_test_that_passes_is_not_shown(when: str | None) -> None:
    assert print_report(report("passed", when)) == ""


def test_failures_shown_at_once_are_not_shown_again() -> None:
    session: Any = SimpleNamespace(config=SimpleNamespace(option=SimpleNamespace(tbstyle="auto")))
    failures.Failures(1).pytest_sessionfinish(session)
    assert session.config.option.tbstyle == "no"


@pytest.mark.parametrize(("setting", "names"), [("1", [machine.FAILURES]), ("", [])])
def test_failures_are_shown_only_where_asked(
    monkeypatch: pytest.MonkeyPatch, setting: str, names: list[str]
) -> None:
    monkeypatch.setenv(machine.FAILURES, setting)
    plugins: dict[str, object] = {}
    config: Any = SimpleNamespace(
        pluginmanager=SimpleNamespace(register=lambda plugin, name: plugins.update({name: plugin}))
    )
    failures.pytest_configure(config)
    assert list(plugins) == names
