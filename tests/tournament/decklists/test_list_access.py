"""Every address at which a decklist could be read, for every kind of user."""

from __future__ import annotations

import pytest
from django.test import Client

from tests import machine
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.event_cache import memory
from tests.scenarios.factories import add_players, make_event, make_user, organizer, play_round
from tournament.access.permissions import Actor
from tournament.brackets.services import cut as cuts
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.player import Player
from tournament.setup.services import events

pytestmark = pytest.mark.django_db
SECRET = "Anvil Stance"
STAFF_DOORS = (
    "/console/{slug}/lists/{number}/",
    "/console/{slug}/lists/{number}/1/",
    "/console/{slug}/lists/{number}/1/text/",
    "/console/{slug}/lists/{number}/1/source/",
    "/console/{slug}/lists/{number}/compare/",
    "/console/{slug}/lists/{number}/exchange/",
    "/api/events/{slug}/players/{number}/list/",
    "/api/events/{slug}/players/{number}/list/1/",
    "/api/events/{slug}/players/{number}/list/1/files/octgn/",
    "/api/events/{slug}/players/{number}/list/difference/",
)
OWN_DOORS = (
    "/p/{token}/list/",
    "/p/{token}/list/1/",
    "/p/{token}/list/1/text/",
    "/p/{token}/list/1/source/",
    "/p/{token}/list/compare/",
    "/api/me/{token}/list/",
    "/api/me/{token}/list/1/files/json/",
    "/api/me/{token}/list/difference/",
)
OPEN_DOORS = ("/e/{slug}/players/{number}/", "/api/events/{slug}/players/{number}/open-list/")
DOORS_OF_PLAYERS = ("/p/{token}/lists/{number}/", "/api/me/{token}/players/{number}/list/")
PAGES_WITHOUT_LISTS = (
    "/e/{slug}/",
    "/e/{slug}/players/",
    "/e/{slug}/standings/",
    "/e/{slug}/pairings/",
    "/api/events/{slug}/",
    "/api/events/{slug}/players/",
    "/api/events/{slug}/rounds/",
    "/api/events/{slug}/cut/",
)
PAGES_OF_SCOREKEEPERS = (
    "/console/{slug}/",
    "/console/{slug}/players/",
    "/console/{slug}/players/{number}/",
    "/console/{slug}/log/",
    "/api/events/{slug}/log/",
    "/api/events/{slug}/players/{number}/",
)


@pytest.fixture
def event() -> Event:
    """An event in its cut of two; everyone submitted two lists."""
    return memory.build_once("two lists each", _event_in_its_cut)


def _event_in_its_cut() -> Event:
    small_catalogue()
    event = make_event(cut="top", cut_size=2, swiss_rounds=1)
    for player in add_players(event, 4):
        decklists.submit_list(player, Actor.of_player(player), LEGAL)
        decklists.submit_list(
            player, Actor.of_player(player), LEGAL.replace("4 Anvil Stance", "3 Anvil Stance")
        )
    events.start_event(event, organizer())
    play_round(event)
    cuts.make_cut(event, organizer())
    return event


def sees(client: Client, door: str, owner: Player, viewer: Player | None = None) -> bool:
    """Return whether the address shows a card of the owner's list.

    Otherwise it must refuse properly.
    """
    token = viewer.token if viewer else ""
    answer = client.get(door.format(slug=owner.event.slug, number=owner.number, token=token))
    assert answer.status_code in (200, 302, 401, 403, 404), door
    return SECRET in answer.content.decode()


def staff(kind: str, event: Event) -> Client:
    user = make_user(f"{kind}@example.org")
    StaffRole.objects.create(event=event, user=user, kind=kind)
    client = Client()
    client.force_login(user)
    return client


def people(event: Event) -> tuple[Player, Player, Player]:
    """Return the two in the cut, and one who is not."""
    first, second = (entrant.player for entrant in event.stages.get(position=2).entrants.order_by("seed"))
    return first, second, event.players.exclude(pk__in=[first.pk, second.pk]).first()


WIDEST = pytest.mark.whole("the same doors when everyone may read the opened lists")


@pytest.mark.parametrize(
    "audience", [pytest.param("private", marks=WIDEST), pytest.param("cut", marks=WIDEST), "all"]
)
def test_doors_of_owner_and_staff_open_to_them_alone(client: Client, event: Event, audience: str) -> None:
    decklists.open_lists(event, organizer(), audience)
    holder, _, _ = people(event)
    owner, judge, scorekeeper = (staff(kind, event) for kind in ("owner", "judge", "scorekeeper"))
    elsewhere = add_players(make_event(name="Elsewhere"), 1)[0]

    assert [door for door in OWN_DOORS if not sees(client, door, holder, holder)] == []
    assert [door for door in STAFF_DOORS if not sees(judge, door, holder)] == []
    if machine.whole():  # every day, the role with the fewest rights that may open them
        assert [door for door in STAFF_DOORS if not sees(owner, door, holder)] == []
    closed_pages = [*STAFF_DOORS, *PAGES_WITHOUT_LISTS]
    assert [door for door in closed_pages if sees(client, door, holder)] == []
    assert [door for door in [*closed_pages, *PAGES_OF_SCOREKEEPERS] if sees(scorekeeper, door, holder)] == []
    assert [door for door in OWN_DOORS if sees(client, door, holder, elsewhere)] == []


@pytest.mark.parametrize("audience", ["private", "cut", "all"])
def test_opened_lists_are_for_exactly_their_audience(client: Client, event: Event, audience: str) -> None:
    decklists.open_lists(event, organizer(), audience)
    holder, other, outside = people(event)
    elsewhere = add_players(make_event(name="Elsewhere"), 1)[0]
    assert {sees(client, door, holder) for door in OPEN_DOORS} == {audience == "all"}
    through = {
        who: {sees(client, door, holder, who) for door in DOORS_OF_PLAYERS} for who in (other, outside)
    }
    assert through == {other: {audience != "private"}, outside: {audience == "all"}}
    assert {door for door in DOORS_OF_PLAYERS if sees(client, door, holder, elsewhere)} == set()


def test_opening_shows_the_list_that_counts_and_no_earlier_one(client: Client, event: Event) -> None:
    decklists.open_lists(event, organizer(), "all")
    lines = client.get(f"/api/events/{event.slug}/players/1/open-list/").json()["zones"][0]["lines"]
    assert {line["name"]: line["qty"] for line in lines}["Anvil Stance"] == 3


@pytest.mark.parametrize("status", ["withdrawn", "waiting"])
def test_the_decklist_of_a_player_who_does_not_play_is_not_opened(client: Client, status: str) -> None:
    small_catalogue()
    event = make_event()
    alice, bob = add_players(event, 2)
    decklists.submit_list(alice, Actor.of_player(alice), LEGAL)
    decklists.open_lists(event, organizer(), "all")
    doors = (*OPEN_DOORS, *DOORS_OF_PLAYERS)
    assert {sees(client, door, alice, bob) for door in doors} == {True}
    event.players.filter(number=1).update(status=status)
    decklists.open_lists(event, organizer(), "cut")
    decklists.open_lists(event, organizer(), "all")
    assert {sees(client, door, alice, bob) for door in doors} == {False}


def test_altered_gems_are_for_the_owner_and_staff_even_when_lists_are_open(client: Client) -> None:
    event = make_event(game="highlander", format="standard", rules_version="1.7", match_form="one_game_30min")
    alice, bob = add_players(event, 2)
    gems = {"gem_assignment": {"A": 11}}
    decklists.submit_list(alice, Actor.of_player(alice), "1 Slash", declared_values=gems)
    decklists.open_lists(event, organizer(), "all")
    words, key = "Agility 11", "gem_assignment"
    assert words in client.get(f"/p/{alice.token}/list/1/").content.decode()
    assert words in staff("judge", event).get(f"/console/{event.slug}/lists/1/").content.decode()
    for door in (*OPEN_DOORS, *DOORS_OF_PLAYERS):
        answer = client.get(door.format(slug=event.slug, number=1, token=bob.token))
        text = answer.content.decode()
        assert (answer.status_code, "Slash" in text, words in text, key in text) == (
            200,
            True,
            False,
            False,
        )
