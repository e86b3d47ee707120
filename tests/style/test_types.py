"""Types are specific: if one is left open, a comment says why."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.style.sources import PACKAGES, list_modules, name_file, read_text

OPEN = re.compile(r"\b(?:dict|Mapping)\[str, Any\]")
IGNORED = re.compile("type: ignore")
REASON = "# Any: "
MOST_OPEN = 20
MOST_IGNORED = 3


def find_lines(pattern: re.Pattern[str]) -> Iterator[tuple[str, str, str]]:
    """Yield each line of the program that matches the pattern.

    Each comes with its place, its text and the line above it.
    """
    for file in list_modules(*PACKAGES):
        if not pattern.search(read_text(file)):
            continue
        lines = read_text(file).splitlines()
        for number, (above, line) in enumerate(zip(["", *lines], lines, strict=False), 1):
            if pattern.search(line):
                yield f"{name_file(file)}:{number}", line, above


def test_each_record_of_unknown_values_says_why() -> None:
    pairs = [(place, REASON in line or REASON in above) for place, line, above in find_lines(OPEN)]
    assert [place for place, has_reason in pairs if not has_reason] == []
    assert len(pairs) <= MOST_OPEN


def test_few_lines_are_left_out_of_the_check_of_types() -> None:
    assert len(list(find_lines(IGNORED))) <= MOST_IGNORED
