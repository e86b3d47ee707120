"""The codes that importers use are those that are listed.

Each has a golden file or a test of its own.
"""

from __future__ import annotations

import ast
from pathlib import Path

from decks.importers.model import ERROR_CODES, NOTICE_CODES

SOURCES = Path(__file__).parents[3] / "decks" / "importers"
# Codes of the text around another reason, or tells how words were read.
OTHERS = {"at_line", "of_pool", "read_with"}


def list_used_codes() -> set[str]:
    """Return the code of every reason that importers give.

    The variant of its words is left out.
    """
    used_codes = set()
    for path in SOURCES.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "reason":
                codes = ast.walk(node.args[0])
                used_codes |= {part.value.partition(".")[0] for part in codes if _is_text(part)}
    return used_codes - OTHERS


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def test_every_code_that_is_used_is_listed_and_every_listed_code_is_used() -> None:
    assert list_used_codes() == {*ERROR_CODES, *NOTICE_CODES}


def test_no_code_is_both_an_error_and_a_notice() -> None:
    assert not ERROR_CODES.keys() & NOTICE_CODES.keys()


def test_every_code_is_shown_by_a_golden_file_or_a_test() -> None:
    golden = Path(__file__).parents[2] / "golden" / "decks"
    texts = [path.read_text(encoding="utf-8") for path in golden.glob("*.lines")]
    texts += [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    assert [code for code in {*ERROR_CODES, *NOTICE_CODES} if not any(code in text for text in texts)] == []
