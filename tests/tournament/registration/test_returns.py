"""Undoing of a drop at any moment before the end.

Its page says in advance what follows.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from decks.shared.refusals import Refused
from tests.scenarios.factories import (
    built_once,
    open_matches,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
    win,
)
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.pairing.services import rounds
from tournament.registration import services as registration
from tournament.registration.returns import list_return_effects
from tournament.results.services import drops
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


def reloaded(player: Player) -> Player:
    return Player.objects.select_related("event").get(pk=player.pk)


def codes(player: Player) -> list[str]:
    return [effect.code for effect in list_return_effects(reloaded(player))]


def test_a_match_lost_by_leaving_opens_again() -> None:
    event = started_event(6, swiss_rounds=3)
    match = open_matches(publish_next(event))[0]
    drops.drop(match.p1, organizer(), open_match_policy="win")
    assert codes(match.p1) == ["return.match", "return.next"]
    registration.undo_drop(reloaded(match.p1), organizer())
    match.refresh_from_db()
    assert match.outcome == ""


def test_rounds_without_a_match_stay_and_the_draft_takes_the_player_in() -> None:
    event = started_event(6, swiss_rounds=3)
    play_round(event)
    player = event.players.select_related("event").get(number=1)
    drops.drop(player, organizer())
    for match in open_matches(publish_next(event)):
        win(match)
    rounds.pair_next_round(event, organizer())
    effects = {effect.code: dict(effect.params) for effect in list_return_effects(reloaded(player))}
    assert effects == {
        "return.missed": {"rounds": (2,), "count": 1},
        "return.next": {"round": 3},
        "return.draft": {"round": 3},
    }


@pytest.mark.both_databases
def test_a_player_outside_the_bracket_counts_as_not_dropped_again() -> None:
    event = started_event(6, swiss_rounds=1, cut="top", cut_size=2)
    play_round(event)
    cuts.make_cut(event, organizer())
    outside = event.players.select_related("event").exclude(stage_places__stage__position=2).first()
    drops.drop(reloaded(outside), organizer(), reason="train")
    assert codes(outside) == ["return.standings"]
    registration.undo_drop(reloaded(outside), organizer())
    assert reloaded(outside).dropped_after is None


def test_after_the_end_no_drop_is_undone(event_over: Event) -> None:
    player = event_over.players.select_related("event").get(number=1)
    with pytest.raises(Refused) as excinfo:
        registration.undo_drop(player, organizer())
    assert excinfo.value.code == "event_finished"


@pytest.fixture
@built_once
def event_over() -> Event:
    """An event that is over, from which a player has dropped."""
    event = started_event(4, swiss_rounds=1)
    play_round(event)
    drops.drop(event.players.select_related("event").get(number=1), organizer())
    events.finish_event(event, organizer())
    return event


def test_the_page_says_what_follows_before_the_button(client: Client) -> None:
    event = started_event(6, swiss_rounds=3)
    match = open_matches(publish_next(event))[0]
    drops.drop(match.p1, organizer(), open_match_policy="win")
    sign_in_organizer(client)
    page = client.get(reverse("console_return", args=[event.slug, match.p1.number])).content.decode()
    assert f"The match in round 1 at table {match.table} vs. {match.p2} is open again." in page
    assert "The player is paired again from round 2 on." in page
    player_page = client.get(reverse("console_player", args=[event.slug, match.p1.number])).content.decode()
    assert reverse("console_return", args=[event.slug, match.p1.number]) in player_page
