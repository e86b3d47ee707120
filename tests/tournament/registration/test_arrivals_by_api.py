"""Registration and check-in by API."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tests.scenarios.factories import (
    add_players,
    make_event,
    organizer,
    play_round,
    sign_in_organizer,
    started_event,
)
from tournament.registration import services as registration
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


@pytest.fixture
def staff() -> APIClient:
    client = APIClient()
    return sign_in_organizer(client)


def test_known_name_is_asked_about_and_answered(staff: APIClient) -> None:
    event = make_event()
    address = f"/api/events/{event.slug}/players/"
    staff.post(address, {"name": "Ann Lee"})
    response = staff.post(address, {"name": "ann lee"})
    assert (response.status_code, response.json()["problems"][0]["code"]) == (400, "same_name")
    assert staff.post(address, {"name": "ann lee", "is_namesake": True}).json()["number"] == 2


def test_late_player_gets_what_is_asked_for_each_missed_round(staff: APIClient) -> None:
    event = started_event(4, swiss_rounds=3)
    play_round(event)
    staff.post(f"/api/events/{event.slug}/players/", {"name": "Zoe", "missed": "bye"})
    assert event.players.get(name="Zoe").matches_as_p1.get().outcome == "bye"


def test_who_is_missing_is_listed_and_dropped(staff: APIClient) -> None:
    event = make_event()
    add_players(event, 3)
    events.open_check_in(event, organizer())
    staff.post(f"/api/events/{event.slug}/players/1/check-in/")
    address = f"/api/events/{event.slug}/players/missing/"
    assert [player["name"] for player in staff.get(address).json()] == ["Bob", "Carol"]
    assert staff.post(address).json() == {"dropped": 2}


def test_table_is_planned_first_and_done_with_its_mark(staff: APIClient) -> None:
    event = make_event()
    address = f"/api/events/{event.slug}/players/table/"
    plan = staff.post(address, {"csv": "Name;E-mail\nAnn;a@example.org\nBob;nobody"}).json()
    assert (plan["written"], [line["kind"] for line in plan["lines"]]) == (False, ["add", "refused"])
    assert event.players.count() == 0
    response = staff.post(
        address, {"csv": "Name;E-mail\nAnn;a@example.org\nBob;nobody", "mark": plan["mark"]}
    )
    assert (response.json()["written"], event.players.count()) == (True, 1)
    assert "Ann;a@example.org" in staff.get(address).json()["csv"]


def test_table_with_an_old_mark_is_a_conflict(staff: APIClient) -> None:
    event = make_event()
    answer = staff.post(f"/api/events/{event.slug}/players/table/", {"csv": "Name\nAnn", "mark": "old"})
    assert (answer.status_code, event.players.count()) == (409, 0)


def test_two_registrations_are_made_one(staff: APIClient) -> None:
    event = make_event()
    add_players(event, 2)
    payload = staff.post(f"/api/events/{event.slug}/players/1/merge/", {"double": 2}).json()
    assert (payload["number"], event.players.get(number=2).status) == (1, "withdrawn")
    assert staff.post(f"/api/events/{event.slug}/players/1/merge/", {"double": 9}).status_code == 404


def test_player_undoes_their_withdrawal_by_api() -> None:
    event = make_event()
    ann = registration.register(event, name="Ann", email="ann@example.org")
    client = APIClient()
    client.post(f"/api/me/{ann.token}/withdraw/")
    assert client.post(f"/api/me/{ann.token}/restore/").json()["status"] == "registered"
