"""Random steps undone and redone, alone and with their dependents.

Every former state returns.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from decks.shared.refusals import Refused
from tests.machine import examples
from tests.scenarios.event_rows import state_of
from tests.scenarios.factories import add_players, make_event, organizer, win
from tests.tournament.log.test_undo import last
from tournament.brackets.services import cut as cuts
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.log.undo_plan import iter_steps_in_effect
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events

pytestmark = pytest.mark.daily_on_postgres

Act = Callable[[Event, random.Random], Any]


def _add(event: Event, chance: random.Random) -> Any:
    name = f"Late {chance.randrange(10**6)}"
    return registration.add_player(event, organizer(), name=name, character="Ken")


def _some_player(event: Event, chance: random.Random) -> Player:
    return chance.choice(list(event.players.select_related("event", "deck_list")))


def _result(event: Event, chance: random.Random) -> Any:
    matches = Match.objects.filter(round__stage__event=event, p2__isnull=False)
    match = chance.choice(list(matches.select_related("round__stage__event", "p1", "p2")))
    p1_games, p2_games = chance.choice(((2, 0), (1, 2), (1, 1), (2, 1)))
    return results.enter_result(match, organizer(), p1_games=p1_games, p2_games=p2_games)


def _rest_of_round(event: Event, chance: random.Random) -> Any:
    for match in Match.objects.filter(round__stage__event=event, outcome=""):
        win(Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk))


def _newest(event: Event) -> Round:
    return list(Round.objects.select_related("stage__event").filter(stage__event=event))[-1]


ACTS: tuple[Act, ...] = (
    _add,
    _result,
    _result,
    _rest_of_round,
    lambda e, c: registration.drop(_some_player(e, c), organizer(), reason="tired"),
    lambda e, c: registration.undo_drop(_some_player(e, c), organizer()),
    lambda e, c: decklists.submit_list(
        _some_player(e, c), organizer(), f"{c.randrange(1, 4)} Kubi Ori", by_staff=True, reason="late"
    ),
    lambda e, c: rounds.pair_next_round(e, organizer()),
    lambda e, c: rounds.pair_round_again(_newest(e), organizer()),
    lambda e, c: rounds.publish_round(_newest(e), organizer()),
    lambda e, c: events.update_event(e, organizer(), {"place": f"Hall {c.randrange(9)}"}),
    lambda e, c: cuts.make_cut(e, organizer()),
)


def do_something(event: Event, chance: random.Random) -> None:
    """Do one random step.

    Nothing is done if it is refused or there is nothing to do it to.
    """
    try:
        chance.choice(ACTS)(event, chance)
    except (Refused, IndexError):
        return


def chance_event(luck: int, count: int) -> tuple[Event, random.Random]:
    """Return an event that has just started, and the chance that goes with it.

    The event has a few players.
    """
    chance = random.Random(luck)
    event = make_event(name=f"Event {luck}-{count}", swiss_rounds=2, cut="top", cut_size=2)
    add_players(event, chance.randrange(2, 7))
    events.start_event(event, organizer())
    return event, chance


@settings(
    max_examples=examples(4), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(luck=st.integers(0, 10**9), count=st.integers(1, 18))
def test_random_steps_undone_one_by_one_return_each_former_state_and_redone_each_later_one(
    db: None, luck: int, count: int
) -> None:
    event, chance = chance_event(luck, count)
    states = [(last(event).pk, state_of(event))]
    for _ in range(count):
        do_something(event, chance)
        states.append((last(event).pk, state_of(event)))
    undos = []
    for newest, rows in reversed(states[:-1]):
        undos += [
            undo_step(entry, organizer())
            for entry in reversed(list(steps_between(event, newest, states[-1][0])))
        ]
        assert state_of(event) == rows
    for undo in reversed(undos):
        undo_step(undo, organizer())
    assert state_of(event) == states[-1][1]


def steps_between(event: Event, first: int, last: int) -> list[LogEntry]:
    """Return steps in effect after one entry up to another."""
    return [entry for entry in iter_steps_in_effect(event, first + 1) if entry.pk <= last]


@settings(
    max_examples=examples(4), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(luck=st.integers(0, 10**9), count=st.integers(1, 25))
def test_any_step_undone_with_what_rests_on_it_and_redone_returns_the_same_rows(
    db: None, luck: int, count: int
) -> None:
    event, chance = chance_event(luck, count)
    for _ in range(count):
        do_something(event, chance)
        if chance.random() < 0.3:
            undo_something(event, chance)
    before = state_of(event)
    undo_entry = undo_something(event, chance)
    if undo_entry is not None:
        assert Seat.objects.filter(round__stage__event=event).count() == sum(
            1 + (match.p2_id is not None) for match in Match.objects.filter(round__stage__event=event)
        )
        undo_step(undo_entry, organizer())
    assert state_of(event) == before


def undo_something(event: Event, chance: random.Random) -> LogEntry | None:
    """Undo any step in effect, if possible."""
    try:
        return undo_step(chance.choice(list(iter_steps_in_effect(event, 0))), organizer())
    except Refused:
        return None
