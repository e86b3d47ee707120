"""Readers of a decklist: its owner, and those to whom the organizer opened it."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.factories import add_players, built_once, make_event, organizer, play_round
from tests.scenarios.public_pages import text_of
from tournament.access.permissions import Actor
from tournament.brackets.services import cut as cuts
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    """An event in its cut of two; numbers 1 to 4 submitted lists."""
    small_catalogue()
    event = make_event(cut="top", cut_size=2, swiss_rounds=1, decklists_required=True)
    for player in add_players(event, 4):
        decklists.submit_list(player, Actor.of_player(player), LEGAL)
    events.start_event(event, organizer())
    play_round(event)
    cuts.make_cut(event, organizer())
    return event


def public_sees(client: Client, event: Event, number: int) -> bool:
    """Return whether a player's public page shows their list."""
    answer = client.get(f"/e/{event.slug}/players/{number}/")
    assert answer.status_code == 200
    return "Anvil Stance" in text_of(answer)


def test_lists_are_private_at_first(client: Client, event: Event) -> None:
    first, second = event.players.order_by("number")[:2]
    assert not public_sees(client, event, 1)
    assert client.get(f"/p/{first.token}/lists/{second.number}/").status_code == 404


def test_lists_opened_to_all_are_on_the_public_pages(client: Client, event: Event) -> None:
    decklists.open_lists(event, organizer(), "all")
    assert public_sees(client, event, 1)
    page = text_of(client.get(f"/e/{event.slug}/players/1/"))
    assert "Main deck 60" in page
    assert "1 Mara" in page


def test_lists_opened_to_the_cut_are_seen_by_its_players_alone(client: Client, event: Event) -> None:
    decklists.open_lists(event, organizer(), "cut")
    inside = [entrant.player for entrant in event.stages.get(position=2).entrants.all()]
    outside = list(event.players.exclude(pk__in=[player.pk for player in inside]))
    assert not public_sees(client, event, inside[0].number)
    response = client.get(f"/p/{inside[0].token}/lists/{inside[1].number}/")
    assert (response.status_code, "Anvil Stance" in text_of(response)) == (200, True)
    assert "no-store" in response["Cache-Control"]
    assert client.get(f"/p/{inside[0].token}/lists/{outside[0].number}/").status_code == 404
    assert client.get(f"/p/{outside[0].token}/lists/{inside[0].number}/").status_code == 404


def test_players_of_the_cut_find_the_opponents_decklist_beside_the_name(client: Client, event: Event) -> None:
    one, other = (entrant.player for entrant in event.stages.get(position=2).entrants.all())
    link = f"/p/{one.token}/lists/{other.number}/"
    assert link not in client.get(f"/p/{one.token}/").content.decode()
    decklists.open_lists(event, organizer(), "cut")
    assert link in client.get(f"/p/{one.token}/").content.decode()


def test_open_lists_can_be_read_before_the_first_round(client: Client) -> None:
    small_catalogue()
    event = make_event(lists_open="all")
    alice, _ = add_players(event, 2)
    decklists.submit_list(alice, Actor.of_player(alice), LEGAL)
    assert public_sees(client, event, 1)
    assert client.get(f"/e/{event.slug}/players/2/").status_code == 404


def test_lists_of_another_event_stay_closed(client: Client, event: Event) -> None:
    decklists.open_lists(event, organizer(), "all")
    (stranger,) = add_players(make_event(name="Elsewhere"), 1)
    assert client.get(f"/p/{stranger.token}/lists/2/").status_code == 404
