"""Selection of the many-case tests that run every day.

The others are reported as skipped. The module also lists the failures.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

import pytest

from tests import machine

Test = Callable[..., None]
Case = TypeVar("Case")
# A longer list of faults helps no one.
MOST_SHOWN = 20


def each_nth(step: int, cases: Iterable[Any]) -> list[Any]:
    """Return the cases for a test, each as a tuple or one value.

    All but each `step`th are for the whole run. Where cases are a product of several lists, a step that
    divides no list's length meets each value.
    """
    return [
        case if number % step == 0 else _keep_for_whole_run(case, step) for number, case in enumerate(cases)
    ]


def some(step: int, cases: Sequence[Case]) -> Sequence[Case]:
    """Return each `step`th case; all of them in the whole run."""
    return cases if machine.whole() else cases[::step]


def _keep_for_whole_run(case: Any, step: int) -> Any:
    whole_mark = pytest.mark.whole(f"one case in {step} of this table")
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=whole_mark)


def list_faults(items: Iterable[Any], find: Callable[[Any], Iterable[Any]]) -> dict[str, list[Any]]:
    """Return the fault of each item that has one.

    Thousands of small tests would cost more.
    """
    return {str(item): faults for item in items if (faults := list(find(item)))}


def each_case(
    names: str | Sequence[str],
    cases: Iterable[Any],
    *,
    around: Callable[[], AbstractContextManager[Any]] = nullcontext,
) -> Callable[[Test], Test]:
    """Let a test go through all cases of a table, and fail with all that are wrong.

    For most cases, the overhead of a test of their own costs more than the case. They share the test's
    fixtures: what a case changes, `around` undoes. Takes what `parametrize` takes.
    """
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = list(_everyday_cases(arguments, cases))

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def try_all(**fixtures: Any) -> None:
            skips: list[str] = []
            if not table:
                pytest.skip("the table has no case")
            faults = [fault for case in table if (fault := _try_case(test, case, fixtures, around, skips))]
            if faults:
                raise ExceptionGroup(f"{len(faults)} of {len(table)} cases fail", faults[:MOST_SHOWN])
            if skips:
                pytest.skip(f"{len(skips)} of {len(table)} cases: {skips[0]}; the others pass")

        signature = inspect.signature(test)
        own = [each for name, each in signature.parameters.items() if name not in arguments]
        try_all.__signature__ = signature.replace(parameters=own)  # type: ignore[attr-defined]
        return try_all

    return decorate


def _everyday_cases(arguments: Sequence[str], cases: Iterable[Any]) -> Iterator[dict[str, Any]]:
    for case in cases:
        is_marked = isinstance(case, type(pytest.param()))
        if is_marked and not machine.whole() and any(mark.name == "whole" for mark in case.marks):
            continue
        row = case.values if is_marked else case if len(arguments) > 1 else (case,)
        yield dict(zip(arguments, row, strict=True))


def _try_case(
    test: Test,
    case: dict[str, Any],
    fixtures: dict[str, Any],
    around: Callable[[], AbstractContextManager[Any]],
    skips: list[str],
) -> Exception | None:
    try:
        with around():
            test(**case, **fixtures)
    except pytest.skip.Exception as skip:
        skips.append(str(skip))
    except Exception as fault:
        fault.add_note(f"The case: {case!r:.500}")
        return fault
    return None
