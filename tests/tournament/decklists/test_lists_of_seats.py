"""Teams on boards.

Each seat has a decklist, with its link, verdict, deck check and archive.
"""

from __future__ import annotations

import json

import pytest
from django.test import Client

from decks.shared.refusals import Refused
from decks.submissions.models import DeckList
from tests.scenarios.catalogue import LEGAL, small_catalogue
from tests.scenarios.factories import built_once, make_event, make_user, organizer, publish_next
from tests.scenarios.html import html_of
from tests.tournament.results.test_boards import TRIOS, first_match
from tournament.access.permissions import Actor
from tournament.archive.export import export_event
from tournament.archive.restore import restore_event
from tournament.decklists import selectors
from tournament.decklists.field import build_field
from tournament.decklists.services import lists as decklists
from tournament.desk.selectors import get_overview
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.seats import list_owners_of
from tournament.judging.models import DeckCheck
from tournament.judging.services import deck_checks
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.my_page.digests import load_digests
from tournament.privacy.services import remove_personal_data
from tournament.registration import services as registration
from tournament.results.services.results import enter_result
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Event:
    small_catalogue()
    event = make_event(**TRIOS, decklists_required=True)
    for name in ("Foxes", "Owls"):
        members = [f"{name} {letter}" for letter in "ABC"]
        registration.add_player(event, organizer(), name=name, email=f"{name}@example.org", members=members)
    return event


@pytest.fixture
def staff() -> Client:
    client = Client()
    client.force_login(make_user("root@example.org", is_superuser=True))
    return client


def get_seat(event: Event, team: str, seat: int) -> Player:
    return list_owners_of(event.players.select_related("event").get(name=team))[seat - 1]


def submit(holder: Player, text: str = LEGAL) -> None:
    decklists.submit_list(holder, Actor.of_player(holder), text)


@pytest.mark.both_databases
def test_each_seat_has_a_member_that_never_counts_as_a_player(event: Event) -> None:
    assert list(event.players.values_list("number", flat=True)) == [1, 2]
    members = Player.objects.filter(event=event, seat__gt=0).order_by("number")
    assert [(each.number, each.full_name) for each in members][:3] == [
        (100001, "Foxes A (Foxes, seat A)"),
        (100002, "Owls A (Owls, seat A)"),
        (200001, "Foxes B (Foxes, seat B)"),
    ]
    events.start_event(event, organizer())
    assert set(publish_next(event).seats.values_list("player__number", flat=True)) == {1, 2}


def test_renamed_team_and_undo_rename_its_members(event: Event) -> None:
    foxes = event.players.get(number=1)
    registration.change_details(foxes, organizer(), name="Foxes", members=["Ann", "Bea", "Cid"])
    assert [owner.name for owner in list_owners_of(foxes)] == ["Ann", "Bea", "Cid"]
    undo_step(LogEntry.objects.filter(event=event).latest("pk"), organizer())
    assert [owner.name for owner in list_owners_of(foxes)] == ["Foxes A", "Foxes B", "Foxes C"]


def test_boards_chosen_late_give_seats_to_registered_teams() -> None:
    event = make_event(name="Trios", team_size=3)
    team = registration.add_player(event, organizer(), name="Foxes", members=["Ann", "Bea", "Cid"])
    assert list_owners_of(team) == [team]
    events.update_event(event, organizer(), {"has_boards": True})
    team.event.refresh_from_db()
    assert [owner.seat_letter for owner in list_owners_of(team)] == ["A", "B", "C"]


def test_seat_submits_its_list_by_its_own_link(event: Event) -> None:
    bea = get_seat(event, "Foxes", 2)
    phone = Client()
    index = html_of(phone.get(f"/p/{bea.entrant.token}/list/"))
    assert all(f"/p/{owner.token}/list/" in index for owner in list_owners_of(bea.entrant))
    assert phone.get(f"/p/{bea.token}/")["Location"] == f"/p/{bea.entrant.token}/?seat=B"
    phone.post(f"/p/{bea.token}/list/", {"text": LEGAL})
    rows = {row.player.full_name: row.outcome for row in selectors.list_rows(event)}
    assert rows["Foxes B (Foxes, seat B)"] == "legal"
    assert list(rows.values()).count("") == 5
    task = phone.get(f"/p/{bea.entrant.token}/").context["task"]
    assert task.kind == "list_missing"


def test_team_itself_has_no_list(event: Event) -> None:
    team = event.players.select_related("event").get(number=1)
    with pytest.raises(Refused) as excinfo:
        submit(team)
    assert excinfo.value.problems[0].code == "list_of_team"
    withdrawn = get_seat(event, "Owls", 1)
    registration.withdraw(withdrawn.entrant, organizer())
    with pytest.raises(Refused) as excinfo:
        submit(Player.objects.select_related("event").get(pk=withdrawn.pk))
    assert excinfo.value.problems[0].code == "player_withdrawn"
    assert len(selectors.list_rows(event)) == 3


def test_lists_of_seats_are_locked_counted_and_read_by_staff(event: Event, staff: Client) -> None:
    for seat in (1, 2, 3):
        submit(get_seat(event, "Foxes", seat))
    assert len(get_overview(event).players_without_list) == 3
    assert "3 of 3" in html_of(staff.get(f"/console/{event.slug}/players/"))
    bea = get_seat(event, "Foxes", 2)
    for address in (f"lists/{bea.number}/", f"lists/{bea.number}/1/", "lists/", "players/1/", "lists/field/"):
        assert bea.name in html_of(staff.get(f"/console/{event.slug}/{address}")) or "field" in address
    assert staff.get(f"/console/{event.slug}/lists/1/").status_code == 404
    events.start_event(event, organizer())
    assert DeckList.objects.filter(player__event=event, locked_at=None).count() == 0


def test_decks_of_all_seats_of_a_table_are_checked(event: Event, staff: Client) -> None:
    for seat in (1, 2, 3):
        submit(get_seat(event, "Foxes", seat))
    events.start_event(event, organizer())
    match = first_match(publish_next(event))
    deck_checks.draw_checks(event, organizer(), count=1)
    checked_seats = DeckCheck.objects.values_list("player__seat", "player__team__name")
    assert sorted(checked_seats) == [(seat, name) for seat in (1, 2, 3) for name in ("Foxes", "Owls")]
    table = f"/judge/{event.slug}/tables/1/1/{match.table}/"
    check = DeckCheck.objects.get(player=get_seat(event, "Foxes", 3))
    for address in (table, f"{table}lists/", f"/judge/{event.slug}/checks/{check.pk}/"):
        assert "Foxes C" in html_of(staff.get(address)), address
    page = html_of(staff.get(f"/judge/{event.slug}/checks/?q=Owls"))
    assert "Owls B (Owls, seat B)" in page


def test_results_of_boards_count_for_the_cards_of_their_seats(event: Event) -> None:
    submit(get_seat(event, "Foxes", 1))
    submit(get_seat(event, "Owls", 2))
    events.start_event(event, organizer())
    match = first_match(publish_next(event))
    enter_result(match, organizer(), boards=[[2, 0, 0], [0, 2, 0], [0, 2, 0]])
    field = build_field(event)
    assert (field.lists, {use.lists for use in field.cards}) == (2, {2})


def test_members_and_their_lists_travel_in_the_archive(event: Event) -> None:
    submit(get_seat(event, "Foxes", 2))
    copy = restore_event(json.dumps(export_event(event)), organizer())
    bea = get_seat(copy, "Foxes", 2)
    assert (bea.full_name, selectors.current_version(bea) is None) == ("Foxes B (Foxes, seat B)", False)
    assert copy.players.count() == 2


def test_removal_of_a_team_renames_its_members(event: Event) -> None:
    bea = get_seat(event, "Foxes", 2)
    submit(bea)
    remove_personal_data(bea.entrant, organizer())
    renamed_seat = get_seat(event, "Player 1", 2)
    assert (renamed_seat.name, renamed_seat.token == bea.token) == ("Player 1B", False)


def test_list_of_the_later_registration_stays_where_teams_are_merged(event: Event) -> None:
    submit(get_seat(event, "Owls", 2))
    one, two = event.players.get(number=1), event.players.get(number=2)
    registration.merge_players(one, two, organizer())
    assert selectors.current_version(get_seat(event, "Foxes", 2)) is not None


def test_page_of_the_team_hears_of_the_list_of_a_member(event: Event) -> None:
    bea = get_seat(event, "Foxes", 2)
    before = load_digests(event.pk, 1).by_player[bea.entrant.pk]
    submit(bea)
    assert load_digests(event.pk, 2).by_player[bea.entrant.pk] != before


def test_lists_of_seats_are_opened_and_handled_by_other_programs(event: Event, staff: Client) -> None:
    bea = get_seat(event, "Foxes", 2)
    own = Client().get(f"/api/me/{bea.entrant.token}/").json()
    assert [(each["seat"], each["name"]) for each in own["seats"]][1] == ("B", "Foxes B")
    answer = Client().post(f"/api/me/{bea.token}/list/", {"text": LEGAL}, content_type="application/json")
    assert answer.status_code == 201
    rows = staff.get(f"/api/events/{event.slug}/lists/").json()
    assert [row["seat"] for row in rows if row["version"]] == ["B"]
    staff_list = staff.get(f"/api/events/{event.slug}/players/{bea.number}/list/").json()
    assert [version["number"] for version in staff_list] == [1]
    events.update_event(event, organizer(), {"lists_open": Event.ListsOpen.ALL})
    assert "Foxes B" in html_of(Client().get(f"/e/{event.slug}/players/1/"))
    viewer = get_seat(event, "Owls", 1)
    assert "Foxes B" in html_of(Client().get(f"/p/{viewer.entrant.token}/lists/1/"))
