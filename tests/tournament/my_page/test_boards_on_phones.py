"""Reports of the boards of a match by teams, from phones.

Boards are reported all at once or seat by seat, confirmed, and disputed.
"""

from __future__ import annotations

import pytest
from django.test import Client

from tests.everyday import each_case
from tests.scenarios.factories import publish_next
from tests.scenarios.rollback import rolled_back
from tests.tournament.results.test_boards import WON, first_match, make_team_event
from tournament.engine.boards import swap_boards
from tournament.events.models.round import Match
from tournament.my_page.board_rows import list_board_rows
from tournament.results.selectors import list_my_matches

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return first_match(publish_next(make_team_event()))


def send(match: Match, side: str, *, address: str = "report", **boards: str) -> int:
    player = getattr(match, side)
    values = {f"boards.{letter}": score for letter, score in boards.items()}
    answer = Client().post(f"/p/{player.token}/{address}/", {"match": match.pk, **values})
    return answer.status_code


def page(match: Match, side: str, query: str = "", client: Client | None = None) -> str:
    return (client or Client()).get(f"/p/{getattr(match, side).token}/{query}").content.decode()


def facts(match: Match) -> tuple[str, str]:
    match.refresh_from_db()
    return match.outcome, match.score


def test_page_names_seat_and_opponent_of_the_member_who_holds_the_phone(match: Match) -> None:
    client = Client()
    assert f"Seat B vs. {match.p2.members[1]}" not in page(match, "p1", client=client)
    assert f"Seat B vs. {match.p2.members[1]}" in page(match, "p1", "?seat=B", client)
    assert f"Seat B vs. {match.p2.members[1]}" in page(match, "p1", client=client)
    assert f"Seat B vs. {match.p2.members[1]}" in page(match, "p1", "?seat=Z", client)


def test_own_games_come_first_for_both_teams(match: Match) -> None:
    assert send(match, "p1", A="2-1", B="0-2", C="2-0") == 302
    assert match.reports.get().boards == WON
    assert send(match, "p2", A="1-2", B="2-0", C="0-2") == 302
    assert facts(match) == ("p1", "2-1")


def test_open_board_is_reported_later_and_confirmed(match: Match) -> None:
    send(match, "p1", A="2-1")
    assert "Confirm boards" in page(match, "p2")
    report = match.reports.get()
    confirmation = {"match": match.pk, "seen": report.reported_at.isoformat()}
    Client().post(f"/p/{match.p2.token}/confirm/", confirmation)
    assert match.reports.get(player=match.p2).boards == [WON[0], None, None]
    assert "Confirm boards" not in page(match, "p2")
    send(match, "p2", B="2-0", C="0-2")
    send(match, "p1", B="0-2", C="2-0")
    assert facts(match) == ("p1", "2-1")


def test_confirmation_of_a_changed_report_is_refused(match: Match) -> None:
    send(match, "p1", A="2-1", B="0-2", C="2-0")
    old = match.reports.get().reported_at.isoformat()
    send(match, "p1", A="2-0", B="0-2", C="2-0")
    Client().post(f"/p/{match.p2.token}/confirm/", {"match": match.pk, "seen": old})
    assert facts(match) == ("", "0-0")


def test_different_boards_are_disputed_by_seat(match: Match) -> None:
    send(match, "p1", A="2-1", B="0-2")
    send(match, "p2", A="2-1")
    mine = list_my_matches(match.p1)[0]
    rows = list_board_rows(mine, "B")
    assert [(row.letter, row.is_mine, row.is_disputed) for row in rows] == [
        ("B", True, False),
        ("A", False, True),
        ("C", False, False),
    ]
    assert mine.match.is_disputed
    assert "Disputed" in page(match, "p2")


@each_case("score", ["3-0", "2", "x", "2-2"], around=rolled_back)
def test_impossible_board_is_refused_beside_the_form(match: Match, score: str) -> None:
    assert send(match, "p1", A=score) == 422
    assert not match.reports.exists()


def test_report_of_no_board_is_refused(match: Match) -> None:
    assert send(match, "p1") == 422


def test_concession_gives_all_boards(match: Match) -> None:
    Client().post(f"/p/{match.p1.token}/report/", {"match": match.pk, "ending": "concession"})
    assert match.reports.get().boards == [[0, 2, 0]] * 3


def test_report_by_api_takes_boards_in_place_of_games(match: Match) -> None:
    address = f"/api/me/{match.p2.token}/result/"
    boards = [swap_boards(WON)[0], None, None]
    answer = Client().post(address, {"boards": boards}, content_type="application/json")
    assert answer.status_code == 200
    assert match.reports.get().boards == boards
    for body in ({}, {"boards": []}, {"boards": [[1, 2]]}, {"boards": [[1, 2, "x"]]}):
        answer = Client().post(address, body, content_type="application/json")
        assert answer.status_code == 400
    assert Client().get(f"/api/me/{match.p2.token}/").json()["match"]["boards"] == []
