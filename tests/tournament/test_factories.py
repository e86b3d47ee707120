"""What the factories write at once is what the services write one by one."""

from __future__ import annotations

from typing import Any

import pytest
from django.forms.models import model_to_dict

from tests.tournament.factories import add_players, cast_member, make_event, organizer
from tournament.models import Event, Player
from tournament.services import registration

pytestmark = pytest.mark.django_db
OF_EACH_ITS_OWN = ("id", "event", "lot", "deck_list", "token")


def facts(player: Player) -> dict[str, Any]:
    """What a player is, without what differs from one event to the next."""
    held = {field.name: getattr(player, field.name) for field in player._meta.concrete_fields}
    return {name: value for name, value in held.items() if name not in (*OF_EACH_ITS_OWN, "registered_at")}


def list_facts(player: Player) -> dict[str, Any]:
    """What his empty list is."""
    return model_to_dict(player.deck_list, exclude=["id", "created_at"])


def test_players_written_at_once_are_those_added_one_by_one() -> None:
    at_once = add_players(make_event(), 3)
    event: Event = make_event(name="Other")
    one_by_one = [registration.add_player(event, organizer(), **cast_member(n)) for n in range(3)]
    assert [facts(player) for player in at_once] == [facts(player) for player in one_by_one]
    lists = [[list_facts(player) for player in made] for made in (at_once, one_by_one)]
    assert lists[0] == lists[1]
    assert len({player.token for player in at_once}) == 3
