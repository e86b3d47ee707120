"""Fixtures and hooks for all tests; the parts are in tests/fixtures."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import SimpleTestCase

from tests import machine

pytest_plugins = [
    "tests.fixtures.call_stack",
    "tests.fixtures.failures",
    "tests.fixtures.processes",
    "tests.fixtures.pure",
    "tests.fixtures.api_answers",
    "tests.fixtures.databases",
    "tests.fixtures.draws",
    "tests.fixtures.replacements",
    "tests.fixtures.servers",
    "tests.fixtures.static",
    "tests.fixtures.templates",
    "tests.fixtures.shown_pages",
    "tests.fixtures.browser",
    "tests.fixtures.desk",
    "tests.fixtures.workers",
    "tests.fixtures.paper",
    "tests.fixtures.full_disk",
]

DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup"}
LONG = ("worker", "slow", "browser")
# Fixtures whose tests may replace code that fills caches, count statements, or write other rows of one key.
REPLACING = {
    "caplog", "django_assert_max_num_queries", "django_assert_num_queries", "monkeypatch", "settings",
    "transactional_db",
}  # fmt: skip
# PostgreSQL runs the tests with one of these marks.
SELECTING = ("both_databases", "daily_on_postgres", "postgres")


def pytest_report_header() -> str:
    """Show the database of this run in the header."""
    return f"database: {'SQLite' if machine.on_sqlite() else 'PostgreSQL'}"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Skip modules without a test for PostgreSQL when the tests run on PostgreSQL.

    Importing all modules takes several seconds.
    """
    if machine.on_sqlite() or machine.whole() or collection_path.suffix != ".py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    return None if any(f"pytest.mark.{name}" in text for name in SELECTING) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put long tests first; deselect those of the other database."""
    from tests.fixtures.pure import WHOLE_ONLY

    items[:] = long_tests_first(items)
    for item in filter(is_long, items):
        # The test waits for another process: on a busy machine, one failed try proves nothing.
        item.add_marker(pytest.mark.flaky(reruns=1))
    if machine.on_sqlite():
        for item in items:
            if item.get_closest_marker("postgres"):
                item.add_marker(pytest.mark.skip(reason="shown by the run on PostgreSQL"))
            if item.get_closest_marker("daily_on_postgres") and not machine.whole():
                item.add_marker(pytest.mark.skip(reason=f"{WHOLE_ONLY}: the run on PostgreSQL"))
    else:
        once_items = set(once_where_modules_ask([item for item in items if is_for_postgres(item)]))
        config.hook.pytest_deselected(items=[item for item in items if item not in once_items])
        items[:] = [item for item in items if item in once_items]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Pass the fixtures of the test to the event cache.

    A test that replaces or counts something finds nothing that an earlier one has read.
    """
    from tests.fixtures.databases import clear_row_caches
    from tests.scenarios.event_cache import memory

    fixture_names = getattr(item, "fixturenames", ())
    memory.begin(fixture_names)
    if not REPLACING.isdisjoint(fixture_names):
        clear_row_caches()


def long_tests_first(items: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests with long ones at the start.

    A long test should not begin when the other processes have nothing left.
    """
    marks = [*LONG, None]
    return sorted(items, key=lambda item: marks.index(next(filter(item.get_closest_marker, LONG), None)))


def is_long(item: pytest.Item) -> bool:
    """Return whether the test waits for a browser, a worker or a clock."""
    return any(item.get_closest_marker(name) for name in LONG)


def is_for_postgres(item: pytest.Item) -> bool:
    """Return whether PostgreSQL runs the test.

    It does if the test has the mark, or if all tests that need a database run. The marks of a test override
    those of its module.
    """
    if machine.whole():
        return uses_database(item)
    if "one_database" in {mark.name for mark in item.own_markers}:
        return False
    return uses_database(item) and any(item.get_closest_marker(name) for name in SELECTING)


def once_where_modules_ask(items: list[pytest.Item]) -> list[pytest.Item]:
    """Keep the first case of tests that only their module marks.

    Python alone decides the others. Tests with their own mark keep all cases, and so does the whole run.
    """
    first = {item.nodeid.partition("[")[0]: item for item in reversed(items)}
    return [
        item
        for item in items
        if machine.whole()
        or item is first[item.nodeid.partition("[")[0]]
        or not {mark.name for mark in item.own_markers}.isdisjoint(SELECTING)
    ]


def uses_database(item: pytest.Item) -> bool:
    """Return whether the test may use the database.

    All others are blocked from it and have run on SQLite.
    """
    case = getattr(item, "cls", None)
    return (
        item.get_closest_marker("django_db") is not None
        or not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))
        or (case is not None and issubclass(case, SimpleTestCase))
    )
