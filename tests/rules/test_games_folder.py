"""A folder of further games, named by the environment, beside the shipped ones."""

from __future__ import annotations

from pathlib import Path

import pytest

import rules
from rules.library import SHIPPED, BadData

GAME = """\
key = "{key}"
name = "Tidewater"
formats = ["crew"]
zones = ["main"]

[[versions]]
number = "1"
"""


@pytest.fixture
def further_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "tidewater").mkdir()
    (tmp_path / "tidewater" / "game.toml").write_text(GAME.format(key="tidewater"), encoding="utf-8")
    monkeypatch.setenv("RINGSIDE_GAMES_DIR", str(tmp_path))
    return tmp_path


def test_games_of_the_named_folder_stand_among_the_shipped(further_games: Path) -> None:
    keys = [game.key for game in rules.games()]
    shipped_games = {file.parent.name for file in SHIPPED.glob("*/game.toml")}
    assert keys == ["ufs", *sorted(shipped_games - {"ufs"} | {"tidewater"})]


def test_a_shipped_game_is_never_replaced(further_games: Path) -> None:
    (further_games / "ufs").mkdir()
    (further_games / "ufs" / "game.toml").write_text(GAME.format(key="ufs"), encoding="utf-8")
    assert next(game for game in rules.games() if game.key == "ufs").folder == SHIPPED / "ufs"


def test_without_the_variable_only_shipped_games_are_there(
    further_games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RINGSIDE_GAMES_DIR")
    assert "tidewater" not in [game.key for game in rules.games()]


def test_a_folder_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGSIDE_GAMES_DIR", "/no/such/folder")
    with pytest.raises(BadData, match="RINGSIDE_GAMES_DIR names /no/such/folder, which is not a folder"):
        rules.games()
