"""Waits of tests: long enough for a busy machine, and never measured."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator

import pytest

from tests.style.sources import list_modules, list_nodes, name_file, walk

SHORTEST_WAIT = 60
# Calls that wait for another thread, process or peer, and the place of the number of seconds among arguments.
WAITS = {"wait": 0, "join": 0, "communicate": 1, "wait_for": 1, "until": 2}
CLOCKS = {"monotonic", "perf_counter", "process_time"}


def find_seconds(call: ast.Call) -> Iterator[float]:
    """Yield the seconds that a call waits at most, where they are written in it."""
    function = call.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    place = WAITS.get(name)
    places = call.args[place : place + 1] if place is not None else []
    for each in [*places, *(keyword.value for keyword in call.keywords if keyword.arg == "timeout")]:
        if isinstance(each, ast.Constant) and isinstance(each.value, int | float):
            yield each.value


def short_waits(nodes: Iterable[ast.AST]) -> list[int]:
    """Return the lines with a wait that a busy machine could exceed."""
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    return [call.lineno for call in calls for seconds in find_seconds(call) if seconds < SHORTEST_WAIT]


def clocks_in_assertions(nodes: Iterable[ast.AST]) -> list[int]:
    """Return the lines in which an assertion reads a clock."""
    assertions = [node for node in nodes if isinstance(node, ast.Assert)]
    parts = [node for each in assertions for node in walk(each.test)]
    return [node.lineno for node in parts if isinstance(node, ast.Attribute) and node.attr in CLOCKS]


def lines_of_tests(find: Callable[[Iterable[ast.AST]], list[int]]) -> list[str]:
    files = list_modules("tests")
    return [f"{name_file(file)}:{line}" for file in files for line in find(list_nodes(file))]


def test_no_test_waits_for_less_than_a_minute() -> None:
    assert lines_of_tests(short_waits) == []


def test_no_assertion_reads_a_clock() -> None:
    assert lines_of_tests(clocks_in_assertions) == []


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("process.wait(10)", [1]),
        ("thread.join()\nthread.join(59.5)", [2]),
        ("wait_for(answers, 5)\nwait_for(answers)", [1]),
        ("queue.get(timeout=2)", [1]),
        ("' '.join(words)\npage.wait(SECONDS)\nuntil(job, 'done', 60)", []),
    ],
)
def test_short_waits_are_found(text: str, lines: list[int]) -> None:
    assert short_waits(walk(ast.parse(text))) == lines


def test_clocks_in_assertions_are_found() -> None:
    text = "assert time.monotonic() - began < 5\nend = time.monotonic() + 5"
    assert clocks_in_assertions(walk(ast.parse(text))) == [1]
