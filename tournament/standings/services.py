"""Change the scoring system of an event."""

from __future__ import annotations

from collections.abc import Iterable

from decks.shared.fingerprints import make_fingerprint
from decks.shared.refusals import Conflict, Refused, refuse_all
from decks.shared.wording import say_reason
from tournament.access.permissions import Actor
from tournament.engine.problems import EngineError, EngineProblem
from tournament.engine.standings.systems.custom import OWN_SYSTEM_KEY, own_system, system_to_data
from tournament.engine.standings.systems.loading import load_system
from tournament.engine.standings.systems.system import System
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.events.settings import get_sides
from tournament.log.step import Recorder, step
from tournament.standings.selectors.standings import scoring_system_of

FIXED_PHASES = (Event.Phase.CUT, Event.Phase.FINISHED)


def set_standings_system(
    event: Event,
    actor: Actor,
    name: str,
    own: object = None,
    *,
    reason: str = "",
    seen_mark: str | None = None,
) -> System:
    """Set a shipped standings system, or one's own data under the name "own".

    Once per round is published this needs a reason; every standing, those after past rounds included, is then
    recalculated by the new system, while pairings stay as they are. Raises Refused with everything that is
    wrong with the data, and once the cut is made or the event is over; Conflict where the system is another
    than the one with the mark `seen_mark`.
    """
    with step(event, actor) as recorder:
        _refuse_changed_system(recorder.event, seen_mark)
        if not get_sides(recorder.event).is_duel:
            raise Refused("places_have_points")
        if recorder.event.phase in FIXED_PHASES:
            raise Refused("standings_system_fixed")
        system = _parse_system(name, recorder.event.own_system if own is None else own)
        _save_system(recorder, system, reason.strip())
    return system


def fingerprint_system(event: Event) -> str:
    """Return the mark of an event's standings system as a reader saw it.

    Another system has another mark.
    """
    return make_fingerprint((event.standings_system, event.own_system))


def _refuse_changed_system(event: Event, seen_mark: str | None) -> None:
    if seen_mark is not None and seen_mark != fingerprint_system(event):
        title = say_reason(scoring_system_of(event).title)
        raise Conflict("system_changed_meanwhile", title=title)


def _parse_system(name: str, own: object) -> System:
    try:
        return own_system(own) if name == OWN_SYSTEM_KEY else load_system(name)
    except EngineError as fault:
        refuse_all(to_refusals(fault.problems))
        raise


def to_refusals(problems: Iterable[EngineProblem]) -> list[Refused]:
    """Return what the engine found wrong, as refusals that name the place."""
    return [
        Refused.of(
            each.reason,
            field=each.place or None,
            section="problem",
            code=each.code.replace("-", "_"),
            where=each.where,
        )
        for each in problems
    ]


def _save_system(recorder: Recorder, system: System, reason: str) -> None:
    event = recorder.event
    if event.standings_system == system.name and scoring_system_of(event) == system:
        return
    has_rounds = _has_published_rounds(event)
    if has_rounds and not reason:
        raise Refused("reason_missing.standings_system", field="reason")
    own = system_to_data(system) if system.name == OWN_SYSTEM_KEY else event.own_system
    recorder.update(event, standings_system=system.name, own_system=own)
    points, *tiebreakers = system.describe()
    recorder.log(
        "standings_system_changed",
        reason=reason,
        system=system.title,
        points=points.formula,
        tiebreakers=tuple(line.name for line in tiebreakers) or None,
        past_rounds=has_rounds,
    )


def _has_published_rounds(event: Event) -> bool:
    return Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT).exists()
