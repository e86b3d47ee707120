"""Citations of rules that every game shares.

They are cited from the documents of the event's own game, or are a Ringside default.
"""

from __future__ import annotations

import pytest
from django.template import Context, Template

import rules
from tests.everyday import each_case
from tests.scenarios.factories import make_event
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.registration.services.validation import fixed_character_refusal, missing_character_refusal
from tournament.setup.selectors import playing_conditions

pytestmark = pytest.mark.django_db

EVENTS: dict[str, dict[str, object]] = {
    "ufs": {},
    "cfc": {"game": "cfc", "format": "standard", "rules_version": "1", "match_form": "one_game_30min"},
    "highlander": {
        "game": "highlander", "format": "standard", "rules_version": "1.7", "match_form": "one_game_30min",
    },
}  # fmt: skip


def make_diverse_event(game: str) -> Event:
    return make_event(**EVENTS[game], cut="diversity", cut_size=4)


@pytest.mark.parametrize(
    ("game", "clause"), [("ufs", "UFS 100.5.1"), ("cfc", ""), ("highlander", "")]
)  # fmt: skip
def test_diversity_cut_is_cited_from_the_rules_of_the_game(game: str, clause: str) -> None:
    event = make_diverse_event(game)
    cited_clauses = {each.name: each.clause for each in playing_conditions(event, 8)}
    assert cited_clauses["After the rounds"] == clause
    for refusal in (missing_character_refusal(event), fixed_character_refusal(event)):
        assert refusal.reason.params == {"clause": clause or None}
        assert refusal.sentence.count(f" ({clause})") == bool(clause)


@each_case(
    ("game", "topic", "words"),
    [
        ("ufs", "organizer_decides", "UFS Tournament Rules v1.9, 100.2"),
        ("highlander", "organizer_decides", "Highlander TCG Type Two Rules v1.7, l.2107"),
        ("cfc", "organizer_decides", "Ringside default"),
        ("highlander", "diversity_cut", "Ringside default"),
    ],
    around=rolled_back,
)
def test_page_cites_the_game_or_says_that_it_is_a_default(game: str, topic: str, words: str) -> None:
    template = Template("{% load citations %}{% cite game topic %}")
    assert words in template.render(Context({"game": game, "topic": topic}))


def test_procedure_of_timed_elimination_is_cited_where_the_rules_have_one() -> None:
    assert {game.key: game.cite("timed_elimination") for game in rules.games()} == {
        "ufs": "UFS 102.3.1",
        "cfc": "",
        "highlander": "",
        "sf_miniatures": "",
    }
