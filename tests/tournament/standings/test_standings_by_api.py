"""The API's doors behind the standings: system, arithmetic, outlooks."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.test import Client

from tests.everyday import each_case
from tests.scenarios.factories import organizer, play_round, sign_in_organizer, started_event
from tests.scenarios.rollback import rolled_back
from tournament.events.models.event import Event
from tournament.pairing.services.rounds import pair_next_round

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    running_event = started_event(5, cut="top", cut_size=2, swiss_rounds=3)
    play_round(running_event)
    play_round(running_event)
    return running_event


@pytest.fixture
def desk() -> Client:
    return sign_in_organizer()


def test_the_system_is_told_as_data_and_in_words(client: Client, event: Event) -> None:
    payload = client.get(f"/api/events/{event.slug}/standings/system/").json()
    assert (payload["name"], payload["title"]) == ("ufs", "Ringside default")
    assert [line["key"] for line in payload["formulas"]] == ["points", "omw", "gw", "ogw", "lot"]
    assert payload["data"]["tiebreakers"][0]["floor"] == "1/3"


def test_an_own_system_is_set_by_its_data_and_refused_with_every_problem(desk: Client, event: Event) -> None:
    path = f"/api/events/{event.slug}/standings/system/"
    data = {"points": {"win": 2, "draw": 1}, "tiebreakers": [{"kind": "sosos"}, {"kind": "lot"}]}
    options = {"name": "own", "data": data, "reason": "As announced"}
    answer = desk.put(path, options, content_type="application/json")
    assert (answer.status_code, answer.json()["name"]) == (200, "own")
    rows = desk.get(f"/api/events/{event.slug}/standings/").json()
    assert [tiebreaker["key"] for tiebreaker in rows[0]["tiebreakers"]] == ["sosos", "lot"]
    bad = {**options, "data": {"points": {"win": 0.5}, "tiebreakers": [{"kind": "luck"}]}}
    response = desk.put(path, bad, content_type="application/json")
    assert response.status_code == 400
    assert sorted(problem["code"] for problem in response.json()["problems"]) == [
        "system_points",
        "tiebreaker_kind",
    ]


def test_only_who_manages_may_set_the_system(client: Client, event: Event) -> None:
    answer = client.put(
        f"/api/events/{event.slug}/standings/system/", {"name": "go"}, content_type="application/json"
    )
    assert answer.status_code == 403


@pytest.mark.parametrize("query", ["", "?after=1"])
def test_the_terms_of_the_arithmetic_make_the_values_of_the_standing(
    client: Client, event: Event, query: str
) -> None:
    for row in client.get(f"/api/events/{event.slug}/standings/{query}").json():
        payload = client.get(f"/api/events/{event.slug}/standings/{row['player']}/{query}").json()
        assert [each["key"] for each in payload] == ["points", "omw", "gw", "ogw"]
        exact = [row["points"], *(tiebreaker["exact"] for tiebreaker in row["tiebreakers"][:3])]
        assert [each["exact"] for each in payload] == exact
        assert [str(combine_terms(each)) for each in payload] == exact


@each_case("after", ["99", "abc", "-1", "0", "", "1.5", "٣", "999999999999999999999"])
@each_case("address", ["", "1/"], around=rolled_back)
def test_standings_after_a_round_that_is_not_published_are_refused(
    client: Client, event: Event, after: str, address: str
) -> None:
    answer = client.get(f"/api/events/{event.slug}/standings/{address}", {"after": after})
    assert answer.status_code == 400
    [problem] = answer.json()["problems"]
    assert problem["field"] == "after"


def test_standings_after_a_draft_are_refused(client: Client, event: Event) -> None:
    number = pair_next_round(event, organizer()).number
    answer = client.get(f"/api/events/{event.slug}/standings/", {"after": number})
    assert [each["code"] for each in answer.json()["problems"]] == ["unknown_round"]
    assert answer.json()["problems"][0]["fix"] == f"Use a round from 1 to {number - 1}, or remove it."


def combine_terms(answer: dict) -> Fraction:
    counting_terms = [term for term in answer["terms"] if term["counted"]]
    total = sum((Fraction(term["value"]) for term in counting_terms), Fraction(0))
    below = {
        "sum": Fraction(1),
        "mean": Fraction(len(counting_terms)),
        "quotient": sum((Fraction(term["of"]) for term in counting_terms), Fraction(0)),
    }
    return total / (below[answer["combine"]] or 1)


def test_outlooks_say_how_they_were_found(client: Client, event: Event) -> None:
    rows = client.get(f"/api/events/{event.slug}/standings/outlooks/").json()
    assert [row["player"] for row in rows] == [1, 2, 3, 4, 5]
    assert {row["method"] for row in rows} == {"bounds"}
