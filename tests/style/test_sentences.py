"""What Ringside says is never read back: these rooms apply patterns to what people type alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
ROOMS = ("pairing", "brackets", "standings", "results", "clock", "engine")
# Modules with patterns for typed words, names of fields and keys.
READ_WHAT_PEOPLE_TYPE = {
    "pairing/options.py",
    "results/forms.py",
    "engine/standings/systems/custom.py",
}


def imports_patterns(file: Path) -> bool:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return any(
        (isinstance(node, ast.Import) and any(name.name == "re" for name in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "re")
        for node in ast.walk(tree)
    )


@pytest.mark.parametrize("room", ROOMS)
def test_room_applies_no_pattern_to_a_sentence(room: str) -> None:
    tournament = ROOT / "tournament"
    found = {
        str(file.relative_to(tournament))
        for file in (tournament / room).rglob("*.py")
        if imports_patterns(file)
    }
    assert found <= READ_WHAT_PEOPLE_TYPE


def test_engine_names_no_player_in_a_text() -> None:
    """Names and numbers of players stand in references; the engine's modules hold no sentence about one."""
    texts = [
        file.name
        for file in (ROOT / "tournament" / "engine").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        for part in node.values
        if isinstance(part, ast.Constant) and str(part.value).casefold().endswith("player ")
    ]
    assert texts == ["wording.py"]
