"""Submitted lists that leave something open.

They are stored with what they ask, and are not legal until answered.
"""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from decks.checking.questions import answer_questions
from decks.shared.refusals import Refused
from decks.submissions.exchanges import cards_of_zone, main_deck_cards, read_card_lines
from decks.submissions.models import DeckVersion
from decks.submissions.selectors import to_checked_list, verdict_on, write_version_file
from decks.submissions.services import create_list
from tests.decks.checking.test_list_questions import MAIN, OPENED
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.decklists import submit

pytestmark = pytest.mark.django_db
DAY = date(2030, 1, 1)


@pytest.fixture(autouse=True)
def _catalogue(db: None) -> None:
    small_catalogue()


def handed_in(text: str | bytes, **more: Any) -> DeckVersion:
    deck_list = create_list(game="ufs", format_key="constructed", rules_version="1.9")
    return DeckVersion.objects.get(pk=submit(deck_list, text, actor="Ada", **more).pk)


@pytest.mark.parametrize("text", OPENED.values(), ids=OPENED)
def test_a_stored_list_keeps_what_it_asks_and_is_not_legal(text: str) -> None:
    version = handed_in(text)
    assert (version.outcome, version.verdict["verdict"]) == ("unknown", "unknown")
    checked_list = to_checked_list(version)
    (question,) = checked_list.questions
    assert [line.number for line in checked_list.unresolved_lines] == [question.line]
    assert verdict_on(version, DAY).outcome == "unknown"


def test_an_answer_is_stored_in_the_text_and_stands_the_next_time() -> None:
    text, _ = answer_questions("ufs", [(17, "sideboard")], text=OPENED["Italian"])
    version = handed_in(text)
    assert version.outcome == "legal"
    assert [card.qty for card in cards_of_zone(version.entries, "sideboard")] == [1, 3, 4]
    assert verdict_on(version, DAY).outcome == "legal"


def test_what_a_question_leaves_open_is_left_open_on_another_day() -> None:
    version = handed_in("4 Oto ●●●\nTotal: 60")
    assert version.outcome == "unknown"
    later = verdict_on(version, DAY)
    assert (later.outcome, later.verdict.errors) == ("unknown", ())


def test_what_every_reading_breaks_stays_broken_on_another_day() -> None:
    version = handed_in(f"{MAIN}\n1 Kubi Ori\nTotal: 70")
    later = verdict_on(version, DAY)
    assert (version.outcome, later.outcome) == ("illegal", "illegal")


def test_notices_of_the_encoding_are_stored_with_the_list() -> None:
    version = handed_in(f"Title: Caf\xe9\n{LEGAL.replace('●', '*')}".encode("cp1252"))
    assert len(version.judged_under["notices"]) == 1
    assert not to_checked_list(version).is_plainly_read
    assert version.source_text.startswith("Title: Café")


def test_a_version_from_before_questions_were_asked_is_read_on() -> None:
    version = handed_in(LEGAL)
    version.lines = [
        {**{key: line[key] for key in line if key != "status"}, "notes": []} for line in version.lines
    ]
    version.source_text = OPENED["Italian"]
    assert to_checked_list(version).questions == ()
    assert verdict_on(version, DAY).outcome == "legal"


def test_a_file_that_would_answer_for_the_player_is_refused() -> None:
    with pytest.raises(Refused) as refusal:
        write_version_file(handed_in(OPENED["a blank line"]), "text")
    assert refusal.value.code == "questions_open"


@pytest.mark.parametrize(
    "typed_text", ["Riserva:\n2 Oto ●●●", "2 Oto ●●●\n\n1 Mara ●", "2 Oto ●●●\nTotal: 4"]
)
def test_a_typed_exchange_that_leaves_something_open_is_refused(typed_text: str) -> None:
    version = handed_in(LEGAL)
    with pytest.raises(Refused) as refusal:
        read_card_lines(version, typed_text, field="out", among=main_deck_cards(version))
    assert refusal.value.code == "card_unclear"
