"""Registration: who gets in, who waits, who leaves."""

from __future__ import annotations

import pytest

from decks.shared.refusals import Invalid, Refused
from tests.scenarios.factories import add_players, make_event, organizer, started_event
from tests.scenarios.log_words import all_words
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.registration import services as registration
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


def test_registered_player_gets_number_link_and_lot() -> None:
    player = registration.register(make_event(), name=" Alice ", email="alice@example.org")
    assert (player.name, player.number, player.status) == ("Alice", 1, "registered")
    assert len(player.token) == 20
    assert player.deck_list is not None


def test_numbers_go_on_after_a_withdrawal() -> None:
    event = make_event()
    alice, _ = add_players(event, 2)
    registration.withdraw(alice, organizer())
    assert registration.add_player(event, organizer(), name="Carol").number == 3


def test_all_problems_are_told_at_once() -> None:
    event = make_event(cut="diversity", cut_size=4)
    with pytest.raises(Invalid) as excinfo:
        registration.register(event, name=" ", email="nobody")
    assert [p.code for p in excinfo.value.problems] == ["name_missing", "character_missing", "email_invalid"]
    assert event.players.count() == 0


def test_diversity_event_needs_a_declared_character() -> None:
    event = make_event(cut="diversity", cut_size=4)
    with pytest.raises(Refused) as excinfo:
        registration.register(event, name="Alice", email="a@example.org")
    assert (excinfo.value.code, excinfo.value.field) == ("character_missing", "character")


def test_one_registration_per_email_in_any_case() -> None:
    event = make_event()
    registration.register(event, name="Alice", email="Alice@example.org")
    with pytest.raises(Refused) as excinfo:
        registration.register(event, name="Alice again", email="alice@EXAMPLE.org")
    assert excinfo.value.code == "already_registered"


def test_withdrawn_player_can_register_again() -> None:
    event = make_event()
    alice = registration.register(event, name="Alice", email="alice@example.org")
    registration.withdraw(alice, organizer())
    assert registration.register(event, name="Alice", email="alice@example.org").number == 2


def test_full_event_puts_the_next_player_on_the_waiting_list() -> None:
    event = make_event(capacity=2)
    assert [p.status for p in add_players(event, 3)] == ["registered", "registered", "waiting"]


def test_first_of_the_waiting_list_moves_up_without_staff() -> None:
    event = make_event(capacity=2)
    alice, _, carol, dave = add_players(event, 4)
    registration.withdraw(alice, organizer())
    statuses = dict(event.players.values_list("name", "status"))
    assert statuses == {
        "Alice": "withdrawn",
        "Bob": "registered",
        carol.name: "registered",
        dave.name: "waiting",
    }


def test_registration_by_players_is_refused_after_the_start() -> None:
    event = started_event(4)
    with pytest.raises(Refused) as excinfo:
        registration.register(event, name="Late", email="late@example.org")
    assert excinfo.value.code == "registration_closed"


def test_check_in_needs_open_doors_and_counts_once() -> None:
    event = make_event()
    (alice,) = add_players(event, 1)
    alice.refresh_from_db()
    with pytest.raises(Refused) as excinfo:
        registration.check_in(alice, organizer())
    assert excinfo.value.code == "check_in_closed"
    events.open_check_in(event, organizer())
    registration.check_in(alice, organizer())
    first = alice.checked_in_at
    registration.check_in(alice, organizer())
    assert alice.checked_in_at == first
    assert event.log.filter(action="checked_in").count() == 1


def test_who_is_not_checked_in_can_be_left_out_at_the_start() -> None:
    event = make_event()
    players = add_players(event, 4)
    events.open_check_in(event, organizer())
    for player in players[:3]:
        registration.check_in(player, organizer())
    events.start_event(event, organizer(), drop_missing=True)
    assert list(Player.objects.filter(dropped_after=0).values_list("name", flat=True)) == ["Dave"]
    assert event.swiss_rounds == 2


def test_late_player_is_paired_from_the_next_round_on() -> None:
    from tests.scenarios.factories import play_round

    event = started_event(4, swiss_rounds=3)
    play_round(event)
    late = registration.add_player(event, organizer(), name="Late")
    assert late.entered_round == 2


def test_declared_character_is_fixed_once_rounds_are_played() -> None:
    event = started_event(4)
    alice = event.players.get(name="Alice")
    with pytest.raises(Refused) as excinfo:
        registration.declare_character(alice, organizer(), "Ryu")
    assert excinfo.value.code == "character_fixed"


def test_every_step_raises_the_version_and_leaves_a_line_in_the_log() -> None:
    event = make_event()
    before = event.version
    add_players(event, 2, one_by_one=True)
    event.refresh_from_db()
    assert event.version == before + 2
    assert all_words(event.log.all()) == [
        "olga@example.org added Bob.",
        "olga@example.org added Alice.",
        "olga@example.org created the event.",
    ]


def test_a_refused_step_changes_nothing() -> None:
    event = make_event()
    version = Event.objects.get(pk=event.pk).version
    with pytest.raises(Refused):
        registration.add_player(event, organizer(), name="")
    assert Event.objects.get(pk=event.pk).version == version


def test_who_was_dropped_as_missing_withdrew_and_comes_back_is_in() -> None:
    event = make_event()
    alice, _bob = add_players(event, 2)
    events.open_check_in(event, organizer())
    registration.drop_no_shows(event, organizer())
    registration.withdraw(alice, organizer())
    registration.undo_withdrawal(alice, organizer())
    stands = Player.objects.get(pk=alice.pk)
    assert (stands.status, stands.dropped_after, stands.is_in) == ("registered", None, True)
