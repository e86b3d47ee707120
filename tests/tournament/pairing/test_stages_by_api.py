"""Stages, drafts and pairing preferences, through the API."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.everyday import each_case
from tests.scenarios.factories import add_players, built_once, make_event, make_user, organizer, play_round
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.events.models.round import Match
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


@pytest.fixture
def api() -> Client:
    """Olga, signed in."""
    client = Client()
    make_user()
    client.force_login(User.objects.get(username="olga@example.org"))
    return client


def send(api: Client, method: str, path: str, data: Any = None) -> Any:
    return api.generic(method, f"/api/events/{path}", json.dumps(data), "application/json")


@built_once
def create_started_event(players: int, **values: Any) -> Event:
    event = make_event(**values)
    add_players(event, players)
    events.start_event(event, organizer())
    return event


def test_the_plan_is_set_and_shown(api: Client) -> None:
    event = make_event()
    plan = [{"kind": "robin", "groups": 2}, {"kind": "single", "size": 4}]
    answer = send(api, "PATCH", f"{event.slug}/", {"plan": plan}).json()
    assert [(stage["kind"], stage["size"]) for stage in answer["plan"]] == [("robin", None), ("single", 4)]
    assert (answer["cut"], answer["cut_size"]) == ("top", 4)


def test_a_wrong_plan_is_refused_with_its_sentence(api: Client) -> None:
    answer = send(api, "PATCH", f"{make_event().slug}/", {"plan": [{"kind": "single", "size": 4}]})
    assert answer.status_code == 400
    assert answer.json()["problems"][0]["sentence"] == "Stage 1: everyone plays in the first stage."


def test_groups_stages_and_the_final_ranking(api: Client) -> None:
    event = create_started_event(4, plan=[{"kind": "robin", "groups": 2}, {"kind": "single", "size": 2}])
    play_round(event)
    groups = api.get(f"/api/events/{event.slug}/groups/").json()
    assert [(g["name"], [row["points"] for row in g["rows"]]) for g in groups] == [
        ("Group A", ["3", "0"]),
        ("Group B", ["3", "0"]),
    ]
    assert api.get(f"/api/events/{event.slug}/ranking/").json() == []
    stage_answer = send(api, "POST", f"{event.slug}/stages/").json()
    assert (stage_answer["kind"], [row["seed"] for row in stage_answer["entrants"]]) == ("single", [1, 2])
    final = Match.objects.get(outcome="")
    send(api, "PUT", f"{event.slug}/matches/{final.pk}/result/", {"p1_games": 2, "p2_games": 0})
    ranking = api.get(f"/api/events/{event.slug}/ranking/").json()
    assert [row["place"] for row in ranking[:2]] == [1, 2]
    assert [row["stage"] for row in ranking] == [*["Single elimination"] * 2, *["Round robin"] * 2]


def test_a_draft_is_changed_by_hand_and_taken_back(api: Client) -> None:
    event = create_started_event(4)
    draft = send(api, "POST", f"{event.slug}/rounds/", {"number": 1}).json()
    one, two = draft["matches"]
    path = f"{event.slug}/rounds/1/1/changes/"
    changed_draft = send(api, "POST", path, {"swap": [one["p1"], two["p1"]]}).json()
    assert [match["p1"] for match in changed_draft["matches"]] == [two["p1"], one["p1"]]
    assert api.get(f"/api/events/{path}").json()["changes"] == 1
    assert send(api, "DELETE", path).status_code == 204
    assert api.get(f"/api/events/{event.slug}/rounds/1/1/").json()["matches"] == draft["matches"]


@each_case(
    "change", [{}, {"swap": [1]}, {"bye": 1, "swap": [1, 2]}, {"table": 1}, {"bye": "x"}], around=rolled_back
)
def test_an_unclear_change_is_refused(api: Client, change: dict[str, Any]) -> None:
    event = create_started_event(4)
    send(api, "POST", f"{event.slug}/rounds/", {})
    assert send(api, "POST", f"{event.slug}/rounds/1/1/changes/", change).status_code == 400


def test_what_speaks_against_a_hand_made_table_is_confirmed(api: Client) -> None:
    event = create_started_event(4)
    send(api, "POST", f"{event.slug}/forbidden-pairs/", {"one": 1, "two": 2, "reason": "siblings"})
    draft = send(api, "POST", f"{event.slug}/rounds/", {}).json()
    mine = next(match for match in draft["matches"] if 1 in (match["p1"], match["p2"]))
    opponent = mine["p2"] if mine["p1"] == 1 else mine["p1"]
    send(api, "POST", f"{event.slug}/rounds/1/1/changes/", {"swap": [opponent, 2]})
    response = send(api, "POST", f"{event.slug}/rounds/1/1/publish/", {})
    assert response.json()["problems"][0]["code"] == "hand_made_unconfirmed"
    publish_answer = send(api, "POST", f"{event.slug}/rounds/1/1/publish/", {"confirm": True})
    assert publish_answer.json()["state"] == "published"


def test_forbidden_pairs_are_listed_and_allowed_again(api: Client) -> None:
    event = create_started_event(4)
    league_data = send(
        api, "POST", f"{event.slug}/forbidden-pairs/", {"one": 2, "two": 1, "reason": "siblings"}
    )
    assert api.get(f"/api/events/{event.slug}/forbidden-pairs/").json() == [
        {"id": league_data.json()["id"], "one": 1, "two": 2, "reason": "siblings"}
    ]
    pair = league_data.json()["id"]
    assert send(api, "DELETE", f"{event.slug}/forbidden-pairs/{pair}/").status_code == 204
    assert api.get(f"/api/events/{event.slug}/forbidden-pairs/").json() == []


def test_what_pairing_heeds_of_a_player_is_for_staff_alone(api: Client) -> None:
    event = create_started_event(4)
    path = f"{event.slug}/players/1/pairing/"
    assert send(api, "PATCH", path, {"club": "Dojo", "first_byes": 1}).json()["club"] == "Dojo"
    assert Client().get(f"/api/events/{path}").status_code == 403
    assert send(api, "PATCH", path, {"seed": 10**12}).status_code == 400
