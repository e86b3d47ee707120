"""Private links.

Tests cover who sees them, who can change their target, and who is logged when using them.
"""

from __future__ import annotations

import pytest
from django.test import Client

from tests.scenarios.factories import (
    add_players,
    make_event,
    make_user,
    open_matches,
    organizer,
    publish_next,
    started_event,
)
from tests.scenarios.log_words import words_of
from tournament.events.models.event import Event, StaffRole
from tournament.events.models.player import Player
from tournament.log.models import LogEntry
from tournament.log.wording import show_entry
from tournament.registration import services as registration

pytestmark = pytest.mark.django_db


def signed_in(event: Event, role: str) -> Client:
    """Return a client signed in with a role."""
    user = make_user(f"{role}@example.org")
    StaffRole.objects.create(event=event, user=user, kind=role)
    client = Client()
    client.force_login(user)
    return client


def with_ada(**values: str) -> tuple[Event, Player]:
    """Return an event with Ada."""
    event = make_event()
    return event, registration.add_player(event, organizer(), name="Ada", **values)


def test_new_link_is_shown_once_to_an_organizer() -> None:
    event, ada = with_ada()
    client, page = signed_in(event, "organizer"), f"/console/{event.slug}/players/1/"
    assert client.get(page).context["link"] == ""
    client.post(f"{page}new-link/", {"next": page})
    token = Player.objects.get(pk=ada.pk).token
    first, second = client.get(page), client.get(page)
    assert (first.context["link"], second.context["link"]) == (f"http://testserver/p/{token}/", "")
    assert (token in first.content.decode(), token in second.content.decode()) == (True, False)


def test_scorekeeper_neither_makes_nor_sees_a_link() -> None:
    event, ada = with_ada()
    client, page = signed_in(event, "scorekeeper"), f"/console/{event.slug}/players/1/"
    assert client.post(f"{page}new-link/").status_code == 403
    answer = client.post(f"/api/events/{event.slug}/players/1/private-link/", content_type="application/json")
    assert answer.status_code == 403
    added_player = client.post(
        f"/api/events/{event.slug}/players/", {"name": "Bob"}, content_type="application/json"
    ).json()
    assert (Player.objects.get(pk=ada.pk).token, added_player["token"]) == (ada.token, None)


def test_scorekeeper_cannot_lead_a_link_to_a_mailbox_of_their_own() -> None:
    event, ada = with_ada(email="ada@example.org")
    registration.add_player(event, organizer(), name="Ada B", email="mine@example.org")
    client = signed_in(event, "scorekeeper")
    page, api = f"/console/{event.slug}/players", f"/api/events/{event.slug}/players"
    mine = {"name": "Ada", "email": "mine2@example.org"}
    client.post(f"{page}/1/", {**mine, "initial-email": "ada@example.org", "initial-name": "Ada"})
    assert client.put(f"{api}/1/", mine, content_type="application/json").status_code == 403
    assert client.post(f"{page}/doubles/", {"kept": "1", "double": "2"}).status_code == 403
    assert client.post(f"{api}/1/merge/", {"double": 2}, content_type="application/json").status_code == 403
    table = {"csv": "number,name,email\n1,Ada,mine2@example.org\n"}
    lines = client.post(f"{api}/table/", table, content_type="application/json").json()["lines"]
    assert [line["kind"] for line in lines] == ["refused"]
    ada.refresh_from_db()
    assert (ada.email, ada.merged_into) == ("ada@example.org", None)


def test_scorekeeper_corrects_a_name_without_the_address() -> None:
    event, ada = with_ada(email="ada@example.org")
    client = signed_in(event, "scorekeeper")
    client.post(
        f"/console/{event.slug}/players/1/",
        {"name": "Ada Holt", "initial-name": "Ada", "initial-email": "ada@example.org"},
    )
    ada.refresh_from_db()
    assert (ada.name, ada.email) == ("Ada Holt", "ada@example.org")


def test_undoing_a_change_of_an_address_needs_the_right_to_links() -> None:
    event, ada = with_ada(email="old@example.org")
    registration.change_details(ada, organizer(), name="Ada", email="new@example.org", character="")
    entry = LogEntry.objects.get(event=event, action="player_changed")
    client = signed_in(event, "scorekeeper")
    assert client.post(f"/console/{event.slug}/log/{entry.pk}/undo/").status_code == 403


def test_staff_who_acts_by_a_link_is_logged_as_staff() -> None:
    event, ada = with_ada()
    client = signed_in(event, "judge")
    client.post(f"/p/{ada.token}/withdraw/")
    client.post(f"/api/me/{ada.token}/restore/", {}, content_type="application/json")
    entries = LogEntry.objects.filter(event=event, action__in=("player_withdrew", "withdrawal_undone"))
    assert {show_entry(entry).actor_name for entry in entries} == {"judge@example.org"}
    assert {entry.user.username for entry in entries} == {"judge@example.org"}
    assert all("judge@example.org used the private link of Ada." in words_of(entry) for entry in entries)
    assert len(entries) == 2


def test_drop_that_staff_enters_by_a_link_is_a_whole_sentence_in_the_log() -> None:
    event = started_event(4)
    player = event.players.order_by("number").first()
    signed_in(event, "judge").post(f"/p/{player.token}/drop/")
    entry = LogEntry.objects.get(event=event, action="player_dropped")
    assert words_of(entry) == (
        f"{player.name} dropped. judge@example.org used the private link of {player.name}."
    )


def test_result_that_staff_reports_by_a_link_is_logged_as_staff() -> None:
    event = started_event(4)
    match = open_matches(publish_next(event))[0]
    client = signed_in(event, "judge")
    client.post(f"/p/{match.p1.token}/report/", {"match": match.pk, "score": "2-0"})
    entry = LogEntry.objects.get(event=event, action="result_reported")
    assert (show_entry(entry).actor_name, entry.user.username) == ("judge@example.org", "judge@example.org")


def test_player_and_staff_of_other_events_are_logged_as_the_player() -> None:
    event, ada = with_ada()
    elsewhere = signed_in(make_event(name="Other"), "owner")
    for client in (Client(), elsewhere):
        client.post(f"/p/{ada.token}/withdraw/")
        client.post(f"/p/{ada.token}/withdraw/", {"undo": "1"})
    entries = LogEntry.objects.filter(event=event, action__in=("player_withdrew", "withdrawal_undone"))
    assert [(show_entry(entry).actor_name, entry.user) for entry in entries] == [("Ada", None)] * 4


def test_browsers_do_not_name_a_private_page_to_others() -> None:
    event, ada = with_ada()
    add_players(event, 1)
    for address in (f"/p/{ada.token}/", f"/join/{ada.token}/", f"/sign-in/?next=/p/{ada.token}/"):
        assert Client().get(address)["Referrer-Policy"] == "strict-origin"


@pytest.mark.parametrize(
    ("step", "page"), [("drop/", ""), ("list/check/", "list/"), ("character/", "character/")]
)
def test_form_that_was_not_taken_leads_back_to_its_private_page(step: str, page: str) -> None:
    _, ada = with_ada()
    client = Client(enforce_csrf_checks=True)
    answer = client.post(f"/p/{ada.token}/{step}", headers={"referer": "http://testserver/"})
    assert (answer.status_code, answer.context["way_back"]) == (403, f"/p/{ada.token}/{page}?typed=again")
