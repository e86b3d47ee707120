"""Conditions of an event that players read before they register."""

from __future__ import annotations

import pytest

from tests.scenarios.factories import make_event
from tournament.setup.selectors import playing_conditions

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("rounds", "words"),
    [(1, "1 Swiss round of 50 minutes"), (2, "2 Swiss rounds, 50 minutes each")],
)
def test_number_of_rounds_decides_between_whole_phrases(rounds: int, words: str) -> None:
    event = make_event(swiss_rounds=rounds, round_minutes=50)
    assert [each.words for each in playing_conditions(event, 8) if each.name == "Rounds"] == [words]
