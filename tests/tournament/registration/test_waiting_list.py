"""The waiting list.

It moves up automatically, in order, and the players are notified.
"""

from __future__ import annotations

import pytest
from django.core import mail
from django.test import Client

from decks.jobs.models import Job
from decks.jobs.worker import perform
from tests.scenarios.factories import add_players, make_event, organizer
from tests.scenarios.log_words import words_of
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.log.models import LogEntry
from tournament.log.services import undo_step
from tournament.registration import services as registration
from tournament.registration.selectors import waiting_players
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


def states(event: Event) -> dict[str, str]:
    return dict(event.players.order_by("number").values_list("name", "status"))


def line(event: Event) -> list[str]:
    return [player.name for player in waiting_players(event)]


def test_capacity_that_is_raised_lets_as_many_move_up() -> None:
    event = make_event(capacity=2)
    add_players(event, 5)
    events.update_event(event, organizer(), {"capacity": 4})
    assert list(states(event).values()) == ["registered"] * 4 + ["waiting"]
    assert line(event) == ["Erin"]


def test_capacity_that_is_taken_away_lets_all_move_up() -> None:
    event = make_event(capacity=2)
    add_players(event, 4)
    events.update_event(event, organizer(), {"capacity": None})
    assert set(states(event).values()) == {"registered"}


def test_who_withdrew_and_came_back_stands_behind_all_who_waited_meanwhile() -> None:
    event = make_event(capacity=2)
    alice, *_ = add_players(event, 4)
    registration.withdraw(alice, organizer())
    registration.undo_withdrawal(alice, organizer())
    assert line(event) == ["Dave", "Alice"]


def test_newcomer_does_not_overtake_the_line_after_a_place_was_freed_by_an_undo() -> None:
    event = make_event(capacity=2)
    add_players(event, 3)
    Player.objects.filter(name="Bob").update(status="withdrawn")
    assert registration.add_player(event, organizer(), name="Zoe").status == "waiting"


def test_moved_up_player_reads_it_on_their_page() -> None:
    event = make_event(capacity=2)
    alice, _, carol = add_players(event, 3)
    registration.withdraw(alice, organizer())
    page = Client().get(f"/p/{carol.token}/").content.decode()
    assert "You have a place since" in page


def test_moved_up_player_is_told_by_mail_once(settings: object) -> None:
    settings.BASE_URL = "https://ringside.example.org"
    event = make_event(capacity=2)
    alice, _ = add_players(event, 2)
    registration.register(event, name="Carol", email="carol@example.org")
    Job.objects.all().delete()
    registration.withdraw(alice, organizer())
    job = Job.objects.get()
    assert job.kind == "mail_moved_up"
    perform(job.pk)
    assert [(message.to, message.subject) for message in mail.outbox] == [
        (["carol@example.org"], "You have a place in Spring Open")
    ]


def test_without_a_mail_server_no_email_is_sent() -> None:
    event = make_event(capacity=2)
    alice, _ = add_players(event, 2)
    registration.register(event, name="Carol", email="carol@example.org")
    registration.withdraw(alice, organizer())
    assert Job.objects.count() == 0


def test_registration_mails_the_private_link(settings: object) -> None:
    settings.BASE_URL = "https://ringside.example.org"
    player = registration.register(make_event(), name="Ann", email="ann@example.org")
    perform(Job.objects.get(kind="mail_private_link").pk)
    assert f"https://ringside.example.org/p/{player.token}/" in mail.outbox[0].body


def test_places_of_who_is_missing_go_to_those_on_the_list_who_are_here() -> None:
    event = make_event(capacity=3)
    alice, bob, _carol, _dave, erin = add_players(event, 5)
    events.open_check_in(event, organizer())
    for here in (alice, bob, erin):
        registration.check_in(here, organizer())
    assert registration.drop_no_shows(event, organizer()) == 1
    assert line(event) == ["Dave"]
    assert [p.name for p in event.players.all() if p.is_in] == ["Alice", "Bob", "Erin"]


def test_dropping_all_who_are_missing_is_one_step_and_can_be_taken_back() -> None:
    event = make_event()
    alice, *_ = add_players(event, 4)
    events.open_check_in(event, organizer())
    registration.check_in(alice, organizer())
    registration.drop_no_shows(event, organizer())
    entry = LogEntry.objects.get(event=event, action="missing_dropped")
    assert words_of(entry) == "Dropped as no-shows before round 1: Bob, Carol and Dave."
    undo_step(entry, organizer())
    assert [p.is_in for p in event.players.all()] == [True] * 4


@pytest.mark.both_databases
def test_who_was_dropped_as_missing_and_comes_is_back_while_there_is_a_place() -> None:
    event = make_event(capacity=2)
    _alice, bob = add_players(event, 2)
    events.open_check_in(event, organizer())
    registration.drop_no_shows(event, organizer())
    registration.check_in(bob, organizer())
    bob.refresh_from_db()
    assert (bob.is_in, bob.drop_reason) == (True, "")


def test_no_show_waits_when_their_place_is_gone() -> None:
    event = make_event(capacity=2)
    alice, bob, carol = add_players(event, 3)
    events.open_check_in(event, organizer())
    for here in (alice, carol):
        registration.check_in(here, organizer())
    registration.drop_no_shows(event, organizer())
    registration.check_in(bob, organizer())
    bob.refresh_from_db()
    assert (bob.status, bob.dropped_after) == ("waiting", None)
