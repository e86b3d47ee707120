"""Conditions of an event that players read before they register."""

from __future__ import annotations

import pytest
from django.utils import translation

from tests.scenarios.factories import make_event
from tests.scenarios.upcoming_decklists import ban_list
from tournament.setup.selectors import describe_deck_rules, playing_conditions

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("rounds", "words"),
    [(1, "1 Swiss round of 50 minutes"), (2, "2 Swiss rounds, 50 minutes each")],
)
def test_number_of_rounds_decides_between_whole_phrases(rounds: int, words: str) -> None:
    event = make_event(swiss_rounds=rounds, round_minutes=50)
    assert [each.words for each in playing_conditions(event, 8) if each.name == "Rounds"] == [words]


def test_deck_rules_that_are_kept_follow_language_lists_and_local_rules() -> None:
    event = make_event()
    english = describe_deck_rules(event)
    with translation.override("de"):
        assert describe_deck_rules(event) != english
    assert describe_deck_rules(event) is describe_deck_rules(event)
    ban_list("Anvil Stance", in_force=event.starts_local.date())
    with_list = describe_deck_rules(event)
    assert (describe_deck_rules(event) == with_list, with_list != english) == (True, True)
    event.overlay = {"parameters": {"deck_size": {"min": 40}}}
    assert describe_deck_rules(event) != with_list
