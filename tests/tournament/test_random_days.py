"""Random days and seasons.

Everyone presses anything at any time, and every promise is looked at each time.
"""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests import machine
from tests.scenarios.day.machine import Day
from tests.scenarios.day.season import Season

pytestmark = pytest.mark.both_databases

# RINGSIDE_TEST_DAYS=400 lives through as many longer days; the few of every run keep the suite short.
DAYS = int(os.environ.get(machine.DAYS, "0"))


@pytest.mark.daily_on_postgres
@pytest.mark.django_db
def test_random_days_lose_no_result_and_every_step_taken_back_returns_the_former_state() -> None:
    run_state_machine_as_test(Day, settings=_settings(4, 25))


@pytest.mark.daily_on_postgres
@pytest.mark.django_db
def test_random_seasons_leave_a_table_that_equals_a_recomputation() -> None:
    run_state_machine_as_test(Season, settings=_settings(2, 12))


def _settings(everyday: int, steps: int) -> settings:
    return settings(
        max_examples=DAYS or machine.examples(everyday),
        stateful_step_count=70 if DAYS else steps,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
