"""Registering costs the same whether ten are registered or thousands."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db.models.signals import post_init

from decks.shared.refusals import Refused
from tests.scenarios.factories import add_players, make_event, organizer
from tournament.events.models.player import Player
from tournament.registration import services as registration

pytestmark = pytest.mark.django_db


@contextmanager
def players_read() -> Iterator[list[str]]:
    """Yield the names of the players that were read meanwhile."""
    names: list[str] = []

    def note(instance: Player, **_: object) -> None:
        names.append(instance.name)

    post_init.connect(note, sender=Player)
    try:
        yield names
    finally:
        post_init.disconnect(note, sender=Player)


def test_player_with_a_unique_name_is_added_without_reading_the_others() -> None:
    event, actor = make_event(), organizer()
    add_players(event, 30, actor)
    with players_read() as names:
        registration.add_player(event, actor, name="Zed")
    assert set(names) == {"Zed"}


def test_of_the_others_only_namesakes_are_read() -> None:
    event, actor = make_event(), organizer()
    first, *_ = add_players(event, 30, actor)
    with players_read() as names, pytest.raises(Refused):
        registration.add_player(event, actor, name=first.name.upper())
    assert names == [first.name]
