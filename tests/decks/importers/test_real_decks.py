"""Real decks from the folder RINGSIDE_REAL_DATA.

The folder is never part of the project.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from decks.exporters.exporting import export
from decks.importers.parsing import FORMATS, parse
from tests.everyday import some


@pytest.fixture
def decks(real_data: Path) -> list[Path]:
    paths = sorted((real_data / "data" / "cfc" / "decks").glob("*.o8d"))
    if not paths:
        pytest.skip("no decks there")
    return paths


def test_every_real_deck_is_fifty_cards_by_identifier_with_no_line_left_over(decks: list[Path]) -> None:
    assert len(decks) == 17
    for path in decks:
        deck = parse(path.read_bytes())
        assert (deck.format, deck.problems, deck.notices) == ("octgn", (), ())
        assert [line.kind for line in deck.lines if line.kind != "card"] == ["section"]
        assert deck.total("main") == 50
        assert all(line.card_id and line.name for line in deck.cards)


def test_every_real_deck_survives_every_format(decks: list[Path]) -> None:
    for path in some(17, decks):
        deck = parse(path.read_bytes())
        for format in FORMATS:
            again = parse(export(deck.cards, format, game=deck.game_hint))
            assert again.total("main") == 50
            assert {line.name for line in again.cards} == {line.name for line in deck.cards}
