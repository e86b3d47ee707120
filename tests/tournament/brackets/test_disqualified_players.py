"""Disqualified players.

Even after the last match, such a player has no place: no prize, no title, no league points.
"""

from __future__ import annotations

import pytest
from django.test import Client

from tests.scenarios.factories import built_once, organizer, play_round, started_event, win
from tests.scenarios.public_pages import get
from tournament.brackets.selectors.bracket import champion_of_event, final_ranking
from tournament.brackets.services import cut as cuts
from tournament.closing.selectors import closing_report
from tournament.closing.services import set_prizes
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.judging.services.penalties import give_penalty, undo_penalty
from tournament.leagues import services
from tournament.leagues.selectors import league_table
from tournament.setup.services import events
from tournament.shared.awards import parse_prizes

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    """Four players, two rounds, and the cup for the first place."""
    running_event = started_event(4, swiss_rounds=2)
    set_prizes(running_event, organizer(), parse_prizes("1: the cup"))
    for _ in range(2):
        play_round(running_event)
    events.finish_event(running_event, organizer())
    return running_event


def disqualify(player: Player) -> object:
    player = Player.objects.select_related("event").get(pk=player.pk)
    return give_penalty(
        player, organizer(), infraction="cheating", degree="disqualification", note="marked cards"
    )


def test_disqualified_winner_has_no_place_and_the_prize_goes_to_the_next(event: Event) -> None:
    first, second, third, fourth = (each.player for each in final_ranking(event))
    disqualify(first)
    assert [(each.place, each.player) for each in final_ranking(event)] == [
        (1, second),
        (2, third),
        (3, fourth),
    ]
    report = closing_report(event)
    assert report.without_place == [first]
    assert (report.prizes_of(first), report.prizes_of(second)) == ([], ["the cup"])
    assert report.players == 4


def test_a_disqualification_taken_back_gives_the_place_back(event: Event) -> None:
    before = [each.player for each in final_ranking(event)]
    penalty = disqualify(before[0])
    undo_penalty(penalty, organizer(), reason="it was somebody else")
    assert [each.player for each in final_ranking(event)] == before


def test_who_is_disqualified_after_the_last_round_is_not_the_champion(event: Event) -> None:
    first, second = (each.player for each in final_ranking(event)[:2])
    assert champion_of_event(event) == first
    disqualify(first)
    assert champion_of_event(event) == second


def test_a_bracket_won_by_a_disqualified_player_has_no_champion() -> None:
    event = started_event(4, swiss_rounds=1, cut="top", cut_size=2)
    play_round(event)
    cuts.make_cut(event, organizer())
    win(Match.objects.select_related("round__stage__event", "p1", "p2").get(round__stage__kind="single"))
    event.refresh_from_db()
    winner = champion_of_event(event)
    disqualify(winner)
    event.refresh_from_db()
    assert champion_of_event(event) is None
    assert winner not in [each.player for each in final_ranking(event)]


def test_no_league_points_fall_to_who_is_disqualified(event: Event) -> None:
    first, second = (each.player for each in final_ranking(event)[:2])
    league = services.create_league(organizer().user, name="Season", notes="", points={}, best_of=None)
    services.add_event(league, organizer().user, event)
    before = {row.name: row.points for row in league_table(league).rows}
    disqualify(first)
    after = {row.name: row.points for row in league_table(league).rows}
    assert first.name not in after
    assert after[second.name] == before[first.name]


def test_every_report_says_who_has_no_place_and_none_says_why(event: Event, client: Client) -> None:
    first = final_ranking(event)[0].player
    disqualify(first)
    for address in ("ranking", "report"):
        page = get(client, f"/e/{event.slug}/{address}/")
        assert f"Without a place: {first.name}" in page
        assert "isqualif" not in page
    assert client.get(f"/api/events/{event.slug}/report/").json()["without_place"] == [first.number]
    rows = client.get(f"/e/{event.slug}/report.csv").content.decode().splitlines()
    assert rows[-1].startswith(f",no,{first.number},{first.name},")
