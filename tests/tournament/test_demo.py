"""The demo that a first start builds, built once and looked at from all sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client

from tests import machine
from tournament import demo
from tournament.brackets.selectors.bracket import champion_of_event
from tournament.events.models.event import Event
from tournament.events.models.round import Match

CAST = demo.read_cast()
# `tests.screens.hall` builds the demo with all of them, and `test_fixtures` checks each of their lists.
PLAYERS = 32 if machine.whole() else 18
LISTS = {"legal": 29, "illegal": 2, "unknown": 1} if machine.whole() else {"legal": 16, "illegal": 2}


@dataclass
class DemoFacts:
    """The state of the demo before it was deleted."""

    output: list[str] = field(default_factory=list)
    versions: list[list[Any]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    third_round: Counter[bool] = field(default_factory=Counter)
    lists: Counter[str] = field(default_factory=Counter)
    champion: str = ""
    doors: list[bool] = field(default_factory=list)


@pytest.fixture(scope="module")
def facts(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: Any) -> Iterator[DemoFacts]:
    """Build the demo, start a second time, look, and leave nothing behind."""
    logins: Path = tmp_path_factory.mktemp("demo") / "logins.json"
    cast = replace(CAST, people=CAST.people[:PLAYERS])
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        patch.setattr(demo, "LOGINS", logins)
        patch.setattr(demo, "read_cast", lambda: cast)
        call_command("load_fixtures", verbosity=0)
        yield _look()
        transaction.set_rollback(True)


def _look() -> DemoFacts:
    facts = DemoFacts()
    for _ in range(2):
        out = StringIO()
        call_command("demo", stdout=out)
        facts.output.append(out.getvalue())
        facts.versions.append(list(Event.objects.values_list("pk", "version")))
    facts.events = list(Event.objects.filter(is_demo=True).order_by("pk"))
    running_event, _, finished_event = facts.events
    tables = Match.objects.filter(round__stage__event=running_event, round__number=3)
    facts.third_round = Counter(match.is_finished for match in tables)
    facts.lists = Counter(running_event.players.values_list("deck_list__current__outcome", flat=True))
    facts.champion = champion_of_event(finished_event).name
    people = demo.get_demo_logins()
    facts.doors = [Client().login(username=p["email"], password=p["password"]) for p in people]
    return facts


def test_demo_shows_an_event_in_round_three_one_open_and_one_finished(facts: DemoFacts) -> None:
    running_event, upcoming_event, finished_event = facts.events
    assert (running_event.phase, running_event.swiss_rounds, facts.lists.total()) == ("swiss", 5, PLAYERS)
    assert facts.third_round == {True: 7, False: PLAYERS // 2 - 7}
    assert (upcoming_event.phase, finished_event.phase) == ("registration", "finished")
    assert facts.champion


def test_demo_has_legal_lists_and_odd_ones_among_them(facts: DemoFacts) -> None:
    assert (len(CAST.people), len(CAST.odd_lists)) == (32, 3)
    assert facts.lists == LISTS


def test_demo_prints_logins_that_open_the_door(facts: DemoFacts) -> None:
    assert facts.output[0].count("@demo.example  ") == 3
    assert facts.doors == [True, True, True]


def test_a_second_start_finds_everything_again(facts: DemoFacts) -> None:
    assert facts.output[0] == facts.output[1]
    assert facts.versions[0] == facts.versions[1]
