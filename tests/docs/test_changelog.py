"""The format of CHANGELOG.md.

It follows keepachangelog.com, with known sections and one line a change.
"""

from __future__ import annotations

import re

from tests.docs.pages import CHANGELOG

SECTIONS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
VERSION = re.compile(r"## \[(Unreleased|\d+\.\d+\.\d+)\](?: - \d{4}-\d{2}-\d{2})?")
LONGEST = 120
LINES = CHANGELOG.read_text(encoding="utf-8").splitlines()


def test_versions_are_named_and_unreleased_comes_first() -> None:
    versions = [line for line in LINES if line.startswith("## ")]
    assert [line for line in versions if not VERSION.fullmatch(line)] == []
    assert versions[0] == "## [Unreleased]"


def test_sections_are_known_and_stand_once_in_order() -> None:
    first = "\n".join(LINES).split("\n## ")[1]
    sections = re.findall(r"^### (.*)$", first, re.MULTILINE)
    assert sections == [section for section in SECTIONS if section in sections]


def test_each_change_is_one_line() -> None:
    changes = LINES[LINES.index("## [Unreleased]") :]
    assert [line for line in changes if line and not line.startswith(("#", "- "))] == []
    assert [line for line in changes if len(line) >= LONGEST] == []
