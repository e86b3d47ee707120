"""What the formatter of templates does not hold: short lines, and words beside tags without glue."""

from __future__ import annotations

from collections.abc import Iterator

from tests.style.test_style import CLONE

LONGEST_LINE = 120
GLUE = '{{ "" }}'


def _lines() -> Iterator[tuple[str, str]]:
    for path in sorted((CLONE / "templates").rglob("*.html")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield f"{path.relative_to(CLONE)}:{number}", line


def test_no_line_of_a_template_is_longer_than_its_formatter_wants():
    assert [place for place, line in _lines() if len(line) > LONGEST_LINE] == []


def test_no_template_holds_words_together_with_an_empty_value():
    """Between two tags the formatter may add a space; a phrase beside a value is worked out in Python."""
    assert [place for place, line in _lines() if GLUE in line] == []
