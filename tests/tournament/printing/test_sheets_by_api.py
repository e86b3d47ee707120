"""Sheets of paper by the API: asked for, followed, fetched."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from decks.jobs.models import Job
from decks.jobs.worker import perform
from tests.everyday import each_case
from tests.scenarios.factories import add_players, make_event, play_round, started_event
from tests.scenarios.rollback import rolled_back
from tests.tournament.desk.test_console_pages import signed_in
from tournament.events.models.event import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    event = started_event(4)
    play_round(event)
    return event


@pytest.fixture
def desk(event: Event) -> Client:
    return signed_in(event, "scorekeeper")


def ask(client: Client, event: Event, **wish: Any) -> Any:
    return client.post(f"/api/events/{event.slug}/sheets/", wish, content_type="application/json")


def refusals(answer: Any) -> list[tuple[str, str | None]]:
    return [(problem["code"], problem["field"]) for problem in answer.json()["problems"]]


@pytest.mark.paper
def test_a_sheet_is_asked_for_followed_and_fetched(event: Event, desk: Client) -> None:
    created_sheet = ask(desk, event, sheet="standings", paper="Letter")
    job = created_sheet.json()
    assert (created_sheet.status_code, job["state"], job["percent"], job["is_ready"]) == (
        202,
        "queued",
        None,
        False,
    )
    assert job["progress"] is None
    place = f"/api/events/{event.slug}/sheets/{job['id']}/"
    assert desk.get(f"{place}file/").status_code == 404
    perform(Job.objects.get().pk)
    payload = desk.get(place).json()
    assert (payload["state"], payload["percent"], payload["error"], payload["is_ready"]) == (
        "done",
        100,
        "",
        True,
    )
    assert payload["progress"]["code"] == "file_ready"
    answer = desk.get(f"{place}file/")
    assert (answer["Content-Type"], answer.content[:5]) == ("application/pdf", b"%PDF-")
    assert ask(desk, event, sheet="standings", paper="Letter").json()["id"] == job["id"]
    sheets = {sheet["key"]: sheet for sheet in desk.get(f"/api/events/{event.slug}/sheets/").json()}
    assert (sheets["standings"]["last"], sheets["standings"]["is_fresh"]) == (job["id"], True)
    assert sheets["slips"]["last"] is None


def test_progress_is_put_into_words_for_who_reads_it(event: Event, desk: Client) -> None:
    job = ask(desk, event, sheet="standings").json()
    stage = {"code": "setting_sheet", "params": {"number": 1, "count": 3}}
    Job.objects.update(progress_stage=stage)
    progress = [
        desk.get(f"/api/events/{event.slug}/sheets/{job['id']}/", headers={"accept-language": each}).json()
        for each in ("en", "de")
    ]
    english, german = (each["progress"] for each in progress)
    assert english == {**stage, "sentence": english["sentence"]}
    assert german == {**stage, "sentence": german["sentence"]}
    assert english["sentence"] != german["sentence"]


def test_what_a_printout_lacks_has_a_code() -> None:
    event = make_event()
    answer = signed_in(event, "scorekeeper").get(f"/api/events/{event.slug}/sheets/")
    lacks = {sheet["key"]: sheet["lacks"] for sheet in answer.json()}
    assert lacks["slips"]["code"] == "sheet_from_first_round"
    assert lacks["check-in"] is None


def test_a_wish_says_round_player_and_paper(event: Event, desk: Client) -> None:
    # A scorekeeper prints the form empty; a list on it is for those who may read lists.
    assert ask(desk, event, sheet="registration", player=2).status_code == 403
    ask(signed_in(event, "judge"), event, sheet="registration", stage=1, round=1, player=2, paper="A4")
    payload = Job.objects.get().payload
    assert {key: payload[key] for key in ("sheet", "stage", "round", "paper", "player", "blank")} == {
        "sheet": "registration", "stage": 1, "round": 1, "paper": "A4", "player": 2, "blank": False,
    }  # fmt: skip


@each_case(
    ("wish", "problems"),
    [
        ({"sheet": "poster"}, [("unknown_sheet", "sheet")]),
        ({"sheet": "gems"}, [("unknown_sheet", "sheet")]),
        ({"sheet": "slips", "stage": 1, "round": 9}, [("unknown_round", "round")]),
        ({"sheet": "slips", "round": 1}, [("round_incomplete", None)]),
        (
            {"sheet": "slips", "stage": 9, "round": 1, "player": 77},
            [("unknown_round", "round"), ("unknown_player", "player")],
        ),
        ({"sheet": "slips", "paper": "A3"}, [("invalid_choice", "paper")]),
    ],
    around=rolled_back,
)
def test_a_wish_for_what_there_is_not_names_everything(
    event: Event, desk: Client, wish: dict[str, object], problems: list[tuple[str, str | None]]
) -> None:
    answer = ask(desk, event, **wish)
    assert (answer.status_code, refusals(answer), Job.objects.count()) == (400, problems, 0)


def test_a_sheet_of_a_round_waits_for_the_first() -> None:
    event = make_event()
    add_players(event, 2)
    assert refusals(ask(signed_in(event, "owner"), event, sheet="slips")) == [("sheet_not_ready", "sheet")]


def test_another_events_sheet_is_not_found(event: Event, desk: Client) -> None:
    other = started_event(2, name="Other")
    foreign = Job.objects.create(kind="print_sheet", payload={"event": other.pk, "sheet": "standings"})
    places = (foreign.pk, uuid4())
    assert [desk.get(f"/api/events/{event.slug}/sheets/{pk}/").status_code for pk in places] == [404, 404]
