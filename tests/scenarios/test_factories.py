"""The factories write at once what the services write one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.forms.models import model_to_dict

from tests.scenarios.factories import (
    add_players,
    cast_member,
    make_event,
    open_matches,
    organizer,
    play_round,
    publish_next,
    win,
)
from tests.scenarios.log_words import words_of
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.log.models import LogEntry
from tournament.registration import services as registration
from tournament.setup.services import events

pytestmark = pytest.mark.django_db
SIDES = ("before", "after")
OF_EACH_ITS_OWN = ("id", "event", "lot", "deck_list", "token")


def facts(player: Player) -> dict[str, Any]:
    """Return the values of a player, without those that differ between events."""
    values_by_name = {field.name: getattr(player, field.name) for field in player._meta.concrete_fields}
    return {
        name: value
        for name, value in values_by_name.items()
        if name not in (*OF_EACH_ITS_OWN, "registered_at")
    }


def list_facts(player: Player) -> dict[str, Any]:
    """Return the values of a player's empty list."""
    return model_to_dict(player.deck_list, exclude=["id", "created_at"])


def test_players_written_at_once_are_those_added_one_by_one() -> None:
    at_once = add_players(make_event(), 3)
    event: Event = make_event(name="Other")
    one_by_one = [registration.add_player(event, organizer(), **cast_member(n)) for n in range(3)]
    assert [facts(player) for player in at_once] == [facts(player) for player in one_by_one]
    lists = [[list_facts(player) for player in answer] for answer in (at_once, one_by_one)]
    assert lists[0] == lists[1]
    assert len({player.token for player in at_once}) == 3


def played_by(enter: Callable[[Event], Any], name: str) -> Event:
    """Return an event of one round, played in this way."""
    event = make_event(name=name)
    Event.objects.filter(pk=event.pk).update(seed=1991)
    event.refresh_from_db()
    add_players(event, 7)
    events.start_event(event, organizer())
    enter(event)
    return Event.objects.get(pk=event.pk)


def enter_each(event: Event) -> None:
    for match in open_matches(publish_next(event)):
        win(match, "p2")


def results_of(event: Event) -> list[dict[str, Any]]:
    """Return the rows of each table, without values that differ between events."""
    matches = Match.objects.filter(round__stage__event=event).order_by("table").select_related("p1", "p2")
    # Why two meet refers to players by id.
    ids = ("id", "round", "p1", "p2", "result_at", "why")
    return [{**model_to_dict(match, exclude=ids), "who": f"{match.p1} {match.p2}"} for match in matches]


def log_of(event: Event) -> list[tuple[Any, ...]]:
    """Return what the log says, with numbers of tables and players for ids."""
    own = {("m", match.pk): match.table for match in Match.objects.filter(round__stage__event=event)}
    own |= {("p", player.pk): player.number for player in event.players.all()}

    def change(one: dict[str, Any]) -> Any:
        sides = [
            one.get(side) and {n: v for n, v in one[side].items() if not n.endswith("_at")} for side in SIDES
        ]
        return one["table"], own.get((one["table"][0], one["id"])), sides

    def about(entry: LogEntry) -> list[str]:
        return sorted(f"{word[0]}{own.get((word[0], int(word[1:])), '')}" for word in entry.about.split())

    log_entries = event.log.filter(action__in=("result_entered", "round_finished")).order_by("pk")
    return [
        (entry.actor, entry.user_id, words_of(entry), [change(one) for one in entry.changes], about(entry))
        for entry in log_entries
    ]


def test_results_written_at_once_are_those_entered_one_by_one() -> None:
    at_once = played_by(lambda event: play_round(event, winner="p2"), "First")
    one_by_one = played_by(enter_each, "Second")
    assert results_of(at_once) == results_of(one_by_one)
    assert log_of(at_once) == log_of(one_by_one)
    assert len(log_of(at_once)) == 4
    assert at_once.version == one_by_one.version
