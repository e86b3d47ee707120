"""A player who must leave after the cut is made.

Staff find the way, and see the effects.
"""

from __future__ import annotations

import re

import pytest
from django.db.models import F
from django.test import Client

from tests.scenarios.factories import built_once, organizer, play_round, sign_in_organizer, started_event, win
from tests.scenarios.log_words import all_words
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.registration import services as registration

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk(client: Client) -> Client:
    return sign_in_organizer(client)


@pytest.fixture
@built_once
def event() -> Event:
    """Six players, of whom four came into the bracket; its first matches are open."""
    running_event = started_event(6, swiss_rounds=1, cut="top", cut_size=4)
    play_round(running_event)
    cuts.make_cut(running_event, organizer())
    return Event.objects.get(pk=running_event.pk)


def in_bracket(event: Event) -> Player:
    return Match.objects.filter(round__stage__kind="single").first().p1


def test_all_but_beaten_players_of_the_bracket_can_be_dropped(event: Event, desk: Client) -> None:
    match = Match.objects.filter(round__stage__kind="single").select_related("p2").first()
    win(match)
    page = desk.get(f"/console/{event.slug}/players/").content.decode()
    names = set(event.players.values_list("name", flat=True))
    assert {name for name in names if f'aria-label="Drop: {name}"' in page} == names - {match.p2.name}


@pytest.mark.both_databases
def test_a_drop_outside_the_bracket_gives_no_opponent_a_win(event: Event, desk: Client) -> None:
    entrants = event.stages.get(kind="single").entrants.values("player")
    outside = event.players.exclude(pk__in=entrants).first()
    page = desk.get(f"/console/{event.slug}/players/{outside.number}/leave/").content.decode()
    assert 'name="running" value="win"' not in page
    desk.post(f"/console/{event.slug}/players/{outside.number}/leave/", {"running": "play"})
    assert event.players.get(pk=outside.pk).is_dropped


def test_leaving_a_bracket_offers_what_happens_there(event: Event, desk: Client) -> None:
    player = in_bracket(event)
    address = f"/console/{event.slug}/players/{player.number}/leave/"
    page = desk.get(address).content.decode()
    assert re.findall(r'name="running" value="(\w+)"', page) == ["win", "both"]
    answer = desk.post(address, {"running": "win"}, follow=True).content.decode()
    assert Match.objects.get(seats__player=player, round__stage__kind="single").winner_id != player.pk
    assert "Undo drop" in answer


def test_a_drop_out_of_a_bracket_is_taken_back_by_its_button(event: Event, desk: Client) -> None:
    player = in_bracket(event)
    registration.drop(player, organizer(), open_match_policy="win")
    desk.post(f"/console/{event.slug}/players/{player.number}/undo-drop/")
    assert Match.objects.get(seats__player=player, round__stage__kind="single").outcome == ""
    assert Player.objects.get(pk=player.pk).is_in


def test_the_log_tells_a_round_of_the_cut_from_one_before(event: Event) -> None:
    for player in Player.objects.filter(seats__round__stage__kind="single", seats__match__p1=F("pk")):
        registration.drop(player, organizer(), open_match_policy="win")
    log_words = all_words(event.log.filter(action="round_finished").order_by("pk"))
    assert list(log_words) == ["Round 1 is finished.", "Cut, round 1 is finished."]
