"""A test over a table of cases.

It fails with each wrong case, and hides neither a skipped case nor an empty table.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests import machine
from tests.everyday import each_case, each_nth


def try_table(cases: list[Any]) -> None:
    @each_case("number", cases)
    def check(number: int, least: int) -> None:
        if number == 0:
            pytest.skip("zero")
        assert number >= least

    check(least=2)


def test_a_table_whose_cases_all_hold_passes() -> None:
    try_table([2, 3])


def test_each_case_that_fails_is_shown_with_its_values() -> None:
    with pytest.raises(ExceptionGroup) as faults:
        try_table([1, 0, 2, -1])
    notes = [fault.__notes__ for fault in faults.value.exceptions]
    assert notes == [["The case: {'number': 1}"], ["The case: {'number': -1}"]]


@pytest.mark.parametrize("cases", [[2, 0, 3], []], ids=["a case", "all of none"])
def test_what_is_not_tried_is_skipped(cases: list[int]) -> None:
    with pytest.raises(pytest.skip.Exception):
        try_table(cases)


def test_cases_for_the_whole_run_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = each_nth(2, [2, 1])
    monkeypatch.setattr(machine, "whole", lambda: False)
    try_table(cases)
    monkeypatch.setattr(machine, "whole", lambda: True)
    with pytest.raises(ExceptionGroup):
        try_table(cases)
