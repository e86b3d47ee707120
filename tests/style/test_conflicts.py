"""The one way in which an edit conflict is found.

There is one fingerprint of what was seen, and a Conflict where it is older.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.style.sources import find_nodes, list_modules, name_file, read_text, walk

FASTER = re.compile(r"(_changed|_changed_since|_meanwhile|_gone|_stale)(\.\w+)?$")
# Nothing that someone saw is older than what is stored.
OTHER_CHANGES = {"field_changed", "sides_not_changed"}
# The hash of a text made of a value, as fingerprints are.
HASH_OF_VALUE = re.compile(r"(sha256|blake2b|md5)\((repr\(|json\.dumps\()")
FINGERPRINTS = "decks/shared/fingerprints.py"


def iter_plain_refusals(nodes: list[ast.Call]) -> Iterator[str]:
    """Yield the codes of refusals that are no conflicts."""
    for node in nodes:
        names = (
            getattr(node.func, "id", ""),
            [each.value for each in node.args if isinstance(each, ast.Constant)],
        )
        if names[0] == "Refused":
            yield from (str(code) for code in names[1][:1])


def test_someone_who_was_faster_is_a_conflict_everywhere() -> None:
    codes = {
        code
        for file in list_modules("decks", "tournament")
        for code in iter_plain_refusals(list(find_nodes(file, ast.Call)))
        if FASTER.search(code)
    }
    assert codes == OTHER_CHANGES


def test_values_are_hashed_by_one_function() -> None:
    modules = {
        name_file(file)
        for file in list_modules("decks", "tournament")
        if HASH_OF_VALUE.search(read_text(file))
    }
    assert modules == {FINGERPRINTS}


@pytest.mark.parametrize(
    ("source", "codes"),
    [
        ('raise Refused("draft_changed", a=1)', ["draft_changed"]),
        ('raise Conflict("draft_changed")', []),
        ('return Refused("changed_since.row")', ["changed_since.row"]),
    ],
)
def test_refusals_are_read_from_code(source: str, codes: list[str]) -> None:
    calls = [node for node in walk(ast.parse(source)) if isinstance(node, ast.Call)]
    assert list(iter_plain_refusals(calls)) == codes
