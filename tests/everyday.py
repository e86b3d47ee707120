"""Tests of many cases: which run every day (the others are shown as left), and what is wrong with which."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def each_nth(step: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases for a test, each as a tuple or one value; all but each `step`th for the whole run.

    Where cases are a product of several lists, a step that divides no list's length meets each value.
    """
    return [case if number % step == 0 else _left(case, step) for number, case in enumerate(cases)]


def _left(case: Any, step: int) -> Any:
    whole_mark = pytest.mark.whole(f"one case in {step} of this table")
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=whole_mark)


def list_faults(items: Iterable[Any], find: Callable[[Any], Iterable[Any]]) -> dict[str, list[Any]]:
    """Return what is wrong with each item that has a fault; thousands of small tests would cost more."""
    return {str(item): faults for item in items if (faults := list(find(item)))}
