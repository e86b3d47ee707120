"""Individual records of team members.

The pages and prints of their matches, and the line at the desk, are covered too.
"""

from __future__ import annotations

import csv
import io
import re
import uuid
from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from tests.scenarios.factories import built_once, organizer, publish_next
from tests.tournament.results.test_boards import DRAWN, WON, first_match, make_team_event
from tournament.engine.boards import swap_boards
from tournament.events.models.event import Event
from tournament.events.models.match_result import Ending
from tournament.events.models.round import Match, Round
from tournament.printing.registry import SHEETS
from tournament.printing.render import render_sheet_html
from tournament.printing.request import PrintRequest
from tournament.results.services.results import enter_result
from tournament.standings.selectors.boards import BoardTally, list_seat_records
from tournament.standings.selectors.standings import standings

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    return make_team_event(standings_system="boards")


def play(round_: Round, *results: list[list[int]]) -> list[Match]:
    matches = list(round_.matches.select_related("p1", "p2", "round__stage__event").order_by("table"))
    for match, boards in zip(matches, results, strict=True):
        enter_result(match, organizer(), boards=boards)
    return matches


def test_standings_rank_teams_by_match_points_then_board_points(event: Event) -> None:
    first, second = play(publish_next(event), WON, DRAWN)
    rows = standings(event)
    expected_rows = [
        (first.p1, 3, Fraction(2)),
        (first.p2, 0, Fraction(1)),
        (second.p1, 1, Fraction(3, 2)),
        (second.p2, 1, Fraction(3, 2)),
    ]
    values = {(line.player, line.row.points, line.row.values[0]) for line in rows}
    assert values == set(expected_rows)
    assert rows[0].player == first.p1
    assert rows[-1].player == first.p2


def test_records_of_members_count_their_own_boards(event: Event) -> None:
    first, second = play(publish_next(event), WON, [[2, 0, 0], [1, 1, 1], [0, 2, 0]])
    records = {record.name: record for record in list_seat_records(event)}
    assert len(records) == 12
    assert records[first.p1.members[0]].tally == BoardTally(1, 0, 0, 2, 1, 0)
    assert records[first.p2.members[0]].tally == BoardTally(0, 1, 0, 1, 2, 0)
    assert records[second.p2.members[1]].tally == BoardTally(0, 0, 1, 1, 1, 1)
    winners = {first.p1.members[0], first.p2.members[1], first.p1.members[2], second.p1.members[0]}
    winners.add(second.p2.members[2])
    assert {record.name for record in records.values() if record.rank == 1} == winners
    assert {record.rank for record in records.values()} == {1, 6, 8}
    assert records[first.p1.members[1]].seat == "B"


def test_boards_of_a_forfeit_win_count_for_no_player(event: Event) -> None:
    match = first_match(publish_next(event))
    enter_result(match, organizer(), ending=Ending.NO_SHOW, loser="p2", reason="ill")
    assert {record.tally for record in list_seat_records(event)} == {BoardTally()}


def test_record_page_table_and_api_say_the_same(event: Event) -> None:
    play(publish_next(event), WON, swap_boards(WON))
    client, records = Client(), list_seat_records(event)
    page = client.get(f"/e/{event.slug}/boards/").content.decode()
    assert all(record.name in page for record in records)
    table = client.get(f"/e/{event.slug}/boards.csv").content.decode()
    rows = list(csv.DictReader(io.StringIO(table)))
    answer = client.get(f"/api/events/{event.slug}/boards/").json()
    assert [{name: str(value) for name, value in row.items()} for row in answer] == rows
    assert [row["name"] for row in answer] == [record.name for record in records]


def test_event_without_boards_has_no_records() -> None:
    event = make_team_event(has_boards=False)
    assert Client().get(f"/e/{event.slug}/boards/").status_code == 404
    assert Client().get(f"/api/events/{event.slug}/boards/").json() == []


@pytest.mark.both_databases
def test_match_page_shows_each_seat(event: Event) -> None:
    match = play(publish_next(event), WON, DRAWN)[0]
    page = Client().get(f"/e/{event.slug}/matches/{match.pk}/").content.decode()
    assert all(name in page for name in (*match.p1.members, *match.p2.members))
    assert "A 2-1, B 0-2, C 2-0" in page


@pytest.mark.parametrize("sheet", ["slips", "pairings-by-table", "pairings-by-name"])
def test_prints_name_teams_and_members(event: Event, sheet: str) -> None:
    round_ = publish_next(event)
    html = re.sub(r"<[^>]*>|\s+", " ", print_sheet(event, sheet, round_))
    html = re.sub(r"\s+", " ", html)
    for team in event.players.all():
        assert team.name in html
        assert all(member in html for member in team.members)


def print_sheet(event: Event, key: str, round_: Round) -> str:
    round_ = Round.objects.select_related("stage__event").get(pk=round_.pk)
    return render_sheet_html(SHEETS[key], PrintRequest(event, round_, "A4", timezone.now()))


class ScorekeeperRoundPage:
    """The page of a round, as a scorekeeper has it open."""

    def __init__(self, event: Event) -> None:
        self.event, self.client, self.user = event, Client(), organizer().user
        assert self.user is not None
        self.client.force_login(self.user)

    def line(self, line: str, **further: str) -> Any:
        """Type a line; returns the answer."""
        assert self.user is not None
        values = {"line": line, "key": str(uuid.uuid4()), "account": str(self.user.pk), **further}
        address = f"/console/{self.event.slug}/rounds/1/1/result/"
        return self.client.post(address, values, headers={"accept": "application/json"})


def test_desk_enters_boards_by_line_and_by_form(event: Event) -> None:
    match = first_match(publish_next(event))
    desk = ScorekeeperRoundPage(event)
    page = desk.client.get(f"/console/{event.slug}/rounds/1/1/").content.decode()
    assert "12 2-1 1-2 2-1" in page
    assert "Enter boards" in page
    answer = desk.line(f"{match.table} 2-1 0-2")
    assert [problem["code"] for problem in answer.json()["problems"]] == ["boards_missing"]
    answer = desk.line(f"{match.table} 2-1 0-2 2-0")
    assert answer.status_code == 200
    match.refresh_from_db()
    assert match.boards == WON
    address = f"/console/{event.slug}/matches/{match.pk}/"
    form = desk.client.get(address).context["form"]
    assert [field.value() for field in form.game_fields] == ["2-1", "0-2", "2-0"]
    values = {"boards.A": "2-0", "boards.B": "0-2", "boards.C": "", "revision": match.revision}
    assert desk.client.post(address, values).status_code == 200
    answer = desk.client.post(address, {**values, "boards.C": "1-1-1"})
    assert answer.status_code == 302
    match.refresh_from_db()
    assert (match.boards, match.outcome) == ([[2, 0, 0], [0, 2, 0], [1, 1, 1]], "draw")


def test_late_correction_of_boards_keeps_them_on_the_way_through_its_question(event: Event) -> None:
    match = play(publish_next(event), WON, DRAWN)[0]
    publish_next(event)
    match.refresh_from_db()
    desk, address = ScorekeeperRoundPage(event), f"/console/{event.slug}/matches/{match.pk}/"
    values = {"boards.A": "0-2", "boards.B": "0-2", "boards.C": "2-0", "revision": match.revision}
    answer = desk.client.post(address, values)
    assert "boards.A=0-2" in answer["Location"]
    page = desk.client.get(answer["Location"])
    assert page.status_code == 200
    fields = dict(page.context["hidden_fields"])
    assert fields["boards.A"] == "0-2"
    answer = desk.client.post(answer["Location"].partition("?")[0], {**values, **fields, "way": "leave"})
    assert answer.status_code == 302
    match.refresh_from_db()
    assert match.outcome == "p2"


def test_result_by_api_takes_boards(event: Event) -> None:
    match = first_match(publish_next(event))
    desk = ScorekeeperRoundPage(event)
    address = f"/api/events/{event.slug}/matches/{match.pk}/result/"
    answer = desk.client.put(address, {"boards": WON}, content_type="application/json")
    assert (answer.status_code, answer.json()["boards"]) == (200, WON)
    for boards in ([[2, 1]], [[2, 1, 0], None, [2, 0, 0]], "x", [[2, 1, 0]] * 27, [[1, 2, -1]] * 3):
        answer = desk.client.put(address, {"boards": boards}, content_type="application/json")
        assert answer.status_code == 400
