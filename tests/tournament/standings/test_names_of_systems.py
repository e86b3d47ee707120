"""Names of systems and tiebreakers, stored by key.

They are put into words where they are read.
"""

from __future__ import annotations

import json

import pytest
from django.test import Client

from decks.shared.wording import say_reason
from rules.reason import plain_reason, reason
from rules.rendering import say
from tests.everyday import each_case
from tests.scenarios.factories import make_event, organizer, sign_in_organizer
from tests.scenarios.log_words import words_of
from tests.scenarios.rollback import rolled_back
from tournament.engine.standings.systems.custom import TIEBREAKER_CHOICES, own_system, system_to_data
from tournament.engine.standings.systems.labels import LABELS, find_label, name_label
from tournament.engine.standings.systems.loading import load_system, system_names
from tournament.engine.standings.systems.system import System
from tournament.events.models.event import Event
from tournament.standings.selectors.standings import put_system_into_words, scoring_system_of
from tournament.standings.services import set_standings_system

pytestmark = pytest.mark.django_db

OWN_NAME = {"kind": "buchholz", "key": "bh", "name": "Who you met"}


def own(*entries: dict[str, object], **data: object) -> System:
    return own_system(json.loads(json.dumps({"tiebreakers": list(entries), **data})))


def test_log_stores_the_system_and_its_tiebreakers_by_key() -> None:
    event = make_event()
    set_standings_system(event, organizer(), "go")
    line = event.log.get(action="standings_system_changed")
    assert line.params["system"] == {"code": "system.go", "params": {}}
    assert line.params["tiebreakers"] == [
        {"code": "tiebreaker.scores", "params": {}},
        {"code": "tiebreaker.opponents-sos", "params": {}},
    ]
    assert words_of(line) == (
        "olga@example.org set the scoring system to Go: win 1, draw 1/2, loss 0, bye 1, double loss 0, "
        "loss without an opponent 0. Tiebreakers: Sum of opponents' scores and Sum of opponents' SOS."
    )


def test_names_that_an_organizer_wrote_are_stored_as_they_are() -> None:
    event = make_event()
    data = {"title": "Club league", "tiebreakers": [OWN_NAME]}
    set_standings_system(event, organizer(), "own", data)
    line = event.log.get(action="standings_system_changed")
    assert line.params["system"] == {"code": "told", "params": {"told": "Club league"}}
    assert line.params["tiebreakers"] == [{"code": "told", "params": {"told": "Who you met"}}]
    assert words_of(line).endswith(". Tiebreakers: Who you met.")
    event.refresh_from_db()
    assert (event.own_system["title"], event.own_system["tiebreakers"][0]["name"]) == (
        "Club league",
        "Who you met",
    )


def test_line_of_the_log_from_before_keys_is_read_as_it_was_written() -> None:
    event = make_event()
    set_standings_system(event, organizer(), "go")
    line = event.log.get(action="standings_system_changed")
    line.params |= {"system": "Goban", "tiebreakers": "Old sums, Old wins"}
    assert "set the scoring system to Goban: win 1" in words_of(line)
    assert words_of(line).endswith(". Tiebreakers: Old sums, Old wins.")


@each_case("label", LABELS, around=rolled_back)
def test_name_of_ours_is_stored_by_its_label(label: str) -> None:
    name = say_reason(name_label(label))
    system = own({"kind": "wins", "key": "k", "name": name})
    assert system_to_data(system)["tiebreakers"] == [{"kind": "wins", "key": "k", "label": label}]
    assert put_system_into_words(system)["tiebreakers"] == [{"kind": "wins", "key": "k", "name": name}]


def test_row_from_before_labels_is_the_same_system_as_one_of_today() -> None:
    Event.objects.filter(pk=(event := make_event()).pk).update(
        standings_system="own",
        own_system={
            "title": say("reason", "system.own"),
            "tiebreakers": [
                {"kind": "opponents_match_win", "key": "omw", "name": "Opponents' match-win percentage"}
            ],
        },
    )
    event.refresh_from_db()
    system = scoring_system_of(event)
    assert (system.title, system.tiebreakers[0].label) == (reason("system.own"), "omw")
    assert system == own({"kind": "opponents_match_win", "key": "omw", "label": "omw"})


def test_every_choice_and_every_shipped_tiebreaker_has_a_label() -> None:
    shipped_systems = [
        t
        for name in system_names()
        for t in (*load_system(name).tiebreakers, *load_system(name).extra_tiebreakers)
    ]
    assert {choice.key for choice in TIEBREAKER_CHOICES} | {t.label for t in shipped_systems} == set(LABELS)
    assert len({say_reason(name_label(label)) for label in LABELS}) == len(LABELS)


@each_case("name", ["", "buchholz", "Buchholz ", None, 7], around=rolled_back)
def test_name_that_is_none_of_ours_has_no_label(name: object) -> None:
    assert find_label(name) == ""


def test_label_that_there_is_not_is_refused(client: Client) -> None:
    event = make_event()
    sign_in_organizer(client)
    data = {"tiebreakers": [{"kind": "wins", "label": "fame"}, {"kind": "lot", "label": ["lot"]}]}
    answer = client.put(
        f"/api/events/{event.slug}/standings/system/",
        {"name": "own", "data": data},
        content_type="application/json",
    )
    assert answer.status_code == 400
    assert [problem["code"] for problem in answer.json()["problems"]] == ["tiebreaker_parameter"] * 2


def test_api_gives_every_name_in_words(client: Client) -> None:
    event = make_event()
    set_standings_system(
        event, organizer(), "own", {"tiebreakers": [{"kind": "lot", "label": "lot"}, OWN_NAME]}
    )
    answer = client.get(f"/api/events/{event.slug}/standings/system/").json()
    assert (answer["title"], answer["data"]["title"]) == (say("reason", "system.own"),) * 2
    assert [entry["name"] for entry in answer["data"]["tiebreakers"]] == ["Random", "Who you met"]
    assert [line["name"] for line in answer["formulas"]] == ["Points", "Random", "Who you met"]
    assert all("label" not in entry for entry in answer["data"]["tiebreakers"])


def test_title_of_ones_own_is_told() -> None:
    assert own(title="Club league").title == plain_reason("Club league")
