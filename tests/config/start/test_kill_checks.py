"""The checks of the kill tests find each kind of loss.

Each loss is made by hand here.
"""

from __future__ import annotations

import pytest

from benchmarks.kill.acknowledgements import Acknowledgements
from benchmarks.kill.checks import broken_acknowledgements, database_damage, inconsistencies
from tests.scenarios.factories import open_matches, publish_next, started_event, win
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round, Seat

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """An event with a published round and its first result."""
    running_event = started_event(5)
    win(open_matches(publish_next(running_event))[0])
    return Event.objects.get(pk=running_event.pk)


def test_sound_event_has_no_fault(event: Event) -> None:
    assert [*database_damage(), *inconsistencies(event), *broken_acknowledgements(Acknowledgements())] == []


def test_acknowledged_result_that_is_gone_is_named(event: Event) -> None:
    acknowledgements = Acknowledgements()
    match = Match.objects.get(outcome="p1")
    acknowledgements.add_sent(match.pk, (2, 0)).is_acknowledged = True
    assert list(broken_acknowledgements(acknowledgements)) == []
    Match.objects.filter(pk=match.pk).update(outcome="", result_at=None)
    assert list(broken_acknowledgements(acknowledgements)) == [
        f"match {match.pk} has None; it may have [(2, 0)]"
    ]


def test_unanswered_result_may_stand_or_not(event: Event) -> None:
    acknowledgements = Acknowledgements()
    match = Match.objects.get(outcome="p1")
    acknowledgements.add_sent(match.pk, (2, 1)).is_acknowledged = True
    acknowledgements.add_sent(match.pk, (2, 0))
    assert acknowledgements.possible_scores(match.pk) == [(2, 1), (2, 0)]
    assert list(broken_acknowledgements(acknowledgements)) == []


def test_lost_registration_round_and_publication_are_named(event: Event) -> None:
    acknowledgements = Acknowledgements()
    acknowledgements.registered[event.slug, "ann@example.org"].add("a link")
    acknowledgements.paired.add((event.slug, 2))
    acknowledgements.published_rounds.add((event.slug, 2))
    assert list(broken_acknowledgements(acknowledgements)) == [
        f"ann@example.org was registered 0 times in {event.slug}, told 1 links",
        f"round 2 of {event.slug} was paired and is gone",
        f"round 2 of {event.slug} was published: not so",
    ]


@pytest.mark.both_databases
def test_half_a_step_is_seen(event: Event) -> None:
    seat = Seat.objects.first()
    Seat.objects.filter(pk=seat.pk).delete()
    Player.objects.filter(number=1).update(name="Mallory")
    Round.objects.update(state="finished")
    Event.objects.update(version=99)
    faults = [fault.removeprefix(f"{event.slug}: ") for fault in inconsistencies(Event.objects.get())]
    player = Player.objects.get(number=1).pk
    assert [fault.split("{")[0] for fault in faults] == [
        "chairs and sides of matches differ: Counter(",
        "round 1 is finished, with open tables: True",
        f"the log and the tables do not agree whether there is ('seat', {seat.pk})",
        f"('player', {player}): the log says ['Alice'] of ['name']",
        f"('round', {Round.objects.get().pk}): the log says ['published'] of ['state']",
        f"version 99 after {event.version - 1} steps",
    ]
