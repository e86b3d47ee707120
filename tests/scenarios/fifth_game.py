"""A fifth game: the folder that the page on adding a game builds, file by file."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "tutorial" / "add-a-game.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`(tidewater/[\w./-]+)`\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def write_tidewater(folder: Path) -> Path:
    """Write the game below a folder, and return the folder."""
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
