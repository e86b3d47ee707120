"""Reasons in words on pages: also those of games that are in another folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from decks.shared.wording import format_reason, say_reason
from rules.reason import reason
from rules.rendering import GAMES_DIR


@pytest.fixture
def further_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = tmp_path / "tidewater" / "messages"
    messages.mkdir(parents=True)
    (messages / "en.toml").write_text('[timed]\nmore-pearls = "{player} has {n} pearls."\n', encoding="utf-8")
    monkeypatch.setenv(GAMES_DIR, str(tmp_path))


@pytest.mark.usefixtures("further_game")
def test_reason_of_a_game_in_another_folder_has_its_words() -> None:
    why = reason("more-pearls", player="Ann", n=3)
    assert (say_reason(why), format_reason("timed", why)) == ("Ann has 3 pearls.",) * 2


def test_code_that_no_message_has_is_shown_as_it_is() -> None:
    assert say_reason(reason("more-pearls")) == "more-pearls"
