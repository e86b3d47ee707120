"""A registration that is undone in its event.

It leaves the league that had joined it with another.
"""

from __future__ import annotations

import pytest
from django.db import connection

from decks.shared.refusals import Refused
from tests.scenarios.factories import make_event, organizer
from tests.scenarios.log_words import words_of
from tests.tournament.leagues.test_leagues import league_of
from tournament.events.models.player import Player
from tournament.leagues import services as leagues_services
from tournament.leagues.services import undo_league_change
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.registration import services as registration

pytestmark = pytest.mark.django_db


def undo_entry(step: LogEntry) -> LogEntry:
    return undo_step(LogEntry.objects.select_related("event").get(pk=step.pk), organizer())


def test_registration_that_is_taken_back_and_done_again_can_be_joined_again() -> None:
    one, two = make_event(name="One"), make_event(name="Two")
    league = league_of(one, two)
    eve = registration.add_player(one, organizer(), name="Eve")
    came = LogEntry.objects.filter(event=one).latest("pk")
    eva = registration.add_player(two, organizer(), name="Eva")
    leagues_services.mark_same_person(league, organizer(), eve.pk, eva.pk)
    again = undo_entry(came)
    connection.check_constraints()
    assert not league.persons.exists()
    line = league.log.select_related("league").first()
    who = organizer().label
    assert words_of(line) == (
        f"{who} undid a registration in its event, so Eve (One) and Eva (Two) are two people."
    )
    with pytest.raises(Refused) as excinfo:
        undo_league_change(line, organizer())
    assert excinfo.value.code == "gone_for_good"
    undo_entry(again)
    assert Player.objects.filter(pk=eve.pk).exists()
    undo_league_change(line, organizer())
    assert list(league.persons.values_list("one_id", "two_id")) == [(eve.pk, eva.pk)]
