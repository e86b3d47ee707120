"""Cards added for one event by the API.

Tests cover rights, facts of the game, undo, and the same rules as the page.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.scenarios.catalogue import list_of, small_catalogue
from tests.scenarios.factories import make_event, organizer
from tests.tournament.desk.test_console_pages import signed_in
from tournament.decklists.models import AddedCard
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.log import services as undo

pytestmark = pytest.mark.django_db
JSON = "application/json"
FACTS = {"type": "foundation", "dots": 0, "split": []}
SENT = {"name": "Quartz Oath", "set": "HM1", "number": "7", "facts": FACTS}
DECK = list_of("1 Mara ●", "4 Quartz Oath", fillers=55)


@pytest.fixture
def event(db) -> Event:
    small_catalogue()
    return make_event()


@pytest.fixture
def desk(event) -> Client:
    return signed_in(event, "organizer")


def address(event: Event, card: int | None = None) -> str:
    return f"/api/events/{event.slug}/cards/" + ("" if card is None else f"{card}/")


def add(desk: Client, event: Event, **values: Any) -> Any:
    return desk.post(address(event), {**SENT, **values}, content_type=JSON)


def test_added_card_is_listed_and_makes_the_list_legal(event, desk) -> None:
    answer = add(desk, event)
    card = AddedCard.objects.get()
    added_card = {"id": card.pk, "key": "organizer:HM1-007-quartz-oath", **SENT}
    assert (answer.status_code, answer.json()) == (201, added_card)
    assert desk.get(address(event)).json() == [added_card]
    assert desk.get(address(event, card.pk)).json() == added_card
    assert decklists.check_list(event, DECK).outcome == "legal"


@pytest.mark.both_databases
def test_replaced_card_forgets_what_was_left_out(event, desk) -> None:
    card = add(desk, event).json()["id"]
    answer = desk.put(address(event, card), {"name": "Quartz Oath", "facts": {"dots": 1}}, content_type=JSON)
    assert (answer.status_code, answer.json()["set"], answer.json()["facts"]) == (200, "", {"dots": 1})
    assert decklists.check_list(event, DECK).outcome == "unknown"


def test_deleted_card_is_gone_and_undo_brings_it_back(event, desk) -> None:
    card = add(desk, event).json()["id"]
    assert desk.delete(address(event, card)).status_code == 204
    assert (desk.get(address(event)).json(), desk.get(address(event, card)).status_code) == ([], 404)
    undo.undo_step(event.log.get(action="card_removed"), organizer())
    assert [each["name"] for each in desk.get(address(event)).json()] == ["Quartz Oath"]


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"facts": {"dots": "many"}}, ("fact_unreadable", "facts")),
        ({"facts": {"dots": True}}, ("fact_unreadable", "facts")),
        ({"facts": {"dots": 10**12}}, ("fact_unreadable", "facts")),
        ({"facts": {"split": "air/fire"}}, ("fact_unreadable", "facts")),
        ({"facts": {"type": ["foundation"]}}, ("fact_unreadable", "facts")),
        ({"facts": {"type": None}}, ("fact_unreadable", "facts")),
        ({"facts": {"dot": 1}}, ("fact_unknown", "facts")),
        ({"facts": {"name": "Anvil Stance"}}, ("fact_unknown", "facts")),
        ({"facts": ["dots"]}, ("not_a_dict", "facts")),
        ({"name": ""}, ("blank", "name")),
        ({"name": "Anvil Stance"}, ("card_in_catalogue", "name")),
        ({"name": "x" * 201}, ("max_length", "name")),
        ({"colour": "red"}, ("unknown_field", "colour")),
    ],
)
def test_card_that_cannot_be_added_is_refused_with_its_field(event, desk, values, problem) -> None:
    answer = add(desk, event, **values)
    problems = [(each["code"], each["field"]) for each in answer.json()["problems"]]
    assert (answer.status_code, problems, AddedCard.objects.count()) == (400, [problem], 0)


def test_second_card_of_one_name_set_and_number_is_refused(event, desk) -> None:
    add(desk, event)
    assert [each["code"] for each in add(desk, event).json()["problems"]] == ["card_added_already"]


def test_card_of_another_event_is_not_found(event, desk) -> None:
    card = add(desk, event).json()["id"]
    other = make_event(name="Other Open")
    theirs = signed_in(other, "owner")
    assert theirs.put(address(other, card), SENT, content_type=JSON).status_code == 404
    assert theirs.delete(address(other, card)).status_code == 404
    assert AddedCard.objects.filter(pk=card).exists()


@pytest.mark.parametrize("kind", ["judge", "scorekeeper"])
def test_staff_without_the_right_is_refused(event, kind: str) -> None:
    helper = signed_in(event, kind)
    assert helper.get(address(event)).status_code == 403
    assert helper.post(address(event), SENT, content_type=JSON).status_code == 403
    assert AddedCard.objects.count() == 0
