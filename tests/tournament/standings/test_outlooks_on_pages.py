"""The outlooks of players: clinched, eliminated, can draw in.

They are on the standings, in the console and on the player's page.
"""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

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
from tests.scenarios.html import html_of
from tests.scenarios.sentences import ELIMINATED_UNLESS_DROP, ELIMINATED_UNLESS_LOSSES
from tournament.brackets.services.cut import decline_cut
from tournament.events.models.event import Event
from tournament.standings.selectors.outlook import outlooks
from tournament.standings.selectors.standings import standings
from tournament.standings.services import set_standings_system

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def last_round() -> Event:
    """Return an event of four players in the last round.

    Two on 3 points meet, and two on none meet. The first two go on.
    """
    event = started_event(4, cut="top", cut_size=2, swiss_rounds=2)
    play_round(event)
    publish_next(event)
    return Event.objects.get(pk=event.pk)


def page(event: Event, name: str) -> str:
    client = sign_in_organizer()
    return html_of(client.get(reverse(name, args=[event.slug])))


@pytest.mark.parametrize("name", ["standings", "console_standings"])
def test_in_the_last_round_it_is_said_for_whom_a_draw_is_enough(last_round: Event, name: str) -> None:
    shown_page = page(last_round, name)
    assert shown_page.count("Can draw in") == 2


def test_where_nothing_hangs_on_equals_all_that_is_certain_is_marked() -> None:
    event = started_event(8, cut="top", cut_size=2, swiss_rounds=2)
    play_round(event)
    publish_next(event)
    shown_page = page(Event.objects.get(pk=event.pk), "standings")
    assert shown_page.count("Eliminated</span>") == 4
    assert "Other players may already be certain too" not in shown_page


def test_eliminated_player_reads_on_their_page_what_could_still_qualify_them() -> None:
    event = started_event(8, cut="top", cut_size=2, swiss_rounds=2)
    play_round(event)
    publish_next(event)
    out = next(outlook.player for outlook in outlooks(event).values() if outlook.outlook == "out")
    assert ELIMINATED_UNLESS_LOSSES in own_page(event, out)


def test_once_all_is_played_only_who_leaves_can_still_bring_in_the_next() -> None:
    event = started_event(4, cut="top", cut_size=2, swiss_rounds=1)
    play_round(event)
    out = next(outlook.player for outlook in outlooks(event).values() if outlook.outlook == "out")
    assert ELIMINATED_UNLESS_DROP in own_page(event, out)


def test_player_who_declines_the_cut_is_not_told_that_they_are_eliminated(last_round: Event) -> None:
    player = last_round.players.select_related("event").get(number=1)
    decline_cut(player, organizer())
    own_data = own_page(last_round, player.pk)
    assert ("your place in the cut goes to the alternate" in own_data, "You are eliminated" in own_data) == (
        True,
        False,
    )


def own_page(event: Event, player: int) -> str:
    token = event.players.get(pk=player).token
    return html_of(Client().get(reverse("player", args=[token])))


def test_what_is_certain_follows_each_result(last_round: Event) -> None:
    round_ = last_round.stages.get().rounds.get(number=2)
    top = next(match for match in open_matches(round_) if 3 in _points(last_round, match.p1_id, match.p2_id))
    win(top)
    shown_page = page(Event.objects.get(pk=last_round.pk), "standings")
    assert shown_page.count(">Clinched<") == 1


def _points(event: Event, *players: int | None) -> set[object]:
    return {line.row.points for line in standings(event) if line.player.pk in players}


def test_bounds_are_not_shown_while_no_player_is_certain() -> None:
    event = started_event(4, cut="top", cut_size=2, swiss_rounds=3)
    play_round(event)
    assert "Other players may already be certain too" not in page(Event.objects.get(pk=event.pk), "standings")


def test_nothing_is_promised_where_points_do_not_decide(last_round: Event) -> None:
    data = {"tiebreakers": [{"kind": "wins"}, {"kind": "points"}]}
    set_standings_system(last_round, organizer(), "own", data, reason="Wins first")
    assert outlooks(Event.objects.get(pk=last_round.pk)) == {}
    assert "Can draw in" not in page(last_round, "standings")


def test_the_own_page_says_that_a_draw_is_enough(last_round: Event) -> None:
    best = next(outlook for outlook in outlooks(last_round).values() if outlook.draw_is_safe)
    own_data = own_page(last_round, best.player)
    assert "A win puts you in the cut." in own_data
    assert "A draw is enough for the cut." in own_data
