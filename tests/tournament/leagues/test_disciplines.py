"""A league ranks players of one game, or teams of one size; nothing else counts."""

from __future__ import annotations

import pytest
from django.test import Client

from decks.shared.refusals import Refused
from tests.scenarios.factories import make_event, organizer
from tests.scenarios.html import html_of
from tests.tournament.leagues.test_leagues import CAST, league_of, olga, play_event
from tournament.events.models.event import Event
from tournament.leagues import services as leagues
from tournament.leagues.models import League, LeagueEvent
from tournament.leagues.selectors import league_table

pytestmark = pytest.mark.django_db


def refusal_of(league: League, event: Event) -> str:
    with pytest.raises(Refused) as refusal:
        leagues.add_event(league, olga(), event)
    return refusal.value.code


def as_highlander(event: Event) -> Event:
    Event.objects.filter(pk=event.pk).update(game="highlander")
    event.refresh_from_db()
    return event


def test_an_event_of_another_game_is_refused() -> None:
    league = league_of(make_event(name="One"))
    assert refusal_of(league, as_highlander(make_event(name="Two"))) == "other_discipline"
    assert league.entries.count() == 1


def test_teams_and_single_players_are_kept_apart() -> None:
    league = league_of(make_event(name="One"))
    pairs = make_event(name="Pairs", team_size=2)
    assert refusal_of(league, pairs) == "other_discipline"
    assert refusal_of(league_of(pairs), make_event(name="Trios", team_size=3)) == "other_discipline"


def test_the_refusal_says_what_the_league_ranks() -> None:
    league = league_of(make_event(name="One"))
    with pytest.raises(Refused) as refusal:
        leagues.add_event(league, olga(), make_event(name="Pairs", team_size=2))
    assert refusal.value.message == (
        "Pairs is Universal Fighting System, teams of 2. This league ranks Universal Fighting System, single "
        "players. Create another league for it."
    )


def test_a_league_that_was_mixed_counts_the_game_of_its_first_event() -> None:
    first, second = play_event("One", CAST), play_event("Two", CAST)
    league = league_of(first, second)
    before = {row.name: row.points for row in league_table(league_of(first)).rows}
    as_highlander(second)
    table = league_table(league)
    assert (table.finished_events, table.uncounted_events) == ([first], [second])
    assert {row.name: row.points for row in table.rows} == before
    assert 'id="uncounted"' in html_of(Client().get(f"/leagues/{league.slug}/"))


def test_a_removed_event_does_not_come_back_by_undo_into_another_game() -> None:
    first, second = make_event(name="One"), as_highlander(make_event(name="Two"))
    league = league_of(first)
    leagues.remove_event(league, organizer(), LeagueEvent.objects.get().pk)
    leagues.add_event(league, olga(), second)
    line = league.log.get(code="event_removed")
    with pytest.raises(Refused) as refusal:
        leagues.undo_league_change(line, organizer())
    assert refusal.value.code == "other_discipline"
