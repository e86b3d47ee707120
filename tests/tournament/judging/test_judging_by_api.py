"""Judges' work by the API: penalties, deck checks, calls, rulings."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.scenarios.factories import built_once
from tests.tournament.desk.test_console_pages import signed_in
from tests.tournament.penalties.test_penalties import start_first_round, table_of
from tournament.events.models.event import Event
from tournament.judging.models import DeckCheck
from tournament.penalties.models import Penalty

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    return start_first_round()


@pytest.fixture
def judge(event: Event) -> Client:
    return signed_in(event, "judge")


def post(client: Client, event: Event, rest: str, **values: Any) -> Any:
    return client.post(f"/api/events/{event.slug}/{rest}", values, content_type="application/json")


def test_penalty_is_given_listed_and_taken_back(event: Event, judge: Client) -> None:
    player = table_of(event).p1
    form_values = {
        "player": player.number,
        "infraction": "slow",
        "degree": "match_loss",
        "note": "stalled",
        "seen": 0,
    }
    response = post(judge, event, "penalties/", **form_values)
    assert (response.status_code, table_of(event).outcome) == (201, "p2")
    assert post(judge, event, "penalties/", **form_values).status_code == 409
    penalties = judge.get(f"/api/events/{event.slug}/penalties/").json()
    assert penalties == [response.json()]
    assert {key: penalties[0][key] for key in ("player", "round", "table", "degree", "is_next")} == {
        "player": player.number, "round": 1, "table": 1, "degree": "match_loss", "is_next": False,
    }  # fmt: skip
    own = Client().get(f"/api/me/{player.token}/penalties/").json()
    assert own == [{name: value for name, value in penalties[0].items() if name != "given_by"}]
    assert (
        post(judge, event, f"penalties/{penalties[0]['id']}/take-back/", reason="misheard").status_code == 204
    )
    assert (Penalty.objects.count(), table_of(event).outcome) == (0, "")


def test_refused_penalty_names_every_problem(event: Event, judge: Client) -> None:
    form_values = {"player": 1, "infraction": "late", "degree": "disqualification"}
    answer = post(judge, event, "penalties/", **form_values)
    assert (answer.status_code, [p["code"] for p in answer.json()["problems"]]) == (400, ["note_missing"])


def test_tables_are_drawn_ticked_and_ended(event: Event, judge: Client) -> None:
    draw = post(judge, event, "deck-checks/draws/", count=1, seed=7).json()
    assert (draw["seed"], draw["pool"], len(draw["tables"])) == (7, [1, 2], 1)
    checks = judge.get(f"/api/events/{event.slug}/deck-checks/").json()
    assert [(check["outcome"], check["draw"]) for check in checks] == [("", draw["id"])] * 2
    rest = f"deck-checks/{checks[0]['id']}/"
    end_answer = post(judge, event, rest, outcome="problem", note="61 cards", extension=5).json()
    assert (end_answer["outcome"], end_answer["note"], end_answer["extension"]) == ("problem", "61 cards", 5)
    assert post(judge, event, rest, outcome="ok").status_code == 409
    assert post(judge, event, f"{rest}reopen/").status_code == 204
    assert post(judge, event, f"{rest}call-off/").status_code == 204
    assert DeckCheck.objects.count() == 1


def test_call_of_a_player_is_taken_and_settled(event: Event, judge: Client) -> None:
    player = table_of(event).p1
    answer = Client().post(
        f"/api/me/{player.token}/judge-call/", {"words": "?"}, content_type="application/json"
    )
    assert answer.status_code == 201
    open_calls = judge.get(f"/api/events/{event.slug}/judge-calls/").json()
    assert open_calls == [answer.json()]
    payload = post(judge, event, f"judge-calls/{open_calls[0]['id']}/take/").json()
    assert payload["taken_by"] == "judge@example.org"
    post(
        judge, event, f"judge-calls/{open_calls[0]['id']}/close/", ruling="Legal.", reason="No ban names it."
    )
    rulings = judge.get(f"/api/events/{event.slug}/rulings/").json()
    assert [(r["ruling"], r["question"], r["table"]) for r in rulings] == [("Legal.", "?", 1)]
    assert judge.get(f"/api/events/{event.slug}/judge-calls/").json() == []


def test_ruling_is_kept_at_a_table_of_a_published_round(event: Event, judge: Client) -> None:
    form_values = {"stage": 1, "round": 1, "ruling": "Play on.", "reason": "UFS 102.1"}
    assert post(judge, event, "rulings/", **form_values, table=2).status_code == 201
    assert post(judge, event, "rulings/", **form_values, table=99).status_code == 404


def test_scorekeeper_and_public_are_kept_out(event: Event) -> None:
    for client in (signed_in(event, "scorekeeper"), Client()):
        answers = [
            client.get(f"/api/events/{event.slug}/{rest}").status_code
            for rest in ("penalties/", "deck-checks/", "deck-checks/draws/", "judge-calls/", "rulings/")
        ]
        assert answers == [403] * 5
