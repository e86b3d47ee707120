"""Seed players from a league.

Places in a league's table become the seeds of the next event.
"""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from decks.shared.refusals import Refused
from tests.scenarios.factories import built_once, make_event, organizer, play_round
from tests.scenarios.public_pages import queries_of
from tests.tournament.leagues.test_leagues import add_people
from tournament.events.models.event import Event
from tournament.leagues import services as leagues_services
from tournament.leagues.models import League
from tournament.leagues.selectors import league_table
from tournament.leagues.services import seed_by_season
from tournament.log import services as undo
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


def olga() -> User:
    user = organizer().user
    assert isinstance(user, User)
    return user


def event_of(name: str, *people: tuple[str, str]) -> Event:
    event = make_event(name=name, swiss_rounds=1)
    add_people(event, list(people))
    return event


@built_once
def last_season() -> League:
    """Return a league with one finished event of four, each of whom played.

    Cy and Ed left no address.
    """
    event = event_of("Last", ("Ann", "ann@example.org"), ("Bo", "bo@example.org"), ("Cy", ""), ("Ed", ""))
    events.start_event(event, organizer())
    play_round(event)
    events.finish_event(event, organizer())
    league = leagues_services.create_league(olga(), name="Harbour League")
    leagues_services.add_event(league, olga(), event)
    return league


def seeds_of(event: Event) -> dict[str, int | None]:
    return dict(event.players.values_list("name", "seed"))


def test_places_of_last_season_become_seeds_by_address() -> None:
    league = last_season()
    rank = {row.name: row.rank for row in league_table(league).rows}
    event = event_of("Next", ("Annie", "ANN@example.org"), ("Bo", "bo@example.org"), ("Di", "di@example.org"))
    event.players.filter(name="Di").update(seed=1)
    assert seed_by_season(event, organizer(), league) == 2
    assert seeds_of(event) == {"Annie": rank["Ann"], "Bo": rank["Bo"], "Di": None}
    undo.undo_step(event.log.get(action="seeded_by_season"), organizer())
    assert seeds_of(event) == {"Annie": None, "Bo": None, "Di": 1}


def test_a_league_that_knows_none_of_the_players_changes_nothing() -> None:
    event = event_of("Next", ("Cy", ""), ("Eve", "eve@example.org"))
    event.players.filter(name="Cy").update(seed=4)
    with pytest.raises(Refused) as refusal:
        seed_by_season(event, organizer(), last_season())
    assert (refusal.value.code, refusal.value.params) == ("nobody_in_league", {"league": "Harbour League"})
    assert seeds_of(event) == {"Cy": 4, "Eve": None}


def test_a_league_without_a_finished_event_seeds_no_player() -> None:
    event = event_of("Next", ("Ann", "ann@example.org"))
    with pytest.raises(Refused) as refusal:
        seed_by_season(event, organizer(), leagues_services.create_league(olga(), name="New League"))
    assert (refusal.value.code, refusal.value.params) == ("league_without_table", {"league": "New League"})


@pytest.mark.both_databases
def test_the_organizer_takes_seeds_from_a_league_on_the_pairing_page(client: Client) -> None:
    league = last_season()
    event = event_of("Next", ("Ann", "ann@example.org"), ("Bo", "bo@example.org"))
    client.force_login(olga())
    page = reverse("console_pairing", args=[event.slug])
    assert "Seed players" in client.get(page).content.decode()
    answer = client.post(
        reverse("console_season_seeds", args=[event.slug]), {"league": league.slug}, follow=True
    )
    assert "2 players have seeds from Harbour League." in answer.content.decode()
    wrong = client.post(reverse("console_season_seeds", args=[event.slug]), {"league": "none"})
    assert "is not one of the choices." in wrong.content.decode()


def test_seeding_many_takes_as_many_queries_as_seeding_few() -> None:
    league, queries = last_season(), []
    for number in (2, 40):
        people = [(f"P{n}", f"p{n}@example.org") for n in range(number)]
        event = event_of(f"Next {number}", ("Ann", "ann@example.org"), *people)
        queries.append(queries_of(lambda event=event: seed_by_season(event, organizer(), league)))
    assert queries[0] == queries[1]
