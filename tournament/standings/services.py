"""Which system makes an event's standings: a shipped one, or the organizer's own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from decks.shared.refusals import Refused, refuse_all
from tournament.access.actor import Actor
from tournament.engine.problems import EngineError, Problem
from tournament.engine.standings.systems.loading import load_system
from tournament.engine.standings.systems.own import OWN, as_data, own_system
from tournament.engine.standings.systems.system import System
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.log.step import Recorder, step
from tournament.shared.fingerprint import mark_of
from tournament.shared.refusals import Conflict
from tournament.standings.selectors.standings import system_of

TOO_LATE = (Event.Phase.CUT, Event.Phase.FINISHED)


def set_standings_system(
    event: Event,
    actor: Actor,
    name: str,
    own: object = None,
    *,
    reason: str = "",
    seen: str | None = None,
) -> System:
    """Make the standings by a shipped system, or by the data of one's own under the name "own".

    Once a round is published this needs a reason; every standing, those after past rounds included, is then
    reckoned anew by the new system, while pairings stay as they are. Raises Refused with everything that is
    wrong with the data, and once the cut is made or the event is over; Conflict where the system is another
    than the one with the mark `seen`.
    """
    with step(event, actor) as recorder:
        _refuse_unseen(recorder.event, seen)
        if recorder.event.phase in TOO_LATE:
            raise Refused(
                "standings_system_fixed",
                "The system of the standings cannot change once the cut is made or the event is over.",
            )
        system = _system(name, recorder.event.own_system if own is None else own)
        _write(recorder, system, reason.strip())
    return system


def system_mark(event: Event) -> str:
    """What somebody saw who looked at the system of an event; another system has another mark."""
    return mark_of((event.standings_system, event.own_system))


def _refuse_unseen(event: Event, seen: str | None) -> None:
    if seen is not None and seen != system_mark(event):
        title = system_of(event).title
        raise Conflict(
            "system_changed_meanwhile",
            f"Somebody changed how standings are made since you looked; they are made by {title} now.",
            fix="Look at it, and send yours again to have it.",
        )


def _system(name: str, own: object) -> System:
    try:
        return own_system(own) if name == OWN else load_system(name)
    except EngineError as fault:
        refuse_all(refusals(fault.problems))
        raise


def refusals(problems: Iterable[Problem]) -> list[Refused]:
    """What the engine found wrong, as refusals that name the place."""
    return [Refused(p.code.replace("-", "_"), p.sentence, field=p.where or None) for p in problems]


def _write(recorder: Recorder, system: System, reason: str) -> None:
    event = recorder.event
    values: dict[str, Any] = {"standings_system": system.name}
    if system.name == OWN:
        values["own_system"] = as_data(system)
    if all(getattr(event, key) == value for key, value in values.items()):
        return
    played = _published(event)
    if played and not reason:
        raise Refused(
            "reason_missing",
            "Rounds are published already, so players rely on the system that is announced.",
            fix="Say why it changes; the reason stands in the log.",
            field="reason",
        )
    recorder.update(event, **values)
    recorder.say("standings_system_changed", _sentence(recorder.actor, system, played), reason=reason)


def _published(event: Event) -> bool:
    return Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT).exists()


def _sentence(actor: Actor, system: System, played: bool) -> str:
    points, *tiebreakers = system.describe()
    names = ", ".join(line.name for line in tiebreakers) or "no tiebreakers"
    again = " Standings after past rounds are reckoned anew by it." if played else ""
    return f"{actor.label} set the standings to {system.title}: {points.formula}; {names}.{again}"
