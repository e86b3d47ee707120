"""The console: its content by role, and its number of queries."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from tests.everyday import each_case
from tests.scenarios.factories import (
    add_players,
    make_event,
    make_user,
    organizer,
    play_round,
    publish_next,
    sign_in_organizer,
    started_event,
)
from tests.scenarios.rollback import rolled_back
from tournament.access.permissions import RIGHTS_BY_ROLE, Right
from tournament.brackets.services import cut as cuts
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.round import Match, Round

pytestmark = pytest.mark.django_db

PAGES = {
    "console_event": Right.SEE,
    "console_players": Right.SEE,
    "console_lists": Right.LISTS,
    "console_standings": Right.SEE,
    "console_cut": Right.SEE,
    "console_log": Right.SEE,
    "console_print": Right.PRINT,
    "console_settings": Right.MANAGE,
    "console_export": Right.EXPORT,
}


def signed_in(event: Event | None = None, kind: str | None = None) -> Client:
    """Return a client of someone with a role in the event, or of someone without one."""
    client = Client()
    user = make_user(f"{kind or 'no one'}@example.org")
    if event is not None and kind is not None:
        StaffRole.objects.create(event=event, user=user, kind=kind)
    client.force_login(user)
    return client


@pytest.fixture
def desk() -> Client:
    """A client signed in as Olga."""
    return sign_in_organizer()


def address(name: str, event: Event, *args: Any) -> str:
    return reverse(name, args=[event.slug, *args])


@pytest.mark.whole("tests/tournament/access/test_rights.py asks by the roles at the edge of each right")
@each_case("kind", list(RIGHTS_BY_ROLE), around=rolled_back)
def test_each_role_sees_exactly_the_pages_of_its_rights(kind: str) -> None:
    event = make_event()
    client, rights = signed_in(event, kind), RIGHTS_BY_ROLE[kind]
    statuses = {page: client.get(address(page, event)).status_code for page in PAGES}
    assert statuses == {page: 200 if right in rights else 403 for page, right in PAGES.items()}


def test_a_role_in_another_event_opens_nothing() -> None:
    event, other = make_event(), make_event(name="Other")
    client = signed_in(other, "owner")
    assert {page for page in PAGES if client.get(address(page, event)).status_code != 403} == set()


def test_strangers_are_asked_to_sign_in() -> None:
    event = make_event()
    answers = [Client().get(address(page, event)) for page in PAGES]
    assert {answer.status_code for answer in answers} == {302}
    assert [answer.url for answer in answers if not answer.url.startswith("/sign-in/")] == []


BUTTONS: list[tuple[str, list[Any], Right]] = [
    ("console_step", ["open-check-in"], Right.MANAGE),
    ("console_start", [], Right.PAIR),
    ("console_pair", [], Right.PAIR),
    ("console_player_action", [1, "withdraw"], Right.PLAYERS),
    ("console_open_lists", [], Right.MANAGE),
]


@pytest.mark.whole("tests/tournament/access/test_rights.py asks by the roles at the edge of each right")
@each_case("kind", list(RIGHTS_BY_ROLE), around=rolled_back)
def test_each_role_presses_exactly_the_buttons_of_its_rights(kind: str) -> None:
    event = make_event()
    add_players(event, 3)
    client = signed_in(event, kind)
    for name, args, right in BUTTONS:
        with rolled_back():
            answer = client.post(address(name, event, *args))
        assert (name, answer.status_code) == (name, 302 if right in RIGHTS_BY_ROLE[kind] else 403)


def test_lists_take_the_same_queries_for_few_and_for_many(desk: Client) -> None:
    def queries(event: Event, name: str) -> int:
        desk.get(address(name, event))
        with CaptureQueriesContext(connection) as queries:
            assert desk.get(address(name, event)).status_code == 200
        return len(queries)

    few, many = (
        started_event(players, name=f"Event of {players}", cut="top", cut_size=2, swiss_rounds=2)
        for players in (4, 16)
    )
    play_round(few)
    play_round(many)
    lists = ("console_players", "console_lists", "console_standings", "console_event", "console_cut")
    assert {name: queries(few, name) for name in lists} == {name: queries(many, name) for name in lists}


def test_a_round_takes_the_same_queries_for_few_and_for_many_tables(desk: Client) -> None:
    def queries(players: int) -> int:
        event = started_event(players, name=f"Event of {players}")
        publish_next(event)
        # What is noted once in ten minutes, such as the use of a device, is noted here.
        desk.get(address("console_round", event, 1, 1))
        with CaptureQueriesContext(connection) as queries:
            assert desk.get(address("console_round", event, 1, 1)).status_code == 200
        return len(queries)

    assert queries(4) == queries(16)


def test_my_events_take_the_same_queries_for_one_and_for_many(desk: Client) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert desk.get("/console/").status_code == 200
        return len(queries)

    make_event()
    one = queries()
    for n in range(5):
        make_event(name=f"Event {n}")
    assert queries() == one


@pytest.fixture
def round_() -> Round:
    """The published round 1 of four players."""
    return publish_next(started_event(4))


@each_case(
    ("line", "score"),
    [
        ("1 2 1", "2-1"),
        ("1 2-1", "2-1"),
        ("1 21", "2-1"),
        (" 1  0:2 ", "0-2"),
        ("1 1 1 1", "1-1-1"),
        ("1 0 0", "0-0"),
    ],
    around=rolled_back,
)
def test_one_line_enters_a_result(round_: Round, desk: Client, line: str, score: str) -> None:
    desk.post(address("console_quick_result", round_.stage.event, 1, 1), {"line": line})
    assert Match.objects.get(round=round_, table=1).score == score


def test_dl_enters_a_loss_for_both(round_: Round, desk: Client) -> None:
    desk.post(address("console_quick_result", round_.stage.event, 1, 1), {"line": "1 dl"})
    assert Match.objects.get(round=round_, table=1).outcome == "double_loss"


@each_case(
    "line",
    ["", "1", "1 x", "1 3 1", "99 2 1", "1 212", "1 2 2", "- 2 1", "1 2 1 1 1", "9" * 500],
    around=rolled_back,
)
def test_a_line_that_makes_no_sense_changes_nothing_and_says_why(
    round_: Round, desk: Client, line: str
) -> None:
    # Messages that no page has shown would come again.
    desk.cookies.pop("messages", None)
    answer = desk.post(address("console_quick_result", round_.stage.event, 1, 1), {"line": line})
    assert Match.objects.filter(round=round_).exclude(outcome="").count() == 0
    assert [message.level_tag for message in get_messages(answer.wsgi_request)] == ["error"]
    # One page stands for all: the message is the same.
    if line == "99 2 1":
        assert b"alert-error" in desk.get(answer.url).content


def test_a_page_that_is_behind_does_not_overwrite_a_newer_result(round_: Round, desk: Client) -> None:
    match = Match.objects.get(round=round_, table=1)
    url = address("console_match_result", round_.stage.event, match.pk)
    desk.post(url, {"score": "2-0", "revision": "0"})
    page = desk.post(url, {"score": "0-2", "revision": "0"}, follow=True)
    match.refresh_from_db()
    assert match.score == "2-0"
    assert "It is now 2-0, entered by " in strip_tags(page.content.decode())


def test_a_match_of_another_event_cannot_be_touched(round_: Round, desk: Client) -> None:
    other = make_event(name="Other")
    match = Match.objects.get(round=round_, table=1)
    assert desk.post(address("console_match_result", other, match.pk), {"score": "2-0"}).status_code == 404


def test_every_page_of_a_finished_event_opens(desk: Client) -> None:
    event = started_event(4, cut="top", cut_size=2, swiss_rounds=1)
    play_round(event)
    stage = cuts.make_cut(event, organizer())
    for name in PAGES:
        assert desk.get(address(name, event)).status_code == 200
    assert desk.get(address("console_round", event, stage.position, 1)).status_code == 200
    assert desk.get(address("console_player", event, 1)).status_code == 200
    assert desk.get(address("console_list", event, 1)).status_code == 200


def test_settings_that_players_rely_on_are_fixed_once_rounds_are_played(desk: Client) -> None:
    event = started_event(4)
    page = desk.get(address("console_settings", event))
    data = {name: value for name, value in page.context["form"].initial.items() if value not in (None, False)}
    data |= {"starts_at": "2026-05-02T10:00", "match_form": "one_game_30min", "round_minutes": "30"}
    answer = desk.post(address("console_settings", event), data)
    assert "The match form cannot change after round 1 has started." in answer.content.decode()


def test_a_new_event_takes_what_was_left_empty_from_the_rules(desk: Client) -> None:
    data = {
        "name": "Plain", "starts_at": "2026-05-02T10:00", "time_zone": "Europe/Berlin",
        "match_form": "one_game_30min", "cut": "none", "short_cut": "shrink", "rules_version": "",
        "open_registration": "on",
    }  # fmt: skip
    answer = desk.post("/console/new/ufs/constructed/", data)
    event = Event.objects.get()
    assert answer.url == f"/console/{event.slug}/"
    assert (event.rules_version, event.round_minutes, event.phase) == ("1.9", 30, "registration")
    assert event.starts_local.isoformat() == "2026-05-02T10:00:00+02:00"


@pytest.mark.parametrize("page", ["/console/", "/console/new/", "/console/import/"])
def test_pages_before_an_event_open(desk: Client, page: str) -> None:
    assert desk.get(page).status_code == 200


def test_choosing_a_game_that_does_not_exist_is_not_found(desk: Client) -> None:
    assert desk.get("/console/new/chess/blitz/").status_code == 404
