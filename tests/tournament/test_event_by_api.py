"""A whole event by the API, without a page."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.scenarios.factories import make_user
from tournament.events.models.event import Event

pytestmark = pytest.mark.django_db

NEW = {
    "name": "API Open",
    "starts_at": "2026-05-02T09:00:00Z",
    "time_zone": "Europe/Berlin",
    "game": "ufs",
    "format": "constructed",
    "rules_version": "1.9",
    "match_form": "best_of_3_50min",
    "round_minutes": 50,
    "cut": "top",
    "cut_size": 2,
    "swiss_rounds": 2,
    "open_registration": True,
}


@pytest.fixture
def olga(client: Client) -> Client:
    """The organizer's programme."""
    client.force_login(make_user())
    return client


def send(client: Client, method: str, path: str, data: Any = None, status: int = 200) -> Any:
    answer = getattr(client, method)(f"/api/{path}", data, content_type="application/json")
    assert answer.status_code == status, answer.content
    return answer.json() if answer.content else None


def test_an_event_from_creation_to_champion(olga: Client) -> None:
    slug = send(olga, "post", "events/", NEW, 201)["slug"]
    stranger = Client()
    tokens = {
        name: send(
            stranger, "post", f"events/{slug}/register/", {"name": name, "email": f"{name}@e.example"}, 201
        )["token"]
        for name in ("alice", "bob", "carol", "dave", "erin")
    }
    send(olga, "post", f"events/{slug}/steps/start/", {})
    for number in (1, 2):
        play(olga, slug, number)
    send(stranger, "post", f"me/{tokens['erin']}/drop/", {"reason": "train"})
    table = send(stranger, "get", f"events/{slug}/standings/")
    decisions = send(olga, "post", f"events/{slug}/cut/")
    best = [line["name"] for line in table if line["name"] != "erin"][:2]
    assert [row["name"] for row in decisions if row["is_in"]] == best
    final = send(olga, "get", f"events/{slug}/rounds/2/1/")["matches"][0]
    send(olga, "put", f"events/{slug}/matches/{final['id']}/result/", {"p1_games": 2, "p2_games": 1})
    assert send(stranger, "get", f"events/{slug}/")["phase"] == "finished"


def play(olga: Client, slug: str, number: int) -> None:
    league_data = send(olga, "post", f"events/{slug}/rounds/", {"number": number})
    assert send(olga, "post", f"events/{slug}/rounds/", {"number": number}) == league_data
    send(olga, "post", f"events/{slug}/rounds/1/{number}/publish/")
    for match in league_data["matches"]:
        if match["outcome"] == "":
            body = {"p1_games": 2, "p2_games": 0, "revision": match["revision"]}
            send(olga, "put", f"events/{slug}/matches/{match['id']}/result/", body)


def test_players_report_and_agree_by_their_links(olga: Client) -> None:
    slug = send(olga, "post", "events/", NEW, 201)["slug"]
    links = [
        send(olga, "post", f"events/{slug}/players/", {"name": name}, 201)["token"]
        for name in ("alice", "bob")
    ]
    send(olga, "post", f"events/{slug}/steps/start/", {})
    send(olga, "post", f"events/{slug}/rounds/", {})
    send(olga, "post", f"events/{slug}/rounds/1/1/publish/")
    first = send(Client(), "post", f"me/{links[0]}/result/", {"p1_games": 2, "p2_games": 1})
    assert first["outcome"] == ""
    second = send(Client(), "post", f"me/{links[1]}/result/", {"p1_games": 2, "p2_games": 1})
    assert second["outcome"] == "p1"


def test_refusals_carry_code_sentence_fix_and_field(olga: Client) -> None:
    wrong = {**NEW, "capacity": 1, "round_minutes": 0, "time_zone": "Nowhere"}
    body = send(olga, "post", "events/", wrong, 400)
    assert {(p["code"], p["field"]) for p in body["problems"]} == {
        ("capacity_too_small", "capacity"),
        ("round_too_short", "round_minutes"),
        ("time_zone_unknown", "time_zone"),
    }
    assert all(p["sentence"].endswith(".") for p in body["problems"])
    assert Event.objects.count() == 0


def test_a_stale_revision_is_a_conflict(olga: Client) -> None:
    slug = send(olga, "post", "events/", NEW, 201)["slug"]
    for name in ("alice", "bob"):
        send(olga, "post", f"events/{slug}/players/", {"name": name}, 201)
    send(olga, "post", f"events/{slug}/steps/start/", {})
    match = send(olga, "post", f"events/{slug}/rounds/", {})["matches"][0]
    send(olga, "post", f"events/{slug}/rounds/1/1/publish/")
    path = f"events/{slug}/matches/{match['id']}/result/"
    send(olga, "put", path, {"p1_games": 2, "p2_games": 0, "revision": 0})
    body = send(olga, "put", path, {"p1_games": 0, "p2_games": 2, "revision": 0}, 409)
    assert body["problems"][0]["code"] == "result_changed_meanwhile"


def test_strangers_see_no_draft_no_address_no_log(olga: Client) -> None:
    slug = send(olga, "post", "events/", NEW, 201)["slug"]
    send(olga, "post", f"events/{slug}/players/", {"name": "alice", "email": "a@e.example"}, 201)
    send(olga, "post", f"events/{slug}/players/", {"name": "bob"}, 201)
    send(olga, "post", f"events/{slug}/steps/start/", {})
    send(olga, "post", f"events/{slug}/rounds/", {})
    stranger = Client()
    assert send(stranger, "get", f"events/{slug}/rounds/") == []
    send(stranger, "get", f"events/{slug}/rounds/1/1/", status=404)
    assert "email" not in send(stranger, "get", f"events/{slug}/players/")[0]
    send(stranger, "get", f"events/{slug}/log/", status=403)
    send(stranger, "get", f"events/{slug}/archive/", status=403)


@pytest.mark.both_databases
def test_event_that_is_being_prepared_is_hidden_from_strangers(olga: Client) -> None:
    slug = send(olga, "post", "events/", {**NEW, "open_registration": False}, 201)["slug"]
    send(Client(), "get", f"events/{slug}/", status=404)
    assert send(Client(), "get", "events/")["count"] == 0
    assert send(olga, "get", "events/")["count"] == 1
