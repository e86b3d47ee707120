"""A league over several events: its table, its people, and who may change it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from decks.shared.refusals import Refused
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    make_user,
    open_matches,
    organizer,
    play_round,
    publish_next,
    win,
)
from tests.scenarios.public_pages import get, queries_of
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.leagues import services as leagues_services
from tournament.leagues.models import League, LeagueEvent
from tournament.leagues.selectors import league_table
from tournament.registration import services as registration
from tournament.results.services import drops, results
from tournament.setup.services import events
from tournament.shared.text import fold_name

pytestmark = pytest.mark.django_db


def olga() -> User:
    """Return who runs the events and the league."""
    user = organizer().user
    assert isinstance(user, User)
    return user


def add_people(event: Event, people: list[tuple[str, str]]) -> list[Player]:
    """Add players by name and email address to an empty event."""
    players = add_players(event, len(people))
    for player, (name, email) in zip(players, people, strict=True):
        player.name, player.folded_name, player.email = name, fold_name(name), email
    Player.objects.bulk_update(players, ["name", "folded_name", "email"])
    return players


@built_once
def play_event(name: str, people: list[tuple[str, str]]) -> Event:
    """Return a finished event of one round; the lower number of a pair wins."""
    event = make_event(name=name, swiss_rounds=1)
    add_people(event, people)
    events.start_event(event, organizer())
    play_round(event)
    events.finish_event(event, organizer())
    return event


def league_of(*played_events: Event, **values: Any) -> League:
    league = leagues_services.create_league(olga(), name="Harbour League", **values)
    for event in played_events:
        leagues_services.add_event(league, olga(), event)
    return league


CAST = [("Ann", "ann@example.org"), ("Bo", "bo@example.org"), ("Cy", ""), ("Di", "")]


def test_points_of_all_events_are_added_up_and_only_the_best_count() -> None:
    first, second = play_event("One", CAST), play_event("Two", CAST)
    league = league_of(first, second)
    whole = {row.name: row.points for row in league_table(league).rows}
    assert set(whole) == {"Ann", "Bo", "Cy", "Di"}
    assert sum(whole.values()) == 2 * (20 + 16 + 13 + 11)
    leagues_services.update_league(league, organizer(), best_of=1)
    for row in league_table(league).rows:
        points_reached = [cell.points for cell in row.results if cell is not None]
        assert row.points == max(points_reached)
        assert sum(cell.counts for cell in row.results if cell is not None) == 1


def test_event_that_is_not_over_counts_for_nothing_yet() -> None:
    upcoming_event = make_event(name="Later")
    table = league_table(league_of(upcoming_event))
    assert (table.rows, table.finished_events, table.upcoming_events) == ([], [], [upcoming_event])


def test_event_in_preparation_is_not_named() -> None:
    secret = make_event(name="Secret", open_registration=False)
    league = league_of(secret)
    assert "Secret" not in get(Client(), f"/leagues/{league.slug}/")


def test_namesakes_with_two_addresses_are_two_until_joined_and_again_when_parted() -> None:
    first = play_event("One", [("Ann", "a@example.org"), ("Bo", "")])
    second = play_event("Two", [("Ann", "b@example.org"), ("Bo", "")])
    league = league_of(first, second)
    table = league_table(league)
    assert sorted(row.name for row in table.rows) == ["Ann", "Ann", "Bo"]
    (doubtful,) = table.namesakes
    one, two = (pk for pk, _ in doubtful.registrations)
    word = leagues_services.mark_same_person(league, organizer(), two, one)
    assert leagues_services.mark_same_person(league, organizer(), one, two) == word
    assert sorted(row.name for row in league_table(league).rows) == ["Ann", "Bo"]
    leagues_services.unmark_same_person(league, organizer(), word.pk)
    assert len(league_table(league).rows) == 3


def test_people_of_other_events_cannot_be_joined() -> None:
    league = league_of(play_event("One", CAST))
    stranger = registration.add_player(make_event(name="Else"), organizer(), name="Ann")
    with pytest.raises(Refused) as excinfo:
        leagues_services.mark_same_person(
            league, organizer(), league.entries.get().event.players.first().pk, stranger.pk
        )
    assert excinfo.value.code == "not_in_the_league"


def test_only_events_that_one_manages_can_be_added() -> None:
    event = make_event()
    ivan = make_user("ivan@example.org")
    league = leagues_services.create_league(ivan, name="Ivan's")
    with pytest.raises(Refused) as excinfo:
        leagues_services.add_event(league, ivan, event)
    assert excinfo.value.code == "not_your_event"
    assert LeagueEvent.objects.count() == 0


def test_same_event_is_added_once_however_often() -> None:
    league = league_of(make_event())
    event = league.entries.get().event
    leagues_services.add_event(league, olga(), event)
    assert league.entries.count() == 1


def test_strangers_change_nothing() -> None:
    league = league_of(play_event("One", CAST))
    client = Client()
    client.force_login(make_user("ivan@example.org"))
    entry = league.entries.get().pk
    for part in ("edit/", "events/", f"events/{entry}/remove/", "people/", "people/1/part/", "log/1/undo/"):
        assert client.post(f"/leagues/{league.slug}/{part}").status_code == 403
    assert league.entries.count() == 1


def test_addresses_of_players_stay_private() -> None:
    league = league_of(play_event("One", CAST))
    assert "ann@example.org" not in Client().get(f"/leagues/{league.slug}/").content.decode()
    assert "ann@example.org" not in Client().get(f"/api/leagues/{league.slug}/").content.decode()


@pytest.mark.both_databases
def test_owner_makes_a_league_and_changes_it_by_its_pages(client: Client) -> None:
    client.force_login(olga())
    event = play_event("One", CAST)
    wrong = client.post("/leagues/new/", {"name": "Spring", "points": "1: many", "best_of": "0"})
    assert wrong.status_code == 422
    response = client.post("/leagues/new/", {"name": "New", "points": "1: 10\nothers: 1", "best_of": "3"})
    assert response["Location"] == "/leagues/new-2/edit/"
    client.post("/leagues/new-2/events/", {"event": event.pk})
    page = get(client, "/leagues/new-2/")
    assert "The best 3 results of each player count." in page
    league = League.objects.get(slug="new-2")
    assert sorted(row.points for row in league_table(league).rows) == [1, 1, 1, 10]
    client.post(f"/leagues/new-2/events/{league.entries.get().pk}/remove/")
    assert client.get("/leagues/new-2/").context["table"].rows == []


def test_nonsense_in_forms_is_answered_with_sentences(client: Client) -> None:
    client.force_login(olga())
    league = league_of(play_event("One", CAST))
    for part, form_values in (
        ("events/", {"event": "9" * 30}),
        ("people/", {"one": "x\x00", "two": ""}),
        ("edit/", {"name": "", "best_of": "9" * 40, "points": "\x00"}),
    ):
        assert client.post(f"/leagues/{league.slug}/{part}", form_values).status_code == 422


@pytest.mark.daily_on_postgres
def test_page_takes_as_many_queries_for_many_players_as_for_few() -> None:
    few = league_of(play_event("Few", CAST))
    many = league_of(play_event("Many", [(f"P{n}", "") for n in range(12)]))
    counts = [queries_of(lambda one=one: Client().get(f"/leagues/{one.slug}/")) for one in (few, many)]
    assert counts[0] == counts[1]


def test_table_by_the_api_is_exact() -> None:
    league = league_of(play_event("One", CAST))
    payload = Client().get(f"/api/leagues/{league.slug}/").json()
    assert payload["events"] == ["one"]
    assert payload["rows"][0]["rank"] == 1
    assert payload["rows"][0]["results"][0]["points"] == payload["rows"][0]["points"]


@pytest.mark.parametrize("is_paired", [False, True])
def test_dropped_duplicate_that_played_no_match_earns_no_points(is_paired: bool) -> None:
    event = make_event(swiss_rounds=2)
    late_cast = [("Ann Lee", "annlee@example.org"), ("Ed", "ed@example.org")]
    *_, duplicate, _ = add_people(event, [*CAST, *late_cast])
    events.start_event(event, organizer())
    if is_paired:
        round_ = publish_next(event)
        for match in open_matches(round_):
            is_first = match.p1_id == duplicate.pk
            if duplicate.pk in (match.p1_id, match.p2_id):
                loser = "p1" if is_first else "p2"
                results.enter_result(match, organizer(), ending="no_show", loser=loser, reason="Gone.")
            else:
                win(match)
    drops.drop(Player.objects.get(pk=duplicate.pk), organizer())
    play_round(event)
    if not is_paired:
        play_round(event)
    events.finish_event(event, organizer())
    names = {row.name for row in league_table(league_of(event)).rows}
    assert names == {"Ann", "Bo", "Cy", "Di", "Ed"}
