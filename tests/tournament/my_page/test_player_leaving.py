"""A player's own page when leaving.

Tests cover dropping after the match or now, and a place in the cut left to the next.
"""

from __future__ import annotations

import pytest
from django.test import Client

from decks.shared.refusals import Refused
from tests.scenarios.factories import open_matches, organizer, play_round, publish_next, started_event
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.standings.selectors.qualifying import list_cut_decisions

pytestmark = pytest.mark.django_db


def start_first_round(**values: object) -> tuple[Event, Match]:
    """Four players; round 1 is being played."""
    event = started_event(4, swiss_rounds=2, **values)
    round_ = publish_next(event)
    return event, open_matches(round_)[0]


def page(client: Client, player: Player) -> str:
    return " ".join(client.get(f"/p/{player.token}/").content.decode().split())


def test_player_drops_after_the_match_and_plays_it_to_its_end(client: Client) -> None:
    _, match = start_first_round()
    shown_page = page(client, match.p1)
    assert 'name="now" value="1"' in shown_page
    assert f"Drop now, {match.p2} wins" in shown_page
    client.post(f"/p/{match.p1.token}/drop/", {"reason": "train"})
    match.refresh_from_db()
    player = Player.objects.get(pk=match.p1_id)
    assert (player.dropped_after, player.drop_reason, match.outcome) == (1, "train", "")


def test_player_drops_now_and_the_opponent_wins(client: Client) -> None:
    _, match = start_first_round()
    client.post(f"/p/{match.p1.token}/drop/", {"now": "1", "reason": "train\0"})
    match.refresh_from_db()
    assert (match.winner_id, match.ending, match.forfeit) == (match.p2_id, "left", True)


def test_a_program_drops_its_player_now(client: Client) -> None:
    _, match = start_first_round()
    address = f"/api/me/{match.p1.token}/leave-now/"
    assert client.post(address, {"reason": "train"}, content_type="application/json").status_code == 200
    match.refresh_from_db()
    assert match.winner_id == match.p2_id


def test_between_rounds_there_is_one_way_to_drop(client: Client) -> None:
    event = started_event(4, swiss_rounds=2)
    play_round(event)
    shown_page = page(client, event.players.get(number=1))
    assert 'name="now"' not in shown_page
    assert ">Drop from event</button>" in shown_page


def test_player_declines_the_cut_and_undoes_it(client: Client) -> None:
    event, match = start_first_round(cut="top", cut_size=2)
    player = Player.objects.get(pk=match.p1_id)
    assert "Decline the cut" in page(client, player)
    client.post(f"/p/{player.token}/cut/")
    player.refresh_from_db()
    assert player.declined_cut
    assert {row.player.pk: row.is_in for row in list_cut_decisions(event, None)}[player.pk] is False
    assert 'name="undo" value="1"' in page(client, player)
    client.post(f"/p/{player.token}/cut/", {"undo": "1"})
    player.refresh_from_db()
    assert not player.declined_cut
    assert event.log.filter(action="cut_declined").count() == 2


def test_an_event_without_a_cut_offers_no_player_to_decline_it(client: Client) -> None:
    _, match = start_first_round()
    assert "Decline the cut" not in page(client, match.p1)
    with pytest.raises(Refused) as excinfo:
        cuts.decline_cut(Player.objects.select_related("event").get(pk=match.p1_id), organizer())
    assert excinfo.value.code == "no_cut_planned"
