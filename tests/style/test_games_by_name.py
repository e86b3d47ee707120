"""No code of events names a game: the features of a game are in its folder."""

from __future__ import annotations

import re
from pathlib import Path

import rules
from tests.style.sources import CLONE, name_file, read_text

KEYS = re.compile(rf"\b({'|'.join(game.key for game in rules.games())})\b")
# The demo plays a game; `ufs` is the key of our default system of standings as well.
EXCEPTIONS = {
    "tournament/demo.py",
    "tournament/engine/__main__.py",
    "tournament/engine/event_options.py",
    "tournament/events/models/event.py",
    "tournament/standings/selectors/standings.py",
}


def files() -> list[Path]:
    folders = (CLONE / "tournament", CLONE / "templates" / "tournament")
    files = (
        file for folder in folders for file in folder.rglob("*.*") if file.suffix in (".py", ".html", ".js")
    )
    return [file for file in files if "migrations" not in file.parts]


def test_no_game_stands_in_the_code_of_events_by_its_key() -> None:
    texts = {name_file(file) for file in files() if KEYS.search(read_text(file))}
    assert texts == EXCEPTIONS
