"""A check of the selectors in stylesheets.

One change on a page does not give all of it new styles.
"""

from __future__ import annotations

import re

import pytest

from tests.style.sources import CLONE, name_file

WITHOUT_NESTED = re.compile(r"\([^()]*\)")
PAGE = re.compile(r"(?:html|body|main|:root|\.page(?:-\w+)*|\.is-wide)(?=[.:\[#]|$)")
# Pages of the guide do not change.
OF_UNCHANGED_PAGES = ("guide/guide.css",)


def list_wide_selectors(text: str) -> list[str]:
    """Return the selectors by which a change somewhere concerns the whole page.

    These ask of a page whether it contains something, for the sake of another part, and those of any element
    after a sibling.
    """
    rules = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    selectors = [each.strip() for part in re.findall(r"([^{};]*)\{", rules) for each in split_selectors(part)]
    return [each for each in selectors if each[0] != "@" and (asks_page(each) or has_any_sibling(each))]


def split_selectors(group: str) -> list[str]:
    """Return the selectors of a rule; a comma in brackets separates none."""
    parts = [""]
    depth = 0
    for letter in group.strip():
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip()]


def asks_page(selector: str) -> bool:
    """Return whether another part is styled by what a page contains."""
    short = selector
    while (shorter := WITHOUT_NESTED.sub("", short)) != short:
        short = shorter
    *compounds, _ = re.split(r"[\s>+~]+", short)
    return any(":has" in each and PAGE.match(each) for each in compounds)


def has_any_sibling(selector: str) -> bool:
    """Return whether any element after another one is meant."""
    return re.search(r"[+~] *\*", selector) is not None


def test_a_change_on_a_page_restyles_only_parts_that_it_concerns():
    by_file = {
        name_file(path): list_wide_selectors(path.read_text(encoding="utf-8"))
        for path in (CLONE / "tournament" / "static").rglob("*.css")
        if not path.as_posix().endswith(OF_UNCHANGED_PAGES)
    }
    assert {name: selectors for name, selectors in by_file.items() if selectors} == {}


@pytest.mark.parametrize(
    "selector",
    ["body:has(> .page-wide) :is(.topbar, .footer)", ".page-console:has(> .strip) > p", ".prose > * + *"],
)
def test_wide_selector_is_found(selector: str) -> None:
    assert list_wide_selectors(f"@media print {{ .a, {selector} {{ color: red; }} }}") == [selector]


@pytest.mark.parametrize(
    "selector", ["body:has(.toast:not(:empty))", ".card:has(> .table) > p", ".page:not(.a) > p", "p + .note"]
)
def test_selector_of_a_part_is_not_found(selector: str) -> None:
    assert list_wide_selectors(f"{selector} {{ color: red; }}") == []
