"""Random days: everybody presses anything at any time, and every promise is looked at after every press."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests import machine
from tests.tournament.day.machine import Day

# RINGSIDE_TEST_DAYS=400 lives through as many longer days; the few of every run keep the suite short.
DAYS = int(os.environ.get(machine.DAYS, "0"))


@pytest.mark.django_db
def test_random_days_lose_no_result_and_every_step_taken_back_returns_the_former_state() -> None:
    chosen = settings(
        max_examples=DAYS or 4,
        stateful_step_count=70 if DAYS else 25,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        print_blob=True,
    )
    run_state_machine_as_test(Day, settings=chosen)
