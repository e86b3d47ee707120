"""The page of components.

It shows every class that the heads of the style files name.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.template.loader import render_to_string

STATIC = Path(settings.BASE_DIR) / "tournament" / "static" / "ringside"
# Styles of every page, and those of the console; printed sheets and the venue screen have files of their own.
NAMED = re.findall(r"ringside/([a-z_]+/[a-z]+\.css)", render_to_string("components/styles.html"))
OF_SHELLS = ["results/round.css", "css/console_wide.css", "judging/judge.css"]
STYLES = [STATIC / name for name in (*NAMED, *OF_SHELLS)]
# In the frame of every page, seen only while a request is running, or for another width of the whole page.
NOT_SHOWN = {
    "htmx-indicator", "page-form", "page-narrow", "page-player", "page-public", "page-table",
    "skip-link", "toasts", "topbar-menu",
}  # fmt: skip


def named_at_the_head(css: str) -> set[str]:
    """Return the classes in the first comment.

    Of `.alert (-error -info)`, alert-error and alert-info are returned as well.
    """
    head = css.partition("*/")[0]
    class_names: set[str] = set()
    for line in head.splitlines():
        first = re.search(r"\.([a-z][a-z0-9_-]*)", line)
        class_names |= set(re.findall(r"(?<![\w/])\.([a-z][a-z0-9_-]*)(?!\w)", line))
        for group in re.findall(r"\(((?:-[a-z]+ ?)+)\)", line):
            class_names |= {f"{first[1]}{ending}" for ending in group.split()} if first else set()
    return class_names - NOT_SHOWN


def classes_shown() -> set[str]:
    html = render_to_string("styleguide.html")
    return {name for value in re.findall(r'class="([^"]*)"', html) for name in value.split()}


def test_endings_in_brackets_are_read_as_classes() -> None:
    css = "/* .alert (-error -info); .messages holds those\n   .card (.card-accent: next) */ .other {}"
    assert named_at_the_head(css) == {"alert", "alert-error", "alert-info", "messages", "card", "card-accent"}


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_page_of_components_shows_every_class_of_the_heads(path: Path) -> None:
    assert sorted(named_at_the_head(path.read_text(encoding="utf-8")) - classes_shown()) == []
