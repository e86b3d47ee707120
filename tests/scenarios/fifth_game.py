"""Games that the tutorials build, file by file.

One is of data alone, and one has a check of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorial"


def read_files(page: str, game: str) -> dict[str, str]:
    """Return the files of a game that a tutorial shows, by their paths."""
    text = (TUTORIALS / page).read_text(encoding="utf-8")
    shown_text = rf"^`({game}/[\w./-]+)`\n\n```\w+\n(.*?)^```$"
    return dict(re.findall(shown_text, text, re.MULTILINE | re.DOTALL))


FILES = read_files("add-a-game-with-code.md", "tidewater")
EMBERHOLD = read_files("add-a-game.md", "emberhold")


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Write the files of a game below a folder, and return the folder."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder


def write_tidewater(folder: Path) -> Path:
    """Write the game with code below a folder, and return the folder."""
    return write_files(folder, FILES)
