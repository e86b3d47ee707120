"""Boards of two teams when time is called.

There are questions for each seat, then all boards in one press.
"""

from __future__ import annotations

import json

import pytest
from django.test import Client

from decks.shared.refusals import Refused
from tests.everyday import each_case
from tests.scenarios.factories import built_once, make_user, organizer, publish_next
from tests.scenarios.html import html_of
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tests.tournament.results.test_boards import first_match, make_team_event
from tests.tournament.results.test_time_called import AHEAD, LEVEL
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.clock.models import TimeSettlement
from tournament.events.models.round import Match
from tournament.log.services import undo_step
from tournament.results.services import results
from tournament.results.services import time_called as settlements
from tournament.results.table_at_time import list_settled_boards

pytestmark = pytest.mark.django_db

WON = {**AHEAD, "games_p1": "1", "games_p2": "0"}


@pytest.fixture
@built_once
def match() -> Match:
    return first_match(publish_next(make_team_event(2)))


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(make_user("root@example.org", is_superuser=True))
    return client


def settle(match: Match, **answers: dict[str, str]) -> None:
    for seat, facts in answers.items():
        settlements.save_answers(match, organizer(), facts, seat=seat)


@pytest.mark.both_databases
def test_each_seat_is_settled_and_the_boards_make_the_result(match: Match) -> None:
    settle(match, A=LEVEL, B=WON)
    assert list_settled_boards(match) == [[1, 1, 0], [1, 0, 0], None]
    with pytest.raises(Refused) as excinfo:
        settlements.enter_settled_result(match, organizer())
    assert excinfo.value.problems[0].code == "boards_missing"
    settle(match, C=WON)
    entered_match = settlements.enter_settled_result(match, organizer(), seen_revision=0)
    assert (entered_match.outcome, entered_match.score, entered_match.ending) == ("p1", "2-0-1", "time")
    assert entered_match.boards == [[1, 1, 0], [1, 0, 0], [1, 0, 0]]


def test_answers_of_a_seat_are_logged_with_it_and_undone(match: Match) -> None:
    settle(match, A=LEVEL, B=WON)
    line = match.round.stage.event.log.filter(action="time_answered").latest("pk")
    assert (line.variant, line.params["seat"]) == ("board", "B")
    assert "seat B: " in words_of(line)
    undo_step(line, organizer())
    assert [each.seat for each in TimeSettlement.objects.all()] == ["A"]


@each_case("seat", ["", "D", "AB", "ä"], around=rolled_back)
def test_seat_that_the_match_does_not_have_is_refused(match: Match, seat: str) -> None:
    with pytest.raises(Refused) as excinfo:
        settlements.save_answers(match, organizer(), LEVEL, seat=seat)
    assert excinfo.value.problems[0].code == "no_such_seat"


def test_settled_boards_travel_in_the_archive(match: Match) -> None:
    settle(match, A=LEVEL, C=WON)
    copy = restore_event(json.dumps(export_event(match.round.stage.event)), organizer())
    rows = TimeSettlement.objects.filter(match__round__stage__event=copy)
    assert [(each.seat, each.result) for each in rows] == [("A", "draw"), ("C", "p1")]


def test_form_of_boards_begins_with_what_is_settled(match: Match, staff: Client) -> None:
    address = f"/console/{match.round.stage.event.slug}/matches/{match.pk}/"
    answer = staff.post(f"{address}time/?seat=B", {**WON, "next": f"{address}time/?seat=B"})
    assert answer["Location"] == f"{address}time/?seat=B"
    page = html_of(staff.get(answer["Location"]))
    assert '<span class="chip-no">C</span>' in page
    assert staff.get(f"{address}time/?seat=Z").status_code == 404
    form = staff.get(address).context["form"]
    assert {name: form[name].initial for name in ("boards.A", "boards.B", "ending")} == {
        "boards.A": None, "boards.B": "1-0", "ending": "time",
    }  # fmt: skip


def test_public_match_says_how_each_seat_was_settled(match: Match, staff: Client) -> None:
    settle(match, A=LEVEL, B=WON, C=WON)
    settlements.enter_settled_result(match, organizer())
    page = html_of(Client().get(f"/e/{match.round.stage.event.slug}/matches/{match.pk}/"))
    assert [f"<strong>Seat {letter}</strong>" in page for letter in "ABC"] == [True, True, True]


def test_boards_are_settled_by_another_program(match: Match, staff: Client) -> None:
    address = f"/api/events/{match.round.stage.event.slug}/matches/{match.pk}/time/"
    assert staff.get(address).status_code == 400
    for seat in "ABC":
        body = {"answers": WON}
        payload = staff.put(f"{address}?seat={seat}", body, content_type="application/json").json()
        assert (payload["result"], payload["score"]) == ("p1", "1-0")
    assert staff.post(address, content_type="application/json").json()["p1_games"] == 3


def test_judge_sees_the_seats_of_the_table(match: Match, staff: Client) -> None:
    settle(match, B=WON)
    event, round_ = match.round.stage.event, match.round
    page = html_of(
        staff.get(f"/judge/{event.slug}/tables/{round_.stage.position}/{round_.number}/{match.table}/")
    )
    assert "?seat=B" in page


def test_result_of_boards_is_settled_again_after_it_was_cleared(match: Match) -> None:
    settle(match, A=WON, B=WON, C=WON)
    settlements.enter_settled_result(match, organizer())
    results.clear_result(Match.objects.get(pk=match.pk), organizer())
    assert settlements.enter_settled_result(match, organizer()).score == "3-0"
