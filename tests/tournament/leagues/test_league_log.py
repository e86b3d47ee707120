"""Changes of a league.

The log has who, when, before and after. Each change can be undone and redone.
"""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.test import Client

from decks.shared.refusals import Conflict, Refused
from tests.scenarios.factories import make_event, make_user, organizer, sign_in_organizer
from tests.scenarios.log_words import words_of
from tests.tournament.leagues.test_leagues import CAST, league_of, olga, play_event
from tournament.leagues import services
from tournament.leagues.models import League, LeagueLine
from tournament.leagues.selectors import league_table
from tournament.leagues.services import undo_league_change

pytestmark = pytest.mark.django_db


def last(league: League) -> LeagueLine:
    return league.log.select_related("league").first()


def test_every_change_stands_in_the_log_with_who_and_what() -> None:
    league = services.create_league(olga(), name="Season", notes="")
    event = make_event(name="One")
    entry = services.add_event(league, olga(), event)
    services.update_league(league, organizer(), name="Season 2026", notes="", best_of=3)
    services.remove_event(league, organizer(), entry.pk)
    who = organizer().label
    assert [(words_of(line), line.before, line.after) for line in reversed(league.log.all())] == [
        (f"{who} created the league “Season”.", None, {"name": "Season"}),
        (f"{who} added One.", None, {"event": event.pk}),
        (
            f"{who} changed its name and how many results count.",
            {"name": "Season", "best_of": None},
            {"name": "Season 2026", "best_of": 3},
        ),
        (f"{who} removed One.", {"event": event.pk}, None),
    ]


def test_what_changes_nothing_is_no_line() -> None:
    league = league_of(make_event())
    lines = league.log.count()
    services.update_league(league, organizer(), name=league.name)
    services.add_event(league, olga(), league.entries.get().event)
    services.remove_event(league, organizer(), 12345)
    services.unmark_same_person(league, organizer(), 12345)
    assert league.log.count() == lines


def test_a_change_is_taken_back_and_done_again() -> None:
    league = services.create_league(olga(), name="Season", notes="")
    services.update_league(league, organizer(), name="Wrong")
    back = undo_league_change(last(league), organizer())
    league.refresh_from_db()
    assert league.name == "Season"
    undo_league_change(LeagueLine.objects.select_related("league").get(pk=back.pk), organizer())
    league.refresh_from_db()
    assert league.name == "Wrong"


def test_an_event_taken_out_comes_back() -> None:
    league = league_of(play_event("One", CAST))
    services.remove_event(league, organizer(), league.entries.get().pk)
    assert league_table(league).rows == []
    undo_league_change(last(league), organizer())
    assert len(league_table(league).rows) == len(CAST)


@pytest.mark.both_databases
def test_two_people_joined_by_mistake_are_parted_from_the_log() -> None:
    league = league_of(
        play_event("One", [("Ann", "a@x.example"), ("Bo", "")]), play_event("Two", [("Ann", ""), ("Cy", "")])
    )
    ids = [row.id for row in _registrations(league, "Ann")]
    services.mark_same_person(league, organizer(), *ids)
    assert league.persons.count() == 1
    back = undo_league_change(last(league), organizer())
    assert league.persons.count() == 0
    undo_league_change(LeagueLine.objects.select_related("league").get(pk=back.pk), organizer())
    assert league.persons.count() == 1


def _registrations(league: League, name: str) -> list:
    from tournament.events.models.player import Player

    return list(Player.objects.filter(event__league_entries__league=league, name=name).order_by("pk"))


def test_what_was_changed_again_since_is_not_overwritten() -> None:
    league = services.create_league(olga(), name="Season", notes="")
    services.update_league(league, organizer(), name="First")
    first = last(league)
    services.update_league(league, organizer(), name="Second")
    with pytest.raises(Conflict) as excinfo:
        undo_league_change(first, organizer())
    assert excinfo.value.code == "changed_since"
    league.refresh_from_db()
    assert league.name == "Second"


def test_what_came_back_by_itself_meanwhile_is_not_brought_back_again() -> None:
    first = play_event("One", [("Ann", "a@x.example"), ("Bo", "")])
    second = play_event("Two", [("Ann", ""), ("Bo", "")])
    league = league_of(first, second)
    ids = [row.pk for row in _registrations(league, "Ann")]
    services.remove_event(league, organizer(), league.entries.get(event=first).pk)
    taken_out = last(league)
    services.add_event(league, olga(), first)
    word = services.mark_same_person(league, organizer(), *ids)
    services.unmark_same_person(league, organizer(), word.pk)
    parted = last(league)
    services.mark_same_person(league, organizer(), *ids)
    lines = league.log.count()
    for line in (taken_out, parted):
        with pytest.raises(Conflict) as excinfo:
            undo_league_change(line, organizer())
        assert excinfo.value.code == "changed_since"
    assert (league.log.count(), league.entries.count(), league.persons.count()) == (lines, 2, 1)


def test_a_line_is_taken_back_once_and_the_first_never() -> None:
    league = services.create_league(olga(), name="Season", notes="")
    services.update_league(league, organizer(), name="First")
    line = last(league)
    undo_league_change(line, organizer())
    for each, code in ((line, "already_taken_back"), (league.log.last(), "the_beginning_stays")):
        with pytest.raises(Refused) as excinfo:
            undo_league_change(LeagueLine.objects.select_related("league").get(pk=each.pk), organizer())
        assert excinfo.value.code == code


def test_the_page_of_a_league_shows_its_log_and_takes_back(client: Client) -> None:
    client.force_login(olga())
    league = services.create_league(olga(), name="Season", notes="")
    services.update_league(league, organizer(), name="Wrong")
    assert "changed its name." in client.get(f"/leagues/{league.slug}/edit/").content.decode()
    client.post(f"/leagues/{league.slug}/log/{last(league).pk}/undo/")
    league.refresh_from_db()
    assert league.name == "Season"


def test_a_stranger_takes_nothing_back(client: Client) -> None:
    league = services.create_league(olga(), name="Season", notes="")
    services.update_league(league, organizer(), name="Kept")
    client.force_login(make_user("ivan@example.org"))
    assert client.post(f"/leagues/{league.slug}/log/{last(league).pk}/undo/").status_code == 403


def test_the_log_of_a_league_tells_times_as_the_place_of_its_last_event_has_them(client: Client) -> None:
    league = services.create_league(olga(), name="Season", notes="")
    sign_in_organizer(client)
    address = f"/leagues/{league.slug}/edit/"
    LeagueLine.objects.filter(league=league).update(at=datetime(2026, 11, 22, 6, 30, tzinfo=UTC))
    assert "Sun 22 Nov 2026, 06:30 (UTC)" in client.get(address).content.decode()
    services.add_event(league, olga(), make_event(time_zone="Europe/Berlin"))
    assert "Sun 22 Nov 2026, 07:30 (CET)" in client.get(address).content.decode()


def test_a_change_taken_back_and_done_again_many_times_is_named_once() -> None:
    league = services.create_league(olga(), name="Season", notes="")
    services.update_league(league, organizer(), name="Wrong")
    who = organizer().label
    for _ in range(4):
        undo_league_change(last(league), organizer())
    step = f"“{who} changed its name.”"
    assert [words_of(line) for line in league.log.all()[:4]] == [
        f"{who} redid: {step}",
        f"{who} undid again: {step}",
        f"{who} redid: {step}",
        f"{who} undid: {step}",
    ]
