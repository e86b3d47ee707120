"""Start, pause, resume and extend a round clock, and call time."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from django.utils import timezone

from decks.shared.refusals import Conflict, Refused
from decks.shared.rows import find_row
from tournament.access.permissions import SYSTEM_ACTOR, Actor
from tournament.clock import selectors
from tournament.clock.build_time import (
    MINUTE,
    BuildTime,
    Timed,
    build_entry,
    find_build_time,
    get_timed_event,
)
from tournament.clock.models import ClockEntry
from tournament.clock.options import MAX_MINUTES, ClockOptions, parse_clock_options
from tournament.engine.clock import ClockAction, ClockPhase, ClockState, draw_hidden_end
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.log.step import Recorder, step

MOST_MINUTES = 60
MAX_DRAW_SEED = 2**62
# Names of the steps of a round clock, and of the same steps of the build time.
BUILD_CODES = {
    "clock_paused": "clock_paused.build",
    "clock_resumed": "clock_resumed.build",
    "time_changed": "time_changed.build",
    "time_changed.less": "time_changed.less_build",
    "time_called": "time_called.build",
}


def start_clock(timed_part: Timed, actor: Actor, *, minutes: int | None = None) -> None:
    """Start the clock.

    A second press changes nothing. Raises Refused for a round that has no clock. `minutes` are those of a
    build time, where they are others than the format's.
    """
    with step(get_timed_event(timed_part), actor) as recorder:
        locked_part = _lock_timed(recorder, timed_part)
        if _get_state(recorder, locked_part).phase != ClockPhase.NOT_STARTED:
            return
        if isinstance(locked_part, BuildTime):
            _start_build_clock(recorder, locked_part, minutes)
            return
        _clear_leftovers(recorder, locked_part)
        entry = recorder.create(_build_start_entry(recorder, locked_part))
        recorder.log(
            "clock_started" if entry.earliest is None else "clock_started.hidden_end",
            round=locked_part,
            minutes=entry.seconds // MINUTE,
            earliest=(entry.earliest or 0) // MINUTE,
            latest=(entry.latest or 0) // MINUTE,
        )


def _start_build_clock(recorder: Recorder, build_time: BuildTime, minutes: int | None) -> None:
    chosen_minutes = build_time.limited.minutes if minutes is None else minutes
    if not 1 <= chosen_minutes <= MAX_MINUTES:
        raise Refused("minutes_wrong", field="minutes", most_minutes=MAX_MINUTES)
    recorder.remove(recorder.event.build_clock.all())
    seconds = chosen_minutes * MINUTE
    recorder.create(build_entry(build_time, ClockAction.START, recorder.now, seconds=seconds))
    recorder.log("clock_started.build", minutes=chosen_minutes)


def _build_start_entry(recorder: Recorder, round_: Round) -> ClockEntry:
    seconds = selectors.get_round_seconds(round_)
    if not seconds:
        raise Refused("round_without_clock")
    entry = ClockEntry(round=round_, act=ClockAction.START, at=recorder.now, seconds=seconds)
    options = selectors.get_clock_options(recorder.event)
    if options.hidden_from is not None and options.hidden_to is not None:
        entry.earliest, entry.latest = options.hidden_from * MINUTE, options.hidden_to * MINUTE
        entry.drawn = draw_hidden_end(secrets.randbelow(MAX_DRAW_SEED), entry.earliest, entry.latest)
    return entry


def _clear_leftovers(recorder: Recorder, round_: Round) -> None:
    """Delete clock entries left from an undone start; table extensions stay."""
    recorder.remove(round_.clock.exclude(act=ClockAction.EXTEND))


def pause_clock(timed_part: Timed, actor: Actor, *, reason: str = "") -> None:
    """Pause the clock; twice changes nothing more. Raises Refused unless it runs."""
    _pause_or_resume(timed_part, actor, ClockAction.PAUSE, reason)


def resume_clock(timed_part: Timed, actor: Actor, *, reason: str = "") -> None:
    """Let the clock go on. Raises Refused unless it was started."""
    _pause_or_resume(timed_part, actor, ClockAction.RESUME, reason)


def _pause_or_resume(timed_part: Timed, actor: Actor, act: ClockAction, reason: str) -> None:
    wanted_phase = {ClockAction.PAUSE: ClockPhase.PAUSED, ClockAction.RESUME: ClockPhase.RUNNING}[act]
    with step(get_timed_event(timed_part), actor) as recorder:
        locked_part = _lock_timed(recorder, timed_part)
        state = _get_state(recorder, locked_part)
        if state.phase == wanted_phase or (state.is_running and wanted_phase == ClockPhase.RUNNING):
            return
        _refuse_unless_started(state.phase)
        recorder.create(build_entry(locked_part, act, recorder.now, reason=reason))
        _log(recorder, locked_part, "clock_paused" if act is ClockAction.PAUSE else "clock_resumed", reason)


def _log(recorder: Recorder, timed_part: Timed, code: str, reason: str, **params: int) -> None:
    """Log a step of a clock; that of the build time has words of its own."""
    if isinstance(timed_part, BuildTime):
        recorder.log(BUILD_CODES[code], reason=reason, **params)
    else:
        recorder.log(code, reason=reason, round=timed_part, **params)


def _refuse_unless_started(phase: ClockPhase) -> None:
    if phase == ClockPhase.NOT_STARTED:
        raise Refused("clock_not_started")
    if phase == ClockPhase.TIME_CALLED:
        raise Refused("time_is_called")


def change_time(
    timed_part: Timed, actor: Actor, *, minutes: int, match: Match | None = None, reason: str = ""
) -> None:
    """Give more time to all (negative: less), or to one table, which needs a reason.

    Raises Refused with every problem: minutes beyond an hour, a table that has finished, no reason.
    """
    with step(get_timed_event(timed_part), actor) as recorder:
        locked_part = _lock_timed(recorder, timed_part)
        current_match = _get_current_match(locked_part, match) if match is not None else None
        _refuse_time(minutes, current_match, reason)
        entries = selectors.get_clock_entries(locked_part)
        if current_match is None and any(entry.act == ClockAction.CALL_TIME for entry in entries):
            raise Refused("time_called_by_hand")
        recorder.create(
            build_entry(
                locked_part,
                ClockAction.EXTEND,
                recorder.now,
                seconds=minutes * MINUTE,
                match=current_match,
                reason=reason,
            )
        )
        _log_change(recorder, locked_part, current_match, minutes, reason)


def _get_current_match(timed_part: Timed, match: Match) -> Match:
    matches = Match.objects.none() if isinstance(timed_part, BuildTime) else timed_part.matches.all()
    current_match = find_row(matches.select_related("p1", "p2").filter(pk=match.pk))
    if current_match is None:
        raise Conflict("match_gone.table")
    return current_match


def _refuse_time(minutes: int, match: Match | None, reason: str) -> None:
    if minutes == 0 or abs(minutes) > MOST_MINUTES:
        raise Refused("minutes_wrong", field="minutes", most_minutes=MOST_MINUTES)
    if match is None:
        return
    if minutes < 0:
        raise Refused("minutes_wrong.negative", field="minutes")
    if match.is_finished:
        raise Refused("table_has_finished", field="table", table=match.table or "–")
    if not reason.strip():
        raise Refused("reason_missing.extension", field="reason")


def _log_change(
    recorder: Recorder, timed_part: Timed, match: Match | None, minutes: int, reason: str
) -> None:
    if match is None or isinstance(timed_part, BuildTime):
        code = "time_changed" if minutes > 0 else "time_changed.less"
        _log(recorder, timed_part, code, reason, minutes=abs(minutes))
        return
    sides = {"table": match.table, "p1": match.p1, "p2": match.p2}
    recorder.log("time_changed.table", reason=reason, round=timed_part, minutes=minutes, **sides)


def call_time(timed_part: Timed, actor: Actor, *, reason: str = "") -> None:
    """Call time now, before the clock does.

    Calling twice calls once. Raises Refused before the start.
    """
    with step(get_timed_event(timed_part), actor) as recorder:
        locked_part = _lock_timed(recorder, timed_part)
        phase = _get_state(recorder, locked_part).phase
        if phase == ClockPhase.TIME_CALLED:
            return
        _refuse_unless_started(phase)
        recorder.create(build_entry(locked_part, ClockAction.CALL_TIME, recorder.now, reason=reason))
        _log(recorder, locked_part, "time_called", reason)


def set_clock_options(event: Event, actor: Actor, values: Mapping[str, object]) -> None:
    """Store how rounds are timed.

    A clock that runs keeps the length it was started with. `values` are those of `ClockOptions`. Raises
    Refused with everything that is wrong.
    """
    options = parse_clock_options(values)
    with step(event, actor) as recorder:
        _refuse_against_rule(recorder.event, options)
        if recorder.update(recorder.event, clock_options=options.as_data()):
            recorder.log("clock_set")


def _refuse_against_rule(event: Event, options: ClockOptions) -> None:
    rule = selectors.get_clock_rules(event)
    if options.is_hidden and rule.warning_minutes_left:
        raise Refused(
            "hidden_end_against_rule",
            field="hidden_from",
            warning_minutes_left=rule.warning_minutes_left,
            clause=rule.clause,
        )


def _lock_timed(recorder: Recorder, timed_part: Timed) -> Timed:
    """Return the round or build time as it is under the lock.

    Raises where its clock is gone.
    """
    if not isinstance(timed_part, BuildTime):
        return _get_locked_round(recorder, timed_part)
    locked_part = find_build_time(recorder.event)
    if locked_part is None:
        raise Conflict("build_time_gone")
    return locked_part


def _get_locked_round(recorder: Recorder, round_: Round) -> Round:
    """Return the round under the lock. Raises when it is gone, a draft, or finished."""
    locked_round = find_row(Round.objects.select_related("stage").filter(pk=round_.pk))
    if locked_round is None:
        raise Conflict("round_gone")
    locked_round.stage.event = recorder.event
    if locked_round.is_draft:
        raise Refused("round_is_draft")
    if locked_round.state == Round.State.FINISHED:
        raise Refused("round_is_finished", round=locked_round.number)
    return locked_round


def _get_state(recorder: Recorder, timed_part: Timed) -> ClockState:
    return selectors.get_clock_state(timed_part, selectors.get_clock_entries(timed_part), recorder.now)


def call_hidden_ends() -> int:
    """Call time in rounds whose hidden end has come.

    Time is called at the moment it was drawn for. Return how many rounds there were. The clock knows it by
    itself; this tells every page that something happened.
    """
    waiting_entries = ClockEntry.objects.filter(drawn__isnull=False, round__state=Round.State.PUBLISHED)
    waiting_entries = waiting_entries.exclude(round__clock__act=ClockAction.CALL_TIME).select_related(
        "round__stage__event"
    )
    return sum(_call_hidden_end(entry.round) for entry in waiting_entries)


def _call_hidden_end(round_: Round) -> bool:
    if (
        selectors.get_clock_state(round_, selectors.get_clock_entries(round_), timezone.now()).phase
        != ClockPhase.TIME_CALLED
    ):
        return False
    with step(round_.stage.event, SYSTEM_ACTOR) as recorder:
        locked_round = _get_locked_round(recorder, round_)
        state = _get_state(recorder, locked_round)
        if (
            state.phase != ClockPhase.TIME_CALLED
            or locked_round.clock.filter(act=ClockAction.CALL_TIME).exists()
        ):
            return False
        recorder.create(build_entry(locked_round, ClockAction.CALL_TIME, state.ends_at))
        recorder.log("time_called.hidden_end", round=locked_round)
    return True
