"""Start, pause, resume and extend a round clock, and call time."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from decks.shared.refusals import Conflict, Refused
from tournament.access.permissions import SYSTEM_ACTOR, Actor
from tournament.clock import selectors
from tournament.clock.models import ClockEntry
from tournament.clock.selectors import MINUTE, ClockOptions, format_duration, parse_clock_options
from tournament.engine.clock import ClockAction, ClockPhase, draw_hidden_end
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.log.step import Recorder, step

MOST_MINUTES = 60
MAX_DRAW_SEED = 2**62


def start_clock(played: Round, actor: Actor) -> None:
    """Start the clock. A second press changes nothing. Raises Refused for a round that has no clock."""
    with step(played.stage.event, actor) as recorder:
        standing = _get_locked_round(recorder, played)
        if _get_state(recorder, standing).phase != ClockPhase.NOT_STARTED:
            return
        _clear_leftovers(recorder, standing)
        entry = recorder.create(_build_start_entry(recorder, standing))
        words = _length_words(entry)
        recorder.say("clock_started", f"{actor.label} started the clock of round {standing.number}: {words}.")


def _build_start_entry(recorder: Recorder, played: Round) -> ClockEntry:
    seconds = selectors.get_round_seconds(played)
    if not seconds:
        raise Refused(
            "round_without_clock",
            "Matches of the bracket are played without a clock in this event.",
            fix="Give them minutes in the settings of the clock.",
        )
    entry = ClockEntry(round=played, act=ClockAction.START, at=recorder.now, seconds=seconds)
    options = selectors.get_clock_options(recorder.event)
    if options.hidden_from is not None and options.hidden_to is not None:
        entry.earliest, entry.latest = options.hidden_from * MINUTE, options.hidden_to * MINUTE
        entry.drawn = draw_hidden_end(secrets.randbelow(MAX_DRAW_SEED), entry.earliest, entry.latest)
    return entry


def _length_words(entry: ClockEntry) -> str:
    if entry.earliest is None or entry.latest is None:
        return format_duration(entry.seconds)
    return f"the end is drawn between {entry.earliest // MINUTE} and {entry.latest // MINUTE} minutes"


def _clear_leftovers(recorder: Recorder, played: Round) -> None:
    """Facts of a start that was taken back have nothing to follow from; time given to a table stays."""
    recorder.remove(played.clock.exclude(act=ClockAction.EXTEND))


def pause_clock(played: Round, actor: Actor, *, reason: str = "") -> None:
    """Let the clock stand still. Pausing twice pauses once. Raises Refused unless it runs."""
    _pause_or_resume(played, actor, ClockAction.PAUSE, reason)


def resume_clock(played: Round, actor: Actor, *, reason: str = "") -> None:
    """Let the clock go on. Raises Refused unless it was started."""
    _pause_or_resume(played, actor, ClockAction.RESUME, reason)


def _pause_or_resume(played: Round, actor: Actor, act: ClockAction, reason: str) -> None:
    wanted = {ClockAction.PAUSE: ClockPhase.PAUSED, ClockAction.RESUME: ClockPhase.RUNNING}[act]
    did = {ClockAction.PAUSE: "paused", ClockAction.RESUME: "let go on"}[act]
    with step(played.stage.event, actor) as recorder:
        standing = _get_locked_round(recorder, played)
        state = _get_state(recorder, standing)
        if state.phase == wanted or (state.is_running and wanted == ClockPhase.RUNNING):
            return
        _refuse_unless_started(state.phase)
        recorder.create(ClockEntry(round=standing, act=act, at=recorder.now, reason=reason[:200]))
        sentence = f"{actor.label} {did} the clock of round {standing.number}."
        recorder.say("clock_paused" if act is ClockAction.PAUSE else "clock_resumed", sentence, reason=reason)


def _refuse_unless_started(phase: ClockPhase) -> None:
    if phase == ClockPhase.NOT_STARTED:
        raise Refused("clock_not_started", "The clock of this round was not started.", fix="Start it first.")
    if phase == ClockPhase.TIME_CALLED:
        raise Refused(
            "time_is_called", "Time is called in this round.", fix="Give more time if play should go on."
        )


def change_time(
    played: Round, actor: Actor, *, minutes: int, match: Match | None = None, reason: str = ""
) -> None:
    """Give more time to all (negative: less), or to one table, which needs a reason.

    Raises Refused with every problem: minutes beyond an hour, a table that has finished, no reason.
    """
    with step(played.stage.event, actor) as recorder:
        standing = _get_locked_round(recorder, played)
        there = _get_current_match(standing, match) if match is not None else None
        _refuse_time(minutes, there, reason)
        if there is None and standing.clock.filter(act=ClockAction.CALL_TIME).exists():
            raise Refused(
                "time_called_by_hand",
                "Time was called by hand in this round.",
                fix="Take that step back in the log, or give time to single tables.",
            )
        entry = ClockEntry(round=standing, act=ClockAction.EXTEND, at=recorder.now, seconds=minutes * MINUTE)
        entry.match, entry.reason = there, reason[:200]
        recorder.create(entry)
        for player in (there.p1_id, there.p2_id) if there else ():
            recorder.about.add(f"p{player}")
        recorder.say("time_changed", _change_sentence(actor, standing, there, minutes), reason=reason)


def _get_current_match(played: Round, match: Match) -> Match:
    found = played.matches.select_related("p1", "p2").filter(pk=match.pk).first()
    if found is None:
        raise Conflict("match_gone", "This table is not in the round that is played now.")
    return found


def _refuse_time(minutes: int, match: Match | None, reason: str) -> None:
    if minutes == 0 or abs(minutes) > MOST_MINUTES:
        raise Refused("minutes_wrong", f"Give between 1 and {MOST_MINUTES} minutes.", field="minutes")
    if match is None:
        return
    if minutes < 0:
        raise Refused("minutes_wrong", "One table's time cannot be cut short.", field="minutes")
    if match.is_finished:
        raise Refused(
            "table_has_finished", f"Table {match.table or '–'} has a result already.", field="table"
        )
    if not reason.strip():
        raise Refused(
            "reason_missing", "More time for one table needs a reason.", fix="Say why.", field="reason"
        )


def _change_sentence(actor: Actor, played: Round, match: Match | None, minutes: int) -> str:
    said = format_duration(minutes * MINUTE)
    if match is not None:
        return f"{actor.label} gave table {match.table} ({match.p1} – {match.p2}) {said} more."
    more = "more" if minutes > 0 else "less"
    return f"{actor.label} gave round {played.number} {said} {more}."


def call_time(played: Round, actor: Actor, *, reason: str = "") -> None:
    """Call time now, before the clock does. Calling twice calls once. Raises Refused before the start."""
    with step(played.stage.event, actor) as recorder:
        standing = _get_locked_round(recorder, played)
        phase = _get_state(recorder, standing).phase
        if phase == ClockPhase.TIME_CALLED:
            return
        _refuse_unless_started(phase)
        recorder.create(
            ClockEntry(round=standing, act=ClockAction.CALL_TIME, at=recorder.now, reason=reason[:200])
        )
        recorder.say("time_called", f"{actor.label} called time in round {standing.number}.", reason=reason)


def set_clock_options(event: Event, actor: Actor, values: Mapping[str, Any]) -> None:
    """Keep how rounds are timed; a clock that runs keeps the length it was started with.

    `values` are those of `ClockOptions`. Raises Refused with everything that is wrong.
    """
    options = parse_clock_options(values)
    with step(event, actor) as recorder:
        _refuse_against_rule(recorder.event, options)
        if recorder.update(recorder.event, clock_options=options.as_data()):
            recorder.say("clock_set", f"{actor.label} changed how rounds are timed.")


def _refuse_against_rule(event: Event, options: ClockOptions) -> None:
    rule = selectors.get_clock_rules(event)
    if options.is_hidden and rule.warning_minutes_left:
        raise Refused(
            "hidden_end_against_rule",
            f"The rule of this game has a warning {rule.warning_minutes_left} minutes before the end "
            f"({rule.clause}), so the end cannot be hidden.",
            fix="Leave both minutes of the random end empty.",
            field="hidden_from",
        )


def _get_locked_round(recorder: Recorder, played: Round) -> Round:
    """The round under the lock. Raises when it is gone, a draft, or finished."""
    found = Round.objects.select_related("stage").filter(pk=played.pk).first()
    if found is None:
        raise Conflict("round_gone", "This round no longer exists; it was paired again.")
    found.stage.event = recorder.event
    if found.is_draft:
        raise Refused("round_is_draft", "The round is not published yet.", fix="Publish it first.")
    if found.state == Round.State.FINISHED:
        raise Refused("round_is_finished", f"Round {found.number} is finished; its clock has no use.")
    return found


def _get_state(recorder: Recorder, played: Round) -> Any:
    return selectors.get_clock_state(played, selectors.get_clock_entries(played), recorder.now)


def call_hidden_ends() -> int:
    """Call time, at the moment it was drawn for, in rounds whose hidden end has come; how many there were.

    The clock knows it by itself; this tells every page that something happened.
    """
    waiting = ClockEntry.objects.filter(drawn__isnull=False, round__state=Round.State.PUBLISHED)
    waiting = waiting.exclude(round__clock__act=ClockAction.CALL_TIME).select_related("round__stage__event")
    return sum(_call_hidden_end(entry.round) for entry in waiting)


def _call_hidden_end(played: Round) -> bool:
    if (
        selectors.get_clock_state(played, selectors.get_clock_entries(played), timezone.now()).phase
        != ClockPhase.TIME_CALLED
    ):
        return False
    with step(played.stage.event, SYSTEM_ACTOR) as recorder:
        standing = _get_locked_round(recorder, played)
        state = _get_state(recorder, standing)
        if state.phase != ClockPhase.TIME_CALLED or standing.clock.filter(act=ClockAction.CALL_TIME).exists():
            return False
        recorder.create(ClockEntry(round=standing, act=ClockAction.CALL_TIME, at=state.ends_at))
        recorder.say("time_called", f"Time is called in round {standing.number}.")
    return True
