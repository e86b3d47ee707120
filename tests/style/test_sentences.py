"""What Ringside says is never read back: patterns are for what people type, and for other programs."""

from __future__ import annotations

import ast
from pathlib import Path

from django.conf import settings

ROOT = Path(settings.BASE_DIR)
# Modules with patterns for what people type or scan, names of fields and keys.
READ_WHAT_PEOPLE_TYPE = {
    "decklists/declaration_fields.py",
    "engine/standings/systems/custom.py",
    "judging/selectors.py",
    "my_page/forms.py",
    "pairing/options.py",
    "registration/forms.py",
    "registration/selectors.py",
    "registration/services/player_import.py",
    "results/change_lines.py",
    "results/forms.py",
    "results/places.py",
    "shared/awards.py",
    "shared/names.py",
    "setup/services/copies.py",
    "web/board_fields.py",
}
# Modules with patterns for browsers, archives, the documentation, and names in what people wrote.
READ_OTHER_TEXTS = {
    "accounts/services.py",
    "archive/archived_changes.py",
    "guide/rendering.py",
    "guide/selectors.py",
    "privacy/personal_texts.py",
    "screens/services.py",
    "shared/text.py",
}


def imports_patterns(file: Path) -> bool:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return any(
        (isinstance(node, ast.Import) and any(name.name == "re" for name in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "re")
        for node in ast.walk(tree)
    )


def test_tournament_applies_no_pattern_to_a_sentence() -> None:
    tournament = ROOT / "tournament"
    reading_modules = {
        file.relative_to(tournament).as_posix()
        for file in tournament.rglob("*.py")
        if "migrations" not in file.parts and imports_patterns(file)
    }
    assert reading_modules == READ_WHAT_PEOPLE_TYPE | READ_OTHER_TEXTS


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
