"""Names of what reasons refer to.

There is one query a kind, and what is counted is named by number.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from rules.reason import Reference, reason
from tests.scenarios.factories import built_once, make_event, organizer, play_round
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.names import EventNames
from tournament.registration import services as registration
from tournament.setup.services import events

pytestmark = pytest.mark.django_db


@pytest.fixture
@built_once
def event() -> Any:
    """Four players after a round."""
    event = make_event(swiss_rounds=2)
    for name in ("Ada", "Ben", "Cem", "Dua"):
        registration.add_player(event, organizer(), name=name)
    events.start_event(event, organizer())
    play_round(event)
    event.refresh_from_db()
    return event


def test_collected_players_of_a_page_come_in_one_query(event: Any) -> None:
    players = list(Player.objects.order_by("number"))
    reasons = [reason("each", who=(Reference("player", p.pk),), inner=reason("inner")) for p in players]
    names = EventNames(event).collect(reasons)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        player_names = [names(Reference("player", player.pk)) for player in players]
    assert (player_names, len(queries)) == (["Ada", "Ben", "Cem", "Dua"], 1)


def test_players_whom_the_page_has_loaded_need_no_query(event: Any) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert EventNames(event, players={7: "Ada"})(Reference("player", 7)) == "Ada"
    assert len(queries) == 0


def test_each_kind_has_its_name(event: Any) -> None:
    match, user = Match.objects.select_related("p1", "p2").order_by("pk")[0], organizer().user
    names = EventNames(event)
    assert [
        names(Reference(kind, key))
        for kind, key in (
            ("match", match.pk),
            ("stage", 1),
            ("event", event.pk),
            ("round", (1, 3)),
            ("round", 4),
            ("table", 5),
            ("place", 6),
        )
    ] == [f"{match.p1.name} vs. {match.p2.name}", "Swiss", event.name, "3", "4", "5", "6"]
    assert user
    assert names(Reference("user", user.pk)) == "olga@example.org"


@pytest.mark.both_databases
def test_what_is_gone_is_called_by_kind_and_key(event: Any) -> None:
    names = EventNames(event)
    kinds = ("player", "match", "stage", "event", "user", "card")
    assert [names(Reference(kind, 10**6)) for kind in kinds] == [f"{kind} 1000000" for kind in kinds]
