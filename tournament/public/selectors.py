"""Public events for the home page, and the milestones of one event."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.selectors import MAX_PAST_EVENTS, get_public_events
from tournament.events.settings import get_plan


@dataclass(frozen=True, slots=True)
class HomeEvents:
    """The events of the first page.

    They are those being played, to come (the next one first) and over (the last one first).
    """

    now: list[Event]
    upcoming_events: list[Event]
    past_events: list[Event]


def list_home_events() -> HomeEvents:
    """Return every public event that is not archived, by what can be done with it.

    Two queries.
    """
    public_events = get_public_events().filter(archived_at=None)
    events = list(public_events.exclude(phase=Event.Phase.FINISHED).order_by("starts_at", "name"))
    return HomeEvents(
        now=[event for event in events if event.phase != Event.Phase.REGISTRATION],
        upcoming_events=[event for event in events if event.phase == Event.Phase.REGISTRATION],
        past_events=list(public_events.filter(phase=Event.Phase.FINISHED)[:MAX_PAST_EVENTS]),
    )


@dataclass(frozen=True, slots=True)
class Milestone:
    """One step of an event's day: `state` is done, now or ahead."""

    label: str
    state: str


def list_milestones(event: Event, latest: Round | None) -> list[Milestone]:
    """List the phases of the event in order, with the one it is in."""
    steps = [
        (Event.Phase.REGISTRATION, gettext("Registration")),
        (Event.Phase.CHECK_IN, gettext("Check-in")),
        (Event.Phase.SWISS, _swiss_words(event, latest)),
    ]
    if not event.has_table_rounds:
        steps.pop()
    if event.has_bracket:
        steps.append((Event.Phase.CUT, event.bracket_word))
    last = gettext("Champion") if event.has_bracket else gettext("Final standings")
    steps.append((Event.Phase.FINISHED, last))
    order = [phase for phase, _ in steps]
    place = order.index(Event.Phase(event.phase)) if event.phase in order else -1
    over = event.phase == Event.Phase.FINISHED
    return [
        Milestone(words, "done" if index < place or over else "now" if index == place else "ahead")
        for index, (_, words) in enumerate(steps)
    ]


def _swiss_words(event: Event, latest: Round | None) -> str:
    if event.phase != Event.Phase.SWISS or latest is None or latest.stage.is_elimination:
        if event.plan:
            return get_plan(event)[0].words
        count = event.swiss_rounds
        if not count:
            return gettext("Swiss rounds")
        return ngettext("%(count)d Swiss round", "%(count)d Swiss rounds", count) % {"count": count}
    values = {"number": latest.number, "count": event.swiss_rounds}
    return gettext("Round %(number)d of %(count)d") % values
