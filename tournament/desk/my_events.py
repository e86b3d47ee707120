"""The events that a user helps to run.

Each is shown with its format, its state and the next thing to do.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Count, Q, QuerySet

import rules
from rules.rendering import translate_text
from tournament.access.permissions import RIGHTS_BY_ROLE, Right
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.results.next_step import NextStep, find_next_step

_REGISTERED = Q(players__status=Player.Status.REGISTERED)
_STILL_IN = _REGISTERED & Q(players__dropped_after=None)


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event in the list: `step` is the next thing to do."""

    event: Event
    player_count: int
    game: str
    format: str
    step: NextStep
    can_manage: bool


@dataclass(frozen=True, slots=True)
class MyEvents:
    """The events of a person: those in the list, and the archived ones."""

    current_events: list[EventRow]
    archived_events: list[EventRow]


def list_my_events(user: User) -> MyEvents:
    """Return the events a person helps to run, all for a site administrator.

    Four queries, however many events.
    """
    events = list(_events_of(user))
    managed_ids = _managed_ids(user)
    unfinished_ids = [event.pk for event in events if event.is_playing]
    rounds, open_matches_by_event = _rounds_by_event(unfinished_ids), _playing_by_event(unfinished_ids)
    rows = [
        _event_row(
            event,
            rounds[event.pk],
            open_matches_by_event[event.pk],
            user.is_superuser or event.pk in managed_ids,
        )
        for event in events
    ]
    return MyEvents(
        current_events=[row for row in rows if row.event.archived_at is None],
        archived_events=[row for row in rows if row.event.archived_at is not None],
    )


def _events_of(user: User) -> QuerySet[Event]:
    events = Event.objects.annotate(
        registered=Count("players", filter=_REGISTERED, distinct=True),
        active=Count("players", filter=_STILL_IN, distinct=True),
        here=Count("players", filter=_STILL_IN & Q(players__checked_in_at__isnull=False), distinct=True),
    )
    return events if user.is_superuser else events.filter(staff__user=user)


def _managed_ids(user: User) -> set[int]:
    kinds = [kind for kind, rights in RIGHTS_BY_ROLE.items() if Right.MANAGE in rights]
    return set(user.event_roles.filter(kind__in=kinds).values_list("event_id", flat=True))


def _rounds_by_event(events: list[int]) -> defaultdict[int, list[Round]]:
    """Return the rounds of these events, in the order they are played."""
    rounds_by_event: defaultdict[int, list[Round]] = defaultdict(list)
    for each in Round.objects.filter(stage__event__in=events).defer("pairing").select_related("stage"):
        rounds_by_event[each.stage.event_id].append(each)
    return rounds_by_event


def _playing_by_event(events: list[int]) -> defaultdict[int, list[Match]]:
    """Return the published tables of these events without a result."""
    matches_by_event: defaultdict[int, list[Match]] = defaultdict(list)
    matches = Match.objects.filter(round__stage__event__in=events, outcome="").order_by("table")
    matches = matches.exclude(round__state=Round.State.DRAFT).only("round", "table")
    for match in matches.select_related("round__stage"):
        matches_by_event[match.round.stage.event_id].append(match)
    return matches_by_event


def _event_row(event: Event, rounds: list[Round], open_matches: list[Match], can_manage: bool) -> EventRow:
    counts = vars(event)
    event_format = rules.load_format(event.game, event.format, rules=event.rules_version)
    return EventRow(
        event=event,
        player_count=counts["registered"],
        game=translate_text(event_format.game.name),
        format=translate_text(event_format.name),
        step=find_next_step(event, rounds, open_matches, players=counts["active"], checked_in=counts["here"]),
        can_manage=can_manage,
    )
