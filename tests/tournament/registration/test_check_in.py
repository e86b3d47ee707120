"""Check-in: by list, by phone, by code."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.everyday import each_case
from tests.scenarios.factories import (
    add_players,
    built_once,
    make_event,
    make_user,
    organizer,
    sign_in_organizer,
)
from tests.scenarios.rollback import rolled_back
from tournament.access.permissions import Actor
from tournament.events.models.event import Event, StaffRole
from tournament.registration import services as registration
from tournament.registration.forms import parse_quick_entry
from tournament.registration.selectors import player_number_in_code
from tournament.setup.services import events

pytestmark = pytest.mark.django_db

COUNTS = {
    "check-in/": 6, "check-in/scan/": 6, "players/": 7, "players/doubles/": 7, "players.csv": 5,
    "players/import/": 5,
}  # fmt: skip


@pytest.fixture
def desk() -> Client:
    return sign_in_organizer()


@pytest.fixture
@built_once
def event() -> Event:
    event = make_event()
    add_players(event, 4)
    events.open_check_in(event, organizer())
    return event


def test_list_is_narrowed_by_part_of_a_name_without_accents_and_by_number(event: Event, desk: Client) -> None:
    registration.add_player(event, organizer(), name="Renée")
    for query, names in (("rene", ["Renée"]), ("2", ["Bob"]), ("a", ["Alice", "Carol", "Dave"]), ("x", [])):
        door = desk.get(f"/console/{event.slug}/check-in/", {"q": query}).context["door"]
        assert [player.name for player in door.rows] == names


def test_door_counts_who_is_here_and_names_who_is_missing(event: Event, desk: Client) -> None:
    desk.post(f"/console/{event.slug}/players/2/check-in/", {"next": f"/console/{event.slug}/check-in/"})
    door = desk.get(f"/console/{event.slug}/check-in/").context["door"]
    assert (door.checked_in_count, door.expected_count) == (1, 4)
    assert [player.name for player in door.missing_players] == ["Alice", "Carol", "Dave"]


def test_staff_and_player_checking_in_at_once_leave_one_step(event: Event) -> None:
    alice = event.players.select_related("event").get(name="Alice")
    registration.check_in(alice, organizer())
    registration.check_in(alice, Actor.of_player(alice))
    assert event.log.filter(action="checked_in").count() == 1


@each_case(
    "code",
    ["2", " 2 ", "https://ringside.example.org/B/SPRING-OPEN/2", "HTTP://10.0.0.7:8000/B/SPRING-OPEN/2"],
    around=rolled_back,
)
def test_typed_number_and_scanned_code_check_the_same_player_in(
    event: Event, desk: Client, code: str
) -> None:
    desk.post(f"/console/{event.slug}/check-in/", {"line": code})
    assert event.players.get(number=2).checked_in_at is not None


@each_case(
    "code", ["", "99", "x", "\0", "9" * 300, "https://x/B/OTHER/2", "https://x/p/secret/"], around=rolled_back
)
def test_code_without_a_player_is_reported_as_unknown(event: Event, desk: Client, code: str) -> None:
    answer = desk.post(f"/console/{event.slug}/check-in/", {"line": code}, follow=True)
    assert answer.status_code == 200
    [message] = answer.context["messages"]
    assert str(message).startswith("No player of this event matches “")


def test_camera_is_allowed_on_the_page_that_scans(event: Event, desk: Client) -> None:
    page = desk.get(f"/console/{event.slug}/check-in/scan/")
    assert page["Permissions-Policy"] == "camera=(self), microphone=(), geolocation=()"


def test_code_leads_staff_to_check_in(event: Event, desk: Client) -> None:
    assert desk.get("/B/SPRING-OPEN/2")["Location"] == f"/console/{event.slug}/check-in/2/"


def test_code_leads_staff_to_the_player_when_check_in_is_over(event: Event, desk: Client) -> None:
    events.start_event(event, organizer())
    assert desk.get("/B/SPRING-OPEN/2")["Location"] == f"/console/{event.slug}/players/2/"


def test_code_leads_a_judge_to_the_player(event: Event) -> None:
    client, judge = Client(), make_user("judge@example.org")
    StaffRole.objects.create(event=event, user=judge, kind="judge")
    client.force_login(judge)
    assert client.get("/B/SPRING-OPEN/2")["Location"] == f"/console/{event.slug}/players/2/"


def test_code_leads_the_player_to_their_page_and_a_neighbor_to_the_public_list() -> None:
    event, ann, bob = make_event(), Client(), Client()
    for client, name in ((ann, "Ann"), (bob, "Bob")):
        client.post(f"/e/{event.slug}/register/", {"name": name, "email": f"{name}@example.org"})
    token = event.players.get(name="Ann").token
    assert ann.get("/B/SPRING-OPEN/1")["Location"] == f"/p/{token}/"
    assert bob.get("/B/SPRING-OPEN/1")["Location"] == f"/e/{event.slug}/players/"
    assert Client().get("/B/SPRING-OPEN/1")["Location"] == f"/e/{event.slug}/players/"


def test_picture_of_the_code_is_public_and_holds_no_secret(event: Event) -> None:
    picture = Client().get(f"/e/{event.slug}/players/2/badge.png")
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/png")


def test_code_of_an_event_in_preparation_leads_strangers_nowhere() -> None:
    make_event(open_registration=False)
    assert Client().get("/B/SPRING-OPEN/1").status_code == 404


@each_case(
    ("code", "number"),
    [
        ("7", 7),
        ("/B/SPRING-OPEN/7", 7),
        ("/b/spring-open/7", 7),
        ("/B/OTHER/7", None),
        ("７", None),
        ("-7", None),
    ],
    around=rolled_back,
)
def test_numbers_of_codes(code: str, number: int | None) -> None:
    assert player_number_in_code(code, Event(slug="spring-open")) == number


def test_missing_are_dropped_by_one_press(event: Event, desk: Client) -> None:
    registration.check_in(event.players.select_related("event").get(name="Alice"), organizer())
    answer = desk.post(f"/console/{event.slug}/check-in/missing/", follow=True)
    assert "3 dropped." in answer.content.decode()
    assert [p.name for p in event.players.all() if p.is_in] == ["Alice"]


def test_paid_is_ticked_and_unticked_by_one_press(event: Event, desk: Client) -> None:
    events.update_event(event, organizer(), {"entry_fee": "10 € at the desk"})
    assert "10 € at the desk" in Client().get(f"/e/{event.slug}/").content.decode()
    for action, is_paid in (("paid", True), ("paid", True), ("unpaid", False)):
        desk.post(f"/console/{event.slug}/players/1/{action}/")
        assert event.players.get(number=1).has_paid is is_paid
    assert list(event.log.filter(action__startswith="fee").values_list("action", flat=True)) == [
        "fee_not_paid",
        "fee_paid",
    ]


@each_case(
    ("line", "name", "email", "character"),
    [
        ("Ann Lee; ann@example.org; Ryu", "Ann Lee", "ann@example.org", "Ryu"),
        ("Ann Lee", "Ann Lee", "", ""),
        ("ann@example.org; Ann Lee", "Ann Lee", "ann@example.org", ""),
        ("Ann Lee;;Ken", "Ann Lee", "", "Ken"),
        ("Ann Lee, ann@example.org", "Ann Lee", "ann@example.org", ""),
        ("Lee, Ann; ann@example.org", "Lee, Ann", "ann@example.org", ""),
        ("Ann\tann@example.org", "Ann", "ann@example.org", ""),
        (" ; ; ", "", "", ""),
    ],
    around=rolled_back,
)
def test_walk_in_is_read_from_one_line(line: str, name: str, email: str, character: str) -> None:
    assert parse_quick_entry(line) == {"name": name, "email": email, "character": character, "members": []}


def test_walk_in_is_added_and_the_line_stands_ready_for_the_next(event: Event, desk: Client) -> None:
    address = f"/console/{event.slug}/players/"
    page = desk.post(address, {"line": "Ann Lee; ann@example.org; Ryu"}, follow=True).content.decode()
    ann = event.players.get(name="Ann Lee")
    assert (ann.number, ann.email, ann.character) == (5, "ann@example.org", "Ryu")
    assert "Ann Lee is number 5." in page
    assert page.count("autofocus") == 1


@pytest.fixture
def events_of_one_and_of_many(desk: Client) -> tuple[Event, Event]:
    """Two events at check-in, of one player and of fifteen."""
    one, many = (make_event(name=f"Of {players}") for players in (1, 15))
    for event, players in ((one, 1), (many, 15)):
        add_players(event, players)
        events.open_check_in(event, organizer())
    return one, many


@each_case("page", list(COUNTS), around=rolled_back)
def test_pages_of_players_ask_as_often_for_one_as_for_many(
    page: str, desk: Client, events_of_one_and_of_many: tuple[Event, Event]
) -> None:
    def queries(event: Event) -> int:
        with CaptureQueriesContext(connection) as captured_queries:
            assert desk.get(f"/console/{event.slug}/{page}").status_code == 200
        return len(captured_queries)

    one, many = events_of_one_and_of_many
    queries(one)  # what is cached once costs nothing later
    assert queries(one) == queries(many) == COUNTS[page]
