"""A player's list that leaves something open.

It is asked and answered on the pages and in the API, and seen by judges.
"""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from django.test import Client

from decks.submissions.models import DeckVersion
from rules.rendering import say
from tests.decks.checking.test_list_questions import OPENED
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.factories import add_players, built_once, make_event, organizer
from tests.scenarios.public_pages import get, text_of
from tests.tournament.decklists.test_lists_by_api import own, post, staffs
from tests.tournament.desk.test_console_pages import signed_in
from tournament.access.permissions import Actor
from tournament.decklists.selectors import build_check_sheet
from tournament.decklists.services import lists as decklists
from tournament.events.models.player import Player
from tournament.judging.services import deck_checks

pytestmark = pytest.mark.django_db
TEXT = OPENED["Italian"]


@pytest.fixture
@built_once
def alice() -> Player:
    """A player of an event that asks for lists."""
    small_catalogue()
    return add_players(make_event(decklists_required=True), 2)[0]


def submit_text(player: Player, text: str = TEXT) -> DeckVersion:
    return decklists.submit_list(player, Actor.of_player(player), text)


def typed_text(answer: Any) -> str:
    return str(answer.context["form"]["text"].value())


def test_the_player_is_asked_while_writing_and_after_submitting(client: Client, alice: Player) -> None:
    answer = client.post(
        f"/p/{alice.token}/list/check/", {"text": TEXT}, headers={"HX-Request": "true"}
    ).content.decode()
    submit_text(alice)
    for page in (answer, client.get(f"/p/{alice.token}/list/").content.decode()):
        assert 'value="17:sideboard"' in page
        assert "No problems found" not in page
    assert say("answer", "sideboard") in get(client, f"/p/{alice.token}/list/")


def test_an_answer_without_a_script_changes_the_list_alone(client: Client, alice: Player) -> None:
    answer = client.post(f"/p/{alice.token}/list/check/", {"text": TEXT, "answer": "17:sideboard"})
    assert typed_text(answer) == TEXT.replace("Riserva:", "Sideboard")
    assert "No problems found" in text_of(answer)
    assert not DeckVersion.objects.exists()


def test_the_answered_list_is_submitted_and_asks_no_more(client: Client, alice: Player) -> None:
    text = TEXT.replace("Riserva:", "Sideboard")
    client.post(f"/p/{alice.token}/list/", {"text": text})
    assert DeckVersion.objects.get().outcome == "legal"
    assert "needs an answer" not in get(client, f"/p/{alice.token}/list/")


def test_an_answer_that_fits_no_longer_is_refused_beside_the_list(client: Client, alice: Player) -> None:
    answer = client.post(f"/p/{alice.token}/list/check/", {"text": LEGAL, "answer": "17:sideboard"})
    assert "Line 17 needs no answer." in text_of(answer)
    assert typed_text(answer) == LEGAL


def test_a_version_shows_what_it_asks_without_buttons(client: Client, alice: Player) -> None:
    submit_text(alice)
    page = get(client, f"/p/{alice.token}/list/1/")
    assert "Line 17 needs an answer." in page
    assert say("answer", "sideboard") not in page


def test_staff_answers_in_a_correction_and_hands_it_in(alice: Player) -> None:
    submit_text(alice)
    desk = signed_in(alice.event, "owner")
    address = f"/console/{alice.event.slug}/lists/{alice.number}/"
    page = desk.get(address).content.decode()
    assert page.index("Submit decklist</button>") < page.index('value="17:sideboard"')
    answer = desk.post(address, {"text": TEXT, "reason": "His sideboard", "answer": "17:sideboard"})
    assert typed_text(answer) == TEXT.replace("Riserva:", "Sideboard")
    assert DeckVersion.objects.count() == 1
    desk.post(address, {"text": typed_text(answer), "reason": "His sideboard"})
    assert list(DeckVersion.objects.values_list("outcome", flat=True)) == ["unknown", "legal"]


def test_the_api_shows_what_a_version_asks_and_stores_answers(client: Client, alice: Player) -> None:
    first = post(client, own(alice), text=TEXT).json()
    assert (first["outcome"], [each["line"] for each in first["questions"]]) == ("unknown", [17])
    (line,) = [line for line in first["lines"] if not line["is_resolved"]]
    assert (line["number"], line["status"]) == (17, "heading_unknown")
    answers = [{"line": 17, "answer": "main"}]
    answer = post(client, own(alice, "check/"), text=TEXT, answers=answers).json()
    assert (answer["outcome"], answer["questions"]) == ("legal", [])
    second = post(client, own(alice), text=TEXT, answers=answers).json()
    assert second["source_text"] == TEXT.replace("Riserva:", "Main deck")
    response = post(client, own(alice), text=LEGAL, answers=answers)
    assert (response.status_code, [each["code"] for each in response.json()["problems"]]) == (
        400,
        ["answer_unknown"],
    )


def test_staff_answers_by_the_api(alice: Player) -> None:
    desk = signed_in(alice.event, "owner")
    answers = [{"line": 17, "answer": "sideboard"}]
    response = post(desk, staffs(alice), text=TEXT, answers=answers, reason="Typed from paper")
    assert (response.status_code, response.json()["outcome"]) == (201, "legal")


def test_judges_see_what_a_list_leaves_open(alice: Player) -> None:
    submit_text(alice)
    alice.refresh_from_db()
    sheet = build_check_sheet(alice.deck_list.current)
    assert len(sheet.open_questions) == 1
    check = deck_checks.start_check(alice, organizer())
    page = signed_in(alice.event, "owner").get(f"/judge/{alice.event.slug}/checks/{check.pk}/")
    assert sheet.open_questions[0] in unescape(text_of(page))
