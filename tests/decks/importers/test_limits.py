"""A hostile file can do no harm.

Speed itself is measured in `benchmarks/importers.py`.
"""

from __future__ import annotations

import tracemalloc

import pytest

from decks.importers.parsing import MAX_BYTES, MAX_LINES, parse
from tests.everyday import each_case, each_nth

MEGABYTE = 1_000_000
HOSTILE = {
    "one line": b"x" * MEGABYTE,
    "noise": bytes(range(256)) * (MEGABYTE // 256),
    "long lines": (b"1" * 190 + b"\n") * 300,
    "objects": b'{"a":' * (MEGABYTE // 5),
    "arrays": b'["a",' + b"[]," * (MEGABYTE // 3),
    "depth": b"<deck>" + b"<a>" * (MEGABYTE // 3),
    "attributes": b"<deck " + b"".join(b'a%d="" ' % n for n in range(90_000)) + b"/>",
    "commas": b"qty,name\n" + b"," * (MEGABYTE - 10),
    "garbled": "â€™".encode() * (MEGABYTE // 8),
    "wide": "Ж".encode("utf-16") * (MEGABYTE // 4),
}


@pytest.mark.parametrize("name", each_nth(3, HOSTILE))
def test_a_megabyte_of_anything_takes_little_memory_and_raises_nothing(name: str) -> None:
    tracemalloc.start()
    try:
        deck = parse(HOSTILE[name])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 50_000_000
    assert len(deck.lines) <= 2 * MAX_LINES


def test_a_file_beyond_the_limit_is_refused_whole() -> None:
    deck = parse(b"4 Golem\n" * (MAX_BYTES // 8 + 1))
    assert deck.lines == ()
    assert [problem.code for problem in deck.problems] == ["too_large"]


def test_limits_are_the_callers() -> None:
    assert [problem.code for problem in parse("4 Golem\n", max_bytes=7).problems] == ["too_large"]
    assert [problem.code for problem in parse("4 Golem\n", max_bytes=8).problems] == []
    assert [problem.code for problem in parse("4 Golem\n" * 3, max_lines=2).problems] == ["too_many_lines"]
    assert [problem.code for problem in parse("4 Golem\n" * 2, max_lines=2).problems] == []


@each_case(
    "text",
    [
        "4 Golem\n" * 11,
        "qty,name\n" + "4,Golem\n" * 11,
        '{"main": [' + ",".join(['{"card": "A", "qty": 1}'] * 11) + "]}",
        '<deck game="g"><section name="Main">' + '<card qty="1" id="a"/>' * 50 + "</section></deck>",
    ],
)
def test_every_type_of_file_has_a_limit_of_entries(text: str) -> None:
    deck = parse(text, max_lines=10)
    assert deck.lines == ()
    assert [problem.code for problem in deck.problems] == ["too_many_lines"]


@each_case(
    ("data", "says"),
    [
        (b"PK\x03\x04abc", "spreadsheet"),
        (b"%PDF-1.7", "PDF"),
        (b"\x89PNG\r\n", "picture"),
        (b"\x01\x02\x03\x04" * 20, "not text"),
    ],
)
def test_files_that_are_no_text_are_named(data: bytes, says: str) -> None:
    (problem,) = parse(data).problems
    assert problem.code == "not_text"
    assert says in problem.sentence
