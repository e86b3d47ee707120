"""A name that is read from right to left leaves figures where they are.

The figures are those beside it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser
STYLES = Path(__file__).parents[2] / "tournament/static/ringside/css/base.css"
LINE = "<p>2. <strong>مريم الحسن</strong> <span>3 points</span></p>"
IS_BEHIND = """() => {
  const left = (selector, signs) => {
    const part = document.createRange();
    const words = document.querySelector(selector).firstChild;
    part.setStart(words, 0);
    part.setEnd(words, signs);
    return part.getBoundingClientRect().left;
  };
  return left("span", 1) > left("strong", 10);
}"""


@pytest.mark.parametrize(("styles", "is_behind"), [("", False), (STYLES.read_text(), True)])
def test_points_stand_behind_a_name_in_arabic_by_the_styles_alone(
    browser: Any, styles: str, is_behind: bool
) -> None:
    page = browser.new_page()
    page.set_content(f"<style>{styles}</style>{LINE}")
    assert page.evaluate(IS_BEHIND) == is_behind
    page.close()
