"""Decklists of an event.

Tests cover deadline, lock, late lists, and what lists are judged under.
"""

from __future__ import annotations

from datetime import timedelta
from unittest.mock import ANY

import pytest
from django.utils import timezone

from decks.shared.refusals import Refused
from tests.scenarios.catalogue import small_catalogue
from tests.scenarios.factories import add_players, make_event, organizer, started_event
from tournament.access.permissions import Actor
from tournament.decklists.services import lists as decklists
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.setup.services import events

pytestmark = pytest.mark.django_db
LIST = "4 Kubi Ori\n56 Anvil Stance\n"


def player_of(event: Event) -> Player:
    return event.players.select_related("event", "deck_list").order_by("number").first()


def submit(player: Player, text: str = LIST, **values: object) -> object:
    return decklists.submit_list(player, Actor.of_player(player), text, **values)


def test_a_list_is_kept_as_handed_in_and_the_last_one_counts() -> None:
    small_catalogue()
    event = make_event()
    add_players(event, 1)
    player = player_of(event)
    submit(player)
    second = submit(player, "60 Anvil Stance\r\n")
    player.deck_list.refresh_from_db()
    assert player.deck_list.current == second
    assert list(player.deck_list.versions.values_list("number", "source_text")) == [
        (1, LIST),
        (2, ANY),
    ]
    assert event.log.filter(action="list_submitted").count() == 2


def test_an_empty_list_is_refused() -> None:
    event = make_event()
    add_players(event, 1)
    with pytest.raises(Refused) as excinfo:
        submit(player_of(event), "  \n")
    assert (excinfo.value.code, excinfo.value.field) == ("list_empty", "text")


def test_after_the_deadline_only_staff_hands_in_and_says_why() -> None:
    event = make_event(decklists_due_at=timezone.now() - timedelta(minutes=1))
    add_players(event, 1)
    player = player_of(event)
    for code, values in (("list_closed", {}), ("reason_needed", {"by_staff": True})):
        with pytest.raises(Refused) as excinfo:
            submit(player, **values)
        assert excinfo.value.code == code
    version = submit(player, by_staff=True, reason="the hall had no network")
    assert (version.number, version.after_deadline, version.reason) == (1, True, "the hall had no network")


def test_lists_are_locked_when_round_one_starts() -> None:
    event = started_event(4)
    with pytest.raises(Refused) as excinfo:
        submit(player_of(event))
    assert excinfo.value.code == "list_closed"
    assert event.players.filter(deck_list__locked_at__isnull=True).count() == 0


def test_opening_lists_is_logged_and_checked() -> None:
    event = make_event()
    decklists.open_lists(event, organizer(), "all")
    assert event.lists_open == "all"
    with pytest.raises(Refused):
        decklists.open_lists(event, organizer(), "some")


def test_a_diversity_event_judges_the_declared_character() -> None:
    small_catalogue()
    event = make_event(cut="diversity", cut_size=4)
    add_players(event, 1)
    version = submit(player_of(event))
    assert "UFS-L22" in {finding["rule"] for finding in version.verdict["findings"]}


def test_a_list_is_judged_under_the_events_own_version() -> None:
    small_catalogue()
    for number, is_banned in (("1.9", True), ("1.8", False)):
        event = make_event(name=f"By {number}", rules_version=number)
        add_players(event, 1)
        version = submit(player_of(event))
        assert version.rules_version == number
        assert ("UFS-L06" in {f["rule"] for f in version.verdict["findings"]}) is is_banned


def test_starting_twice_locks_lists_once() -> None:
    event = started_event(3)
    lock_times = list(event.players.values_list("deck_list__locked_at", flat=True))
    events.start_event(event, organizer())
    assert list(event.players.values_list("deck_list__locked_at", flat=True)) == lock_times
