"""Lists by the API: the same rights as on pages, as JSON."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.decks.submissions.test_exchanges import REGISTERED
from tests.scenarios.catalogue import LEGAL, list_of, small_catalogue
from tests.scenarios.factories import add_players, built_once, make_event
from tests.tournament.desk.test_console_pages import signed_in
from tournament.events.models.player import Player

pytestmark = pytest.mark.django_db
JSON = "application/json"


@pytest.fixture
@built_once
def alice() -> Player:
    small_catalogue()
    return add_players(make_event(), 2)[0]


def own(player: Player, rest: str = "") -> str:
    return f"/api/me/{player.token}/list/{rest}"


def staffs(player: Player, rest: str = "list/") -> str:
    return f"/api/events/{player.event.slug}/players/{player.number}/{rest}"


def post(client: Client, address: str, **values: Any) -> Any:
    return client.post(address, values, content_type=JSON)


def test_player_submits_checks_compares_and_withdraws_a_decklist(client: Client, alice: Player) -> None:
    answer = post(client, own(alice, "check/"), text=LEGAL)
    assert (answer.status_code, answer.json()["outcome"]) == (200, "legal")
    assert client.get(own(alice)).json() == []
    assert post(client, own(alice), text=LEGAL).status_code == 201
    second = post(client, own(alice), text=LEGAL.replace("1 Mara ●", "1 Mara ●●")).json()
    assert (second["number"], second["counts"], second["outcome"], second["stands"]) == (
        2,
        True,
        "legal",
        "legal",
    )
    assert [(row["number"], row["counts"]) for row in client.get(own(alice)).json()] == [
        (2, True),
        (1, False),
    ]
    assert client.get(own(alice, "difference/")).json() == {
        "older": 1,
        "newer": 2,
        "cards": [
            {"zone": "main", "name": "Mara ●", "before": 1, "after": 0},
            {"zone": "main", "name": "Mara ●●", "before": 0, "after": 1},
        ],
        "printings": [],
        "declared": [],
    }
    assert "Mara ●●" in client.get(own(alice, "2/files/arena/")).json()["content"]
    assert client.get(own(alice, "2/files/docx/")).status_code == 404


def test_staff_corrects_rules_and_the_player_answers(client: Client, alice: Player) -> None:
    desk = signed_in(alice.event, "owner")
    post(client, own(alice), text=list_of("1 Mara ●", fillers=58))
    refused_response = post(desk, staffs(alice), text=LEGAL)
    assert [problem["code"] for problem in refused_response.json()["problems"]] == ["reason_needed"]
    payload = post(desk, staffs(alice), text=LEGAL, reason="miscounted").json()
    assert (payload["number"], payload["by_staff"], payload["reason"]) == (2, True, "miscounted")
    ruling_answer = post(desk, staffs(alice, "list/2/ruling/"), outcome="illegal", reason="Marked sleeves.")
    assert (ruling_answer.status_code, ruling_answer.json()["outcome"]) == (201, "illegal")
    response = post(client, own(alice, "answer/"), number=2, agrees=False, words="They are new.")
    assert (response.status_code, response.json()["agrees"]) == (201, False)
    payload = desk.get(staffs(alice, "list/2/")).json()
    assert (payload["outcome"], payload["stands"]) == ("legal", "illegal")
    assert [ruling["reason"] for ruling in payload["rulings"]] == ["Marked sleeves."]
    assert [answer["words"] for answer in payload["answers"]] == ["They are new."]
    rows = desk.get(f"/api/events/{alice.event.slug}/lists/").json()
    assert [(row["name"], row["outcome"], row["is_overruled"]) for row in rows] == [
        ("Bob", "", False),
        ("Alice", "illegal", True),
    ]


def test_a_judge_may_not_overrule(alice: Player) -> None:
    post(Client(), own(alice), text=LEGAL)
    answer = post(
        signed_in(alice.event, "judge"), staffs(alice, "list/1/ruling/"), outcome="illegal", reason="No."
    )
    assert answer.status_code == 403


def test_an_exchange_is_checked_kept_and_taken_back(client: Client, alice: Player) -> None:
    judge = signed_in(alice.event, "judge")
    assert (
        post(judge, staffs(alice, "exchanges/"), game_in_round=2).json()["problems"][0]["code"] == "no_list"
    )
    post(client, own(alice), text=REGISTERED)
    exchange = {"game_in_round": 2, "out": "1 Anvil Stance", "into": "2 Oaken Will"}
    answer = post(judge, staffs(alice, "exchanges/"), **exchange).json()
    assert (answer["id"], answer["outcome"]) == (None, "illegal")
    assert [(f["rule"], f["clause"]) for f in answer["verdict"]["findings"]] == [("UFS-L23", "101.4")]
    payload = post(judge, staffs(alice, "exchanges/"), **exchange, keep=True).json()
    [on_record] = judge.get(staffs(alice, "exchanges/")).json()
    assert (on_record["id"], on_record["version"], on_record["round"]) == (payload["id"], 1, None)
    assert judge.delete(staffs(alice, f"exchanges/{payload['id']}/")).status_code == 204
    assert judge.get(staffs(alice, "exchanges/")).json() == []


@pytest.mark.parametrize(
    ("form_values", "fields"),
    [
        ({}, ["text"]),
        ({"text": " "}, ["text"]),
        ({"text": "1 Mara ●", "declared": {"gem_assignment": {"A": 1}}}, ["gem_assignment"]),
        ({"text": "1 Mara ●", "declared": []}, ["declared"]),
        ({"text": "a\0b"}, ["text"]),
        ({"text": "x" * 200_001}, ["text"]),
    ],
)
def test_what_is_no_list_is_refused_with_its_field(
    client: Client, alice: Player, form_values: dict[str, object], fields: list[str]
) -> None:
    for address in (own(alice), own(alice, "check/")):
        answer = post(client, address, **form_values)
        if answer.status_code == 200:  # a check stores nothing, so an empty list may be checked
            assert (address, form_values["text"]) == (own(alice, "check/"), " ")
            continue
        assert answer.status_code == 400
        assert [problem["field"] for problem in answer.json()["problems"]] == fields
    assert client.get(own(alice)).json() == []
