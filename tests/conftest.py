"""What every test may use; the parts are in tests/fixtures."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest
from django.test import SimpleTestCase
from hypothesis import settings

from tests import machine

pytest_plugins = [
    "tests.fixtures.api_answers",
    "tests.fixtures.databases",
    "tests.fixtures.servers",
    "tests.fixtures.static",
    "tests.fixtures.browser",
    "tests.fixtures.workers",
]

# How long an example takes says how busy the machine is.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
# Nothing in these folders knows that there is a database, so that one run says it all.
DATABASE_FIXTURES = {"db", "transactional_db", "django_db_setup"}
LONG = ("browser", "worker")
WHOLE_ONLY = "left for RINGSIDE_TEST_WHOLE=1"
WITHOUT_DATABASE = ("rules", "engine", "importers")
# What a page, a sheet or a file shows is made of rows that both databases return alike: the tests of services
# have asked both for them. PostgreSQL, the stricter, is asked for every address all the same (`test_rights`).
SHOWN_IN_FOLDERS = ("browser", "screens")
SHOWN_ALIKE = (
    "*_page", "*_pages", "*_pages_*", "test_public_*", "test_page_cache*", "test_print*",
    "*_in_browser", "test_list_access", "test_schema", "test_demo", "test_documents*", "test_resolve_*",
    "test_catalogue_fuzz", "test_real_data", "test_admin", "test_list_files", "test_removals",
    "test_checking",
    "test_real_worker", "test_streams", "test_whole_start", "test_filled_pages", "test_*_sheets",
    "test_page_sizes", "test_player_tables", "test_past_standings",
)  # fmt: skip
# These work out in Python what follows from rows, or call over HTTP the services that others call here.
WORKED_OUT_ALIKE = (
    "*_by_api", "*_api", "test_standings_system", "test_points_of_pairings",
    "test_cuts", "test_cut_again", "test_groups", "test_carried_losses", "test_disqualified_players",
    "test_properties", "test_random_days", "test_undo_at_random",
    "test_undeclared_characters", "test_time_called", "test_list_rulings", "test_local_rules",
)  # fmt: skip
# Most of these ask for pages; all but a handful of their statements are asked by the tests that stay.
ASKED_BY_OTHERS = (
    "test_check_in", "test_concurrent_forms", "test_leagues", "test_account", "test_list_exchanges",
    "test_answers", "test_delivery", "test_time_zones", "test_list_notices", "test_days",
    "test_consequences", "test_invitation_to_register", "test_event_form", "test_editions_judge",
    "test_versions", "test_exchanges", "test_pools", "test_decklists", "test_recheck_worker", "test_reports",
)  # fmt: skip
LEFT_TO_SQLITE = (*SHOWN_ALIKE, *WORKED_OUT_ALIKE, *ASKED_BY_OTHERS)


def pytest_report_header() -> str:
    """Say which database this run is on."""
    return f"database: {'SQLite' if machine.on_sqlite() else 'PostgreSQL'}"


def pytest_sessionstart() -> None:
    """Look for no garbage while tests are collected: all that is made stays to the end."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Look for garbage again, rarely, and not among what collecting has made."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)
    gc.enable()


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave out, on PostgreSQL, what cannot depend on the database."""
    if machine.on_sqlite():
        return None
    if collection_path.is_dir():
        left_out = WITHOUT_DATABASE if machine.whole() else (*WITHOUT_DATABASE, *SHOWN_IN_FOLDERS)
        return True if collection_path.name in left_out else None
    is_shown = collection_path.suffix == ".py" and not may_differ(collection_path.stem)
    return True if is_shown else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put what takes longest first; on each database leave out what it cannot show."""
    # Two processes share the tests; one of them should not begin the longest when the other has nothing left.
    items.sort(key=lambda item: not any(item.get_closest_marker(name) for name in LONG))
    if machine.on_sqlite():
        for item in items:
            if item.get_closest_marker("postgres"):
                item.add_marker(pytest.mark.skip(reason="shown by the run on PostgreSQL"))
    else:
        kept = set(first_examples(item for item in items if uses_database(item)))
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = [item for item in items if item in kept]
    if not machine.whole():
        for item in items:
            if left := item.get_closest_marker("whole"):
                item.add_marker(pytest.mark.skip(reason=f"{WHOLE_ONLY}: {left.args[0]}"))


def first_examples(items: Iterable[pytest.Item]) -> Iterator[pytest.Item]:
    """Of tests that are asked with several values the first; every one with `RINGSIDE_TEST_WHOLE=1`.

    The statements are the same for all values, and SQLite is asked with each.
    """
    asked = set()
    for item in items:
        test = item.nodeid.partition("[")[0]
        if machine.whole() or test not in asked or item.get_closest_marker("whole"):
            yield item
        asked.add(test)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tell the builders of events what the test's fixtures ask for; pytest-django's own replace nothing."""
    from tests.scenarios.event_cache import memory

    info = getattr(item, "_fixtureinfo", None)
    known = info.name2fixturedefs.items() if info else ()
    ours = [each for name, found in known if not name.startswith("_") for each in found]
    marked = [name for mark in item.iter_markers("usefixtures") for name in mark.args]
    memory.begin([*marked, *(name for each in ours for name in each.argnames)])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    """Tell them what the test itself asks for."""
    from tests.scenarios.event_cache import memory

    info = getattr(item, "_fixtureinfo", None)
    memory.go_on(info.argnames if info else ())


def may_differ(module: str) -> bool:
    """Whether the databases could answer differently; `RINGSIDE_TEST_WHOLE=1` takes that for all tests."""
    return machine.whole() or not any(fnmatch(module, pattern) for pattern in LEFT_TO_SQLITE)


def uses_database(item: pytest.Item) -> bool:
    """Whether the test may reach the database; all others are kept from it and have run on SQLite."""
    case = getattr(item, "cls", None)
    return (
        item.get_closest_marker("django_db") is not None
        or not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))
        or (case is not None and issubclass(case, SimpleTestCase))
    )


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real data; tests that hold the code against it are skipped where there is none."""
    folder = machine.real_data()
    if folder is None:
        pytest.skip("RINGSIDE_REAL_DATA names no folder")
    return folder
