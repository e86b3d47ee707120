"""A printed list that is shown by a browser.

Figures take one line, beside the name that they belong to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.fixtures.browser import LAPTOP

pytestmark = [pytest.mark.django_db, pytest.mark.browser]
# Number of lines of the figures of each row.
LINES = """() => [...document.querySelectorAll(".list td.l-figures span")].map(figures =>
    Math.round(figures.getBoundingClientRect().height / parseFloat(getComputedStyle(figures).fontSize)))"""


def test_figures_of_a_printed_list_in_a_browser_take_one_line(open_pages: Callable[..., Any]) -> None:
    lines_by_page = {}
    for page, tab in open_pages(LAPTOP, lambda page: page.screen.page in ("print_page", "league_print")):
        lines_by_page[page.screen.page] = set(tab.evaluate(LINES))
    assert lines_by_page == {"print_page": {1}, "league_print": {1}}
