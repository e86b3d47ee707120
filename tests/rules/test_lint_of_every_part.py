"""Lint for every shipped data file.

It refuses a file in which one name, or the kind of one value, is wrong.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rules.library import SHIPPED, Library, get_shipped_library
from rules.lint import lint
from tests.everyday import each_case, each_nth

# Messages in other languages are compared with the English ones in tests/translations.
FILES = sorted(
    file for file in SHIPPED.rglob("*.toml") if file.parent.name != "messages" or file.stem == "en"
)
DEFAULTS = SHIPPED.parent / "timed" / "defaults.toml"
FREE = re.compile(r"^(rules|conditions)/[^/]+$|^rules/[^/]+/readings/[^/]+$|^gem_sheet/gems/[^/]+$")
"""Names that someone gave to a rule, a condition, a reading or a gem: there is no right one."""

Place = tuple[str | int, ...]


def places(value: Any, path: Place = ()) -> Iterator[Place]:
    """Yield every key of a data file, with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield (*path, key)
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from places(inner, (*path, number))


def shapes(data: dict[str, Any]) -> dict[str, Place]:
    """Return one path for each kind of key.

    Keys that occur in many entries are checked once.
    """
    shapes: dict[str, Place] = {}
    for place in places(data):
        shape = "/".join("*" if isinstance(part, int) else part for part in place)
        if not FREE.match(shape):
            shapes.setdefault(shape, place)
    return shapes


def owner(data: Any, place: Place) -> dict[str, Any]:
    for part in place[:-1]:
        data = data[part]
    return data


def rename_key(data: dict[str, Any], place: Place) -> dict[str, Any]:
    changed_data = copy.deepcopy(data)
    table = owner(changed_data, place)
    table[f"{place[-1]}x"] = table.pop(place[-1])
    return changed_data


class Odd:
    """A value of a kind that no data file has."""


def of_another_kind(data: dict[str, Any], place: Place) -> dict[str, Any]:
    changed_data = copy.deepcopy(data)
    owner(changed_data, place)[place[-1]] = Odd()
    return changed_data


def passes(file: Path, data: dict[str, Any]) -> bool:
    """Return whether lint finds nothing in the shipped data with one file changed."""
    shipped_library = get_shipped_library()
    library = Library(SHIPPED)
    library._tables_by_file.update({**shipped_library._tables_by_file, file: data})
    if file.parent.parent.parent == SHIPPED or file.name in ("game.toml", "timed.toml", "cards.toml"):
        key = file.relative_to(SHIPPED).parts[0]
        library.__dict__["games"] = (library.game(key),) if sound(library, key) else ()
        if not library.games:
            return False
    elif file == DEFAULTS:
        library.__dict__["games"] = ()
    return lint(library) == []


def sound(library: Library, key: str) -> bool:
    """Return whether a game can be read at all; if not, lint says so."""
    try:
        library.game(key)
    except (ValueError, LookupError, TypeError, AttributeError):
        return False
    return True


def list_missed_faults(file: Path, step: int = 1, start: int = 0) -> list[str]:
    data = copy.deepcopy(dict(get_shipped_library().read_table(file)))
    ways = list(shapes(data).items())[start::step]
    unknown = [f"{shape} renamed" for shape, place in ways if passes(file, rename_key(data, place))]
    return [
        *unknown,
        *(f"{shape} odd" for shape, place in ways if passes(file, of_another_kind(data, place))),
    ]


@each_case("place", each_nth(3, range(0, len(FILES), 8)))
def test_a_wrong_name_or_kind_in_a_shipped_file_is_refused(place: int) -> None:
    file = FILES[place]
    assert (file.name, list_missed_faults(file, 41, place % 41)) == (file.name, [])


def test_a_wrong_name_in_the_default_procedure_is_refused() -> None:
    assert list_missed_faults(DEFAULTS) == []


@pytest.mark.whole("every eighth file, few of its names")
@each_case("file", FILES)
def test_every_wrong_name_or_kind_in_every_shipped_file_is_refused(file: Path) -> None:
    assert list_missed_faults(file) == []
