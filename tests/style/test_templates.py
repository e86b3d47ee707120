"""Rules for templates that the formatter does not check.

Lines are short, and no space is missing beside tags.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

from tests.style.sources import CLONE

LONGEST_LINE = 120
GLUE = '{{ "" }}'


def _lines() -> Iterator[tuple[str, str]]:
    for path in sorted(path for path in (CLONE / "templates").rglob("*") if path.suffix in (".html", ".txt")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            yield f"{path.relative_to(CLONE)}:{number}", line


def test_no_line_of_a_page_or_an_email_is_longer_than_the_formatter_of_templates_wants():
    """Check that no template line is longer than the formatter wants.

    A tag cannot be broken into lines. Therefore, a long text goes between two tags, and a long value gets a
    name.
    """
    assert [place for place, line in _lines() if len(line) > LONGEST_LINE] == []


def test_no_template_holds_words_together_with_an_empty_value():
    """Check that no template joins words with an empty value.

    Between two tags the formatter may add a space. Therefore, a phrase beside a value is worked out in
    Python.
    """
    assert [place for place, line in _lines() if GLUE in line] == []


SHOWN_CLAUSE = re.compile(r"\{\{[^}]*\bclause\b[^}]*\}\}")
# Each page that says in which place of a document something is written, beside the name of the document.
NAMING_PLACES = frozenset({"decks/editions/document.html", "decks/editions/edition.html"})
# A paragraph of the document that a draft was read from; its entries are cited.
PARAGRAPH = "{{ clause }}, Line {{ line }}"


def test_no_page_shows_a_clause_but_as_a_tag_that_opens_the_reference():
    """`cite_clause` and its kin make the tag. Paper shows the tag alone."""
    folder = CLONE / "templates"
    names = {path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.html"))}
    bare_clauses = [
        (name, clause)
        for name, path in names.items()
        if name not in NAMING_PLACES and not name.startswith("tournament/printing/")
        for clause in SHOWN_CLAUSE.findall(path.read_text("utf-8").replace(PARAGRAPH, ""))
    ]
    assert bare_clauses == []


LABEL_WITH_OPTIONAL = re.compile(r"""\blabel\s*=\s*f?["'][^"'\n]*\boptional\b""", re.IGNORECASE)


def test_no_label_of_a_field_says_optional_beside_the_template_that_does():
    files = (
        path
        for package in ("rules", "decks", "tournament", "config")
        for pattern in ("*.py", "*.toml")
        for path in sorted((CLONE / package).rglob(pattern))
    )
    assert [str(path) for path in files if LABEL_WITH_OPTIONAL.search(path.read_text("utf-8"))] == []


# A page that shows a part of a room above its own: that room's address gives the part its values as well.
PARTS_FROM_ABOVE = {
    ("decks/editions/draft.html", "decks/rechecks/_would_break.html"),
}


def _places() -> dict[str, int]:
    """Return the layer of each folder.

    The order is components, shells, then the rooms in the order of their layers.
    """
    project = tomllib.loads((CLONE / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    layers = [["components"], ["shells"]] + [
        [f"{package}/{room.strip()}" for room in layer.split("|")]
        for package in ("decks", "tournament")
        for contract in contracts
        if contract["type"] == "layers" and contract.get("containers") == [package]
        for layer in reversed(contract["layers"])
    ]
    return {room: place for place, rooms in enumerate(layers) for room in rooms}


def _room(template: str) -> str:
    """Return the folder that a template belongs to.

    The markup of a form's fields is a component.
    """
    parts = template.replace("django/forms", "components").split("/")
    return parts[0] if parts[0] in ("components", "shells") else "/".join(parts[:2])


def _used_templates() -> Iterator[tuple[str, str]]:
    folder = CLONE / "templates"
    for path in sorted(folder.glob("*/**/*")):
        if path.is_file():
            for used_template in re.findall(r'{% (?:include|extends) "([^"]+)"', path.read_text("utf-8")):
                yield path.relative_to(folder).as_posix(), used_template


def test_a_template_uses_those_of_its_room_or_of_a_room_below():
    places = _places()
    above = {
        (template, used_template)
        for template, used_template in _used_templates()
        if _room(template) != _room(used_template) and places[_room(used_template)] >= places[_room(template)]
    }
    assert above == PARTS_FROM_ABOVE


def test_each_stepper_scrolls_by_keyboard_too():
    steppers = re.findall(r'<ol class="stepper"[^>]*>', "\n".join(line for _, line in _lines()))
    assert len(steppers) == 3
    assert [each for each in steppers if 'tabindex="0"' not in each or "aria-label" not in each] == []


TEMPLATE_ELEMENT = re.compile(r"<template\b.*?</template>", re.DOTALL)


def test_videos_and_sounds_are_in_a_template_element_until_they_are_needed():
    """Chromium keeps each page in memory that was read from its text and has one.

    A page that follows an event is read so at each of its changes.
    """
    texts = {path: path.read_text("utf-8") for path in (CLONE / "templates").rglob("*.html")}
    by_path = {
        path: re.findall(r"<(?:video|audio)\b", TEMPLATE_ELEMENT.sub("", texts[path])) for path in texts
    }
    assert {path.name: tags for path, tags in by_path.items() if tags} == {}
