"""Reasons in archives name players by number, and no one outside the event."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from itertools import product
from typing import Any

import pytest

from decks.shared.refusals import Refused
from rules.reason import reasons_from_json
from tests.everyday import each_case, each_nth
from tests.scenarios.event_cache import memory
from tests.scenarios.factories import add_players, make_event, organizer
from tests.scenarios.rollback import rolled_back
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.events.names import EventNames, format_reasons
from tournament.log.services import undo_step
from tournament.pairing.services import rounds
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

Change = Callable[[dict[str, Any]], Any]


def paired_event() -> Event:
    """Five players of whom all want table 3, with a published round."""
    return memory.build_once("all want one table", _paired_event)


def _paired_event() -> Event:
    event = make_event()
    add_players(event, 5)
    event.players.update(fixed_table=3)
    events.start_event(event, organizer())
    rounds.publish_round(rounds.pair_next_round(event, organizer()), organizer())
    event.refresh_from_db()
    return event


def say_all(event: Event) -> list[str]:
    """Return every reason of the event's rounds in words."""
    matches = Match.objects.filter(round__stage__event=event).order_by("table", "pk")
    stored_reasons = [match.why for match in matches]
    stored_reasons += [round_.pairing["remarks"] for round_ in Round.objects.filter(stage__event=event)]
    return [format_reasons(reasons_from_json(each), EventNames(event)) for each in stored_reasons]


def read(document: dict[str, Any]) -> Event:
    return restore_event(json.dumps(document), organizer())


def test_reasons_of_an_imported_event_name_its_own_players() -> None:
    event = paired_event()
    document = export_event(event)
    archive = read(document)
    assert say_all(archive) == say_all(event)
    assert any("cannot have the fixed table 3" in words for words in say_all(archive))
    archive.players.update(name="Renamed")
    words = " ".join(say_all(archive))
    assert "Renamed has the bye" in words
    assert not any(name in words for name in event.players.values_list("name", flat=True))
    assert say_all(event) == say_all(read(export_event(event)))


def test_archive_names_players_of_reasons_by_number() -> None:
    event = paired_event()
    remarks = export_event(event)["stages"][0]["rounds"][0]["pairing"]["remarks"]
    numbers = {each["params"]["player"]["player"] for each in remarks}
    assert numbers <= set(event.players.values_list("number", flat=True))


def test_reasons_that_an_undo_brings_back_name_players_of_the_imported_event() -> None:
    event = make_event()
    add_players(event, 3)
    events.start_event(event, organizer())
    rounds.delete_draft(rounds.pair_next_round(event, organizer()), organizer())
    archive = read(export_event(event))
    undo_step(archive.log.get(action="draft_thrown_away"), organizer())
    bye = Match.objects.get(round__stage__event=archive, p2=None)
    assert bye.why[0]["params"]["player"] == {"player": bye.p1_id}


def test_reason_that_names_a_deleted_player_survives_the_archive() -> None:
    event = paired_event()
    bye = Match.objects.get(round__stage__event=event, p2=None)
    Match.objects.filter(pk=bye.pk).update(
        why=[{"code": "two_byes", "params": {"player": {"player": 10**6}}}]
    )
    archive = read(export_event(event))
    assert Match.objects.get(round__stage__event=archive, p2=None).why[0]["params"] == {
        "player": {"player": 0}
    }
    assert "player 0 keeps the bye" in " ".join(say_all(read(export_event(archive))))


def first_round(document: dict[str, Any]) -> dict[str, Any]:
    first_entry: dict[str, Any] = document["stages"][0]["rounds"][0]
    return first_entry


def put_why(value: Any) -> Change:
    return lambda document: first_round(document)["matches"][0].update(why=value)


def put_remarks(value: Any) -> Change:
    return lambda document: first_round(document)["pairing"].update(remarks=value)


def put_change(why: Any) -> Change:
    change = {"move": "swap", "one": 1, "two": 2, "why": {"1": why}}
    return lambda document: first_round(document)["pairing"].update(by_hand=[change])


def put_settlement(reasons: Any) -> Change:
    row = {
        "facts": {}, "result": "p1", "decided_by": "", "clause": "", "document": "", "is_ours": False,
        "settled_by": "", "settled_at": "2026-05-02T09:00:00+00:00", "reasons": reasons, "board": 0,
    }  # fmt: skip
    return lambda document: first_round(document)["matches"][0].update(settlements=[row])


def put_selection(reason: Any) -> Change:
    row = {"player": 1, "rank": 1, "in": True, "clause": "", "reason": reason}
    return lambda document: document["stages"][0].update(selection=[row])


def put_logged(value: Any) -> Change:
    def change(document: dict[str, Any]) -> None:
        row = {"table": "match", "id": 1, "before": {"why": []}, "after": {"why": value}}
        document["log"][-1]["changes"].append(row)

    return change


PLACES = {
    "why": put_why,
    "remarks": put_remarks,
    "change by hand": put_change,
    "settlement": put_settlement,
    "selection": lambda reasons: put_selection(reasons[0]),
    "log": put_logged,
}
FOREIGN = {"player": 9999}, {"player": -1}, {"player": "1"}, {"player": [1]}, {"user": 1}, {"event": 1}
MALFORMED = (
    {"code": 3},
    {"code": ""},
    {"params": {}},
    {"code": "x", "more": 1},
    {"code": "x", "params": []},
    {"code": "x", "params": {"points": 1.5}},
    {"code": "x", "params": {"points": {"fraction": "1/0"}}},
    {"code": "x", "params": {"points": {"fraction": "1e999999999"}}},
    {"code": "x", "params": {"who": {"password": 1}}},
    "The lot drew them together.",
    None,
)


@pytest.fixture
def document() -> dict[str, Any]:
    """An archive of an event with a published round."""
    return json.loads(json.dumps(export_event(paired_event())))


@each_case("place", PLACES)
@each_case("reference", FOREIGN, around=rolled_back)
def test_reason_that_refers_out_of_the_event_is_refused(
    document: dict[str, Any], place: str, reference: dict[str, Any]
) -> None:
    document = deepcopy(document)
    if place == "log" and reference == {"player": -1}:
        pytest.skip("the log numbers rows that are gone from -1 on")
    PLACES[place]([{"code": "two_byes", "params": {"player": reference}}])(document)
    with pytest.raises(Refused):
        read(document)
    assert Event.objects.count() == 1


@each_case(("place", "reason"), each_nth(5, product(PLACES, MALFORMED)), around=rolled_back)
def test_malformed_reason_is_refused(document: dict[str, Any], place: str, reason: Any) -> None:
    document = deepcopy(document)
    PLACES[place]([reason])(document)
    with pytest.raises(Refused):
        read(document)
    assert Event.objects.count() == 1


@each_case("value", ["words", {"code": "x"}, 3, None], around=rolled_back)
def test_reasons_that_are_no_list_are_refused(document: dict[str, Any], value: Any) -> None:
    document = deepcopy(document)
    put_why(value)(document)
    with pytest.raises(Refused):
        read(document)
