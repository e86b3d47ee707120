"""API calls that ask what a draft would break, and follow a recheck."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from decks.rechecks import services as rechecks
from rules.rendering import say
from tests.decks.rechecks.test_consequences import hall, hand_in, keeper
from tests.scenarios.catalogue import LEGAL
from tests.scenarios.editions import draft
from tests.scenarios.factories import make_user
from tests.scenarios.upcoming_decklists import DAY, ban_list

pytestmark = pytest.mark.django_db
__all__ = ["hall", "keeper"]
JSON = "application/json"
DRAFTS, RECHECKS = "/api/lists/drafts/", "/api/lists/rechecks/"


def test_a_program_asks_what_a_draft_would_break_and_reads_the_answer(hall, keeper, run_jobs):
    hand_in(hall, LEGAL, 1)
    new_draft = draft("Anvil Stance", in_force=DAY)
    (row,) = keeper.get(DRAFTS).json()
    assert (row["id"], row["game"], row["kind"], row["revision"]) == (
        new_draft.pk,
        "ufs",
        "bans",
        new_draft.revision,
    )
    door = f"{DRAFTS}{row['id']}/would-break/"
    assert (keeper.get(door).json()["state"], keeper.get(door).json()["found"]) == ("not_asked", None)
    response = keeper.post(door, content_type=JSON)
    assert (response.status_code, response.json()["state"]) == (202, "queued")
    run_jobs()
    answer = keeper.get(door).json()
    assert (answer["state"], answer["percent"], answer["revision"]) == ("done", 100, new_draft.revision)
    (event,) = answer["found"]["events"]
    assert (event["name"], event["day"], event["lists"], event["broken"]) == ("Event 1", "2026-12-01", 1, 1)
    (affected_list,) = event["shown"]
    assert (affected_list["owner"], affected_list["before"], affected_list["after"]) == (
        "Player 1",
        "legal",
        "illegal",
    )


def test_a_program_follows_a_recheck_stops_it_and_goes_on(hall, keeper, run_jobs):
    hand_in(hall, LEGAL, 1)
    recheck = rechecks.start_recheck(ban_list("Anvil Stance"))
    (row,) = keeper.get(RECHECKS).json()
    [cause] = row["causes"]
    assert (cause["code"], cause["params"]["number"]) == ("edition_published", recheck.edition.number)
    assert row["cause"] == cause["sentence"]
    door = f"{RECHECKS}{row['id']}/"
    payload = keeper.get(door).json()
    assert (payload["state"], payload["percent"], payload["progress"]) == (
        "open",
        None,
        {"code": "recheck_counting", "params": {}, "sentence": say("reason", "recheck_counting")},
    )
    run_jobs(), run_jobs()
    payload = keeper.get(door).json()
    assert (payload["state"], payload["done"], payload["news"], payload["mended"]) == ("done", 1, 1, 0)
    assert payload["recheck"]["id"] == recheck.pk
    second = rechecks.start_recheck(ban_list("Anvil Stance", number=3))
    assert keeper.post(f"{RECHECKS}{second.pk}/go-on/", content_type=JSON).json()["state"] == "open"
    assert keeper.post(f"{RECHECKS}{second.pk}/stop/", content_type=JSON).json()["state"] == "cancelled"


def test_what_is_not_there_is_not_found(hall, keeper):
    published_list = ban_list("Anvil Stance")
    assert keeper.get(f"{DRAFTS}{published_list.pk}/would-break/").status_code == 404
    assert keeper.get(f"{RECHECKS}9/").status_code == 404
    assert keeper.get(f"{RECHECKS}{10**30}/").status_code == 404
    recheck = rechecks.start_recheck(published_list)
    assert keeper.post(f"{RECHECKS}{recheck.pk}/dance/", content_type=JSON).status_code == 404


def test_others_are_not_let_in(hall, client):
    new_draft = draft("Anvil Stance", in_force=DAY)
    client.force_login(make_user("bob@example.org"))
    assert client.post(f"{DRAFTS}{new_draft.pk}/would-break/").status_code == 403
    assert client.get(RECHECKS).status_code == 403


def test_the_list_of_rechecks_costs_the_same_for_one_and_for_many(hall, keeper):
    costs = []
    for number in (2, 3, 4, 5):
        rechecks.start_recheck(ban_list("Anvil Stance", number=number))
        with CaptureQueriesContext(connection) as captured_queries:
            keeper.get(RECHECKS)
        costs.append(len(captured_queries))
    assert (costs[0], costs[-1]) == (5, 5)
