"""A whole day undone to its start, step by step.

It is redone without a difference.
"""

from __future__ import annotations

import pytest

from tests.scenarios.event_rows import archive_of, state_of
from tests.scenarios.factories import make_event, open_matches, organizer, publish_next, win
from tests.tournament.penalties.test_penalties import give
from tournament.access.permissions import Actor
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.services.penalties import undo_penalty
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.log.undo_plan import iter_steps_in_effect
from tournament.registration import services as registration
from tournament.results.services import results
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

CAST = {"Ann": "Ken", "Bob": "Ryu", "Cid": "Ken", "Dan": "Chun-Li", "Eve": "Sagat", "Fay": "Ryu"}


def player(event: Event, name: str) -> Player:
    return event.players.select_related("event").get(name=name)


def arrive(event: Event) -> None:
    """Fill the six places of an event.

    Two wait, one of whom is Ann again. Mallory is dropped, and a penalty was a mistake.
    """
    for name, character in {"Mallory": "Ken", **CAST, "Gus": "Guy"}.items():
        registration.add_player(event, organizer(), name=name, character=character)
    registration.add_player(event, organizer(), name="ANN", email="ann@example.org", is_namesake=True)
    give(player(event, "Mallory"), "disqualification", "conduct")
    registration.merge_players(player(event, "Ann"), player(event, "ANN"), organizer())
    undo_penalty(give(player(event, "Bob"), "warning"), organizer(), reason="the neighbour")
    events.open_check_in(event, organizer())
    for name in list(CAST)[:5]:
        registration.check_in(player(event, name), Actor.of_player(player(event, name)))
    events.start_event(event, organizer(), drop_missing=True)


def play(event: Event) -> None:
    """Play two rounds with a late player and a corrected result.

    A disqualification is undone a round later.
    """
    first = publish_next(event)
    registration.admit_player(player(event, "Fay"), organizer())
    thrown_out = give(open_matches(first)[0].p1, "disqualification")
    for match in open_matches(first):
        win(match)
    second = publish_next(event)
    undo_penalty(thrown_out, organizer(), reason="the neighbour")
    decided_match = Match.objects.select_related("round__stage__event", "p1", "p2").get(ending="disqualified")
    results.enter_result(decided_match, organizer(), p1_games=2, reason="names mixed up", way="leave")
    for match in open_matches(second):
        win(match, "p2")


def to_the_champion(event: Event) -> None:
    cuts.make_cut(event, organizer())
    while match := Match.objects.filter(round__stage__kind="single", outcome="").first():
        win(Match.objects.select_related("round__stage__event", "p1", "p2").get(pk=match.pk))


def test_a_whole_day_goes_back_to_its_start_and_comes_again_to_the_letter() -> None:
    event = make_event(swiss_rounds=2, cut="diversity", cut_size=4, capacity=6)
    beginning = state_of(event)
    arrive(event)
    play(event)
    to_the_champion(event)
    assert Event.objects.get(pk=event.pk).phase == "finished"
    rows, archive = state_of(event), archive_of(event)
    undos = []
    while steps := [step for step in iter_steps_in_effect(event, 0) if not step.is_undo]:
        undos.append(undo_step(steps[-1], organizer()))
    assert state_of(event) == beginning
    for undo in reversed(undos):
        undo_step(LogEntry.objects.get(pk=undo.pk), organizer())
    assert (state_of(event), archive_of(event)) == (rows, archive)
