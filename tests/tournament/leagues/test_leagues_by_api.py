"""A season run by programs: made, filled, joined, changed and undone."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.scenarios.factories import make_user
from tests.tournament.leagues.test_leagues import CAST, olga, play_event

pytestmark = pytest.mark.django_db


def send(client: Client, method: str, address: str, body: Any = None, expect: int = 200) -> Any:
    answer = getattr(client, method)(f"/api/leagues/{address}", body or {}, content_type="application/json")
    assert answer.status_code == expect, answer.content
    return answer.json() if answer.content else None


@pytest.fixture
def owner(client: Client) -> Client:
    client.force_login(olga())
    return client


def test_a_league_is_made_filled_and_changed(owner: Client) -> None:
    event = play_event("One", CAST)
    league_data = send(owner, "post", "", {"name": "Season", "points": "1: 10\nothers: 1"}, 201)
    assert (league_data["slug"], league_data["points"], league_data["best_of"]) == (
        "season",
        "1: 10\nothers: 1",
        None,
    )
    send(owner, "post", "season/events/", {"event": event.slug}, 201)
    table = owner.get("/api/leagues/season/").json()
    assert [row["points"] for row in table["rows"]] == ["10", "1", "1", "1"]
    assert send(owner, "patch", "season/", {"best_of": 3})["best_of"] == 3
    send(owner, "delete", f"season/events/{event.slug}/", expect=204)
    assert owner.get("/api/leagues/season/").json()["rows"] == []


def test_two_registrations_are_joined_and_parted(owner: Client) -> None:
    for name in ("One", "Two"):
        play_event(name, [("Ann", ""), ("Bo", "")])
    send(owner, "post", "", {"name": "Season"}, 201)
    for slug in ("one", "two"):
        send(owner, "post", "season/events/", {"event": slug}, 201)
    pair = {"one": {"event": "one", "player": 1}, "two": {"event": "two", "player": 2}}
    word = send(owner, "post", "season/people/", pair, 201)
    assert owner.get("/api/leagues/season/people/").json() == [word]
    send(owner, "delete", f"season/people/{word['id']}/", expect=204)
    assert owner.get("/api/leagues/season/people/").json() == []


def test_a_change_is_taken_back_from_the_log(owner: Client) -> None:
    send(owner, "post", "", {"name": "Season"}, 201)
    send(owner, "patch", "season/", {"name": "Wrong"})
    newest = owner.get("/api/leagues/season/log/").json()[0]
    assert (newest["before"], newest["after"], newest["can_be_taken_back"]) == (
        {"name": "Season"},
        {"name": "Wrong"},
        True,
    )
    send(owner, "post", f"season/log/{newest['id']}/undo/")
    assert owner.get("/api/leagues/season/").json()["league"]["name"] == "Season"


@pytest.mark.parametrize(
    ("method", "address", "body", "code"),
    [
        ("post", "", {"name": "S", "points": "nonsense"}, "points_wrong"),
        ("patch", "season/", {"best_of": 0}, "min_value"),
        ("post", "season/people/", {"one": {"event": "x", "player": 1}, "two": {"event": "y", "player": 2}},
         "no_such_registration"),
    ],
)  # fmt: skip
def test_nonsense_is_answered_with_its_code(
    owner: Client, method: str, address: str, body: dict[str, Any], code: str
) -> None:
    send(owner, "post", "", {"name": "Season"}, 201)
    assert send(owner, method, address, body, 400)["problems"][0]["code"] == code


def test_only_the_owner_changes_a_league(owner: Client) -> None:
    send(owner, "post", "", {"name": "Season"}, 201)
    stranger = Client()
    send(stranger, "patch", "season/", {"name": "Mine"}, 403)
    stranger.force_login(make_user("ivan@example.org"))
    send(stranger, "patch", "season/", {"name": "Mine"}, 403)
    assert stranger.get("/api/leagues/season/log/").status_code == 403
