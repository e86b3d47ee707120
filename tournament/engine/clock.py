"""The round clock, derived from what is stored.

That is starts, pauses, extensions, and time being called. Nothing ticks. Given the facts and an instant, the
state follows; so does the state of any past instant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from hashlib import sha256

from rules.reason import reason
from tournament.engine.problems import EngineProblem, make_error, problem, raise_problems

SECOND = timedelta(seconds=1)

ClockRun = tuple[datetime, datetime]


class ClockAction(StrEnum):
    """Actions of a clock."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    EXTEND = "extend"
    CALL_TIME = "call_time"


class ClockPhase(StrEnum):
    """The display of a clock."""

    NOT_STARTED = "not_started"
    RUNNING = "running"
    WARNING = "warning"
    PAUSED = "paused"
    TIME_CALLED = "time_called"


@dataclass(frozen=True, slots=True)
class ClockFact:
    """One stored fact.

    `seconds` belongs to an extension (negative shortens), `table` limits it to one.
    """

    act: ClockAction
    at: datetime
    seconds: int = 0
    table: int | None = None


@dataclass(frozen=True, slots=True)
class ClockSetting:
    """The length of a round in seconds, and when the warning comes.

    The warning is in seconds left (None: no warning). `hidden_end` is a length drawn in secret: time is
    called after it, and what is left is not shown.
    """

    seconds: int
    warning: int | None = None
    hidden_end: int | None = None

    @property
    def length(self) -> int:
        """Seconds from the start until time is called, without extensions."""
        return self.seconds if self.hidden_end is None else self.hidden_end


@dataclass(frozen=True, slots=True)
class ClockState:
    """A clock at an instant.

    Seconds are whole: what is left is rounded up, what is over is rounded down. `shown_seconds` is what
    anyone may see: None while the end is hidden from the venue. `ends_at` is when time is called if nothing
    happens (None while paused or not started), or when it was.
    """

    phase: ClockPhase
    elapsed_seconds: int
    remaining_seconds: int
    overtime_seconds: int
    ends_at: datetime | None
    shown_seconds: int | None

    @property
    def is_running(self) -> bool:
        """Whether the clock is running down."""
        return self.phase in (ClockPhase.RUNNING, ClockPhase.WARNING)


def clock_state(
    setting: ClockSetting, facts: Iterable[ClockFact], now: datetime, *, table: int | None = None
) -> ClockState:
    """Return the clock at the instant `now`.

    It is the clock of the venue, or of one table with its own extensions. When time is called by hand, a
    table with more time of its own plays that much longer. Facts later than `now` are left aside, so that any
    past instant can be requested. Raises EngineError with every fact that cannot be: a resume without a
    pause, a second start, times with and without a zone.
    """
    known_facts = _in_order(setting, facts, now)
    raise_problems(_misfits(known_facts))
    hall = max(setting.length + _sum_extensions(known_facts, None), 0) * SECOND
    own = _sum_extensions(known_facts, table) - _sum_extensions(known_facts, None)
    called_at = next((fact.at for fact in known_facts if fact.act is ClockAction.CALL_TIME), None)
    is_revealed = setting.hidden_end is None or bool(called_at or _find_end(_runs(known_facts, now), hall))
    if called_at is None:
        runs, length = _runs(known_facts, now), max(hall + own * SECOND, timedelta(0))
    elif own > 0:
        before = _runs(known_facts, called_at)
        runs, length = [*before, (called_at, now)], _ran(before) + own * SECOND
    else:
        return _state(setting, known_facts, now, _runs(known_facts, called_at), hall, called_at, is_revealed)
    return _state(setting, known_facts, now, runs, length, _find_end(runs, length), is_revealed)


def drop_inconsistent_facts(facts: Iterable[ClockFact]) -> list[ClockFact]:
    """Return the facts that follow from those before them, in order of time.

    A step that was undone out of the middle can leave a resume without its pause: it counts for nothing.
    """
    consistent: list[ClockFact] = []
    for fact in sorted(facts, key=lambda one: one.at):
        if not _misfits([*consistent, fact]):
            consistent.append(fact)
    return consistent


def draw_hidden_end(seed: int, earliest: int, latest: int) -> int:
    """Return a length in seconds from `earliest` to `latest`, drawn from a seed.

    The same seed gives the same length on every machine. Raises EngineError when the range is empty or begins
    before 0.
    """
    if not 0 <= earliest <= latest:
        raise make_error("clock-range", earliest=earliest, latest=latest)
    random_number = int.from_bytes(sha256(f"hidden end {seed}".encode()).digest(), "big")
    return earliest + random_number % (latest - earliest + 1)


def _in_order(setting: ClockSetting, facts: Iterable[ClockFact], now: datetime) -> list[ClockFact]:
    known_facts = list(facts)
    if setting.length < 0:
        raise make_error("clock-length", seconds=setting.length)
    zone_states = {fact.at.tzinfo is not None for fact in known_facts} | {now.tzinfo is not None}
    if len(zone_states) > 1:
        raise make_error("clock-zones")
    return sorted((fact for fact in known_facts if fact.at <= now), key=lambda fact: fact.at)


def _misfits(facts: Sequence[ClockFact]) -> list[EngineProblem]:
    """Return facts that do not follow from what came before them."""
    needs = {ClockAction.START: "new", ClockAction.PAUSE: "running", ClockAction.RESUME: "paused"}
    becomes = {
        ClockAction.START: "running",
        ClockAction.PAUSE: "paused",
        ClockAction.RESUME: "running",
        ClockAction.CALL_TIME: "over",
    }
    problems, state = [], "new"
    for fact in facts:
        if needs.get(fact.act, state) != state or (
            fact.act is ClockAction.CALL_TIME and state in ("new", "over")
        ):
            problems.append(
                problem("clock-fact", state=state, act=fact.act.value).at(
                    reason("path", path=fact.at.isoformat())
                )
            )
        else:
            state = becomes.get(fact.act, state)
    return problems


def _runs(facts: Sequence[ClockFact], until: datetime) -> list[ClockRun]:
    """Return the stretches of time in which the clock ran."""
    runs, since = list[ClockRun](), None
    for fact in facts:
        if fact.act in (ClockAction.START, ClockAction.RESUME):
            since = fact.at
        elif fact.act is ClockAction.PAUSE and since is not None:
            runs.append((since, fact.at))
            since = None
    return [*runs, (since, max(since, until))] if since is not None else runs


def _ran(runs: Sequence[ClockRun]) -> timedelta:
    return sum((stop - start for start, stop in runs), timedelta(0))


def _find_end(runs: Sequence[ClockRun], length: timedelta) -> datetime | None:
    """Return when the length had run out; None while it has not."""
    time_left = length
    for start, stop in runs:
        if stop - start >= time_left:
            return start + time_left
        time_left -= stop - start
    return None


def _sum_extensions(facts: Sequence[ClockFact], table: int | None) -> int:
    return sum(
        fact.seconds for fact in facts if fact.act is ClockAction.EXTEND and fact.table in (None, table)
    )


def _state(
    setting: ClockSetting,
    facts: Sequence[ClockFact],
    now: datetime,
    runs: Sequence[ClockRun],
    length: timedelta,
    ended_at: datetime | None,
    is_revealed: bool,
) -> ClockState:
    ran = _ran(runs)
    time_left = timedelta(0) if ended_at else length - ran
    phase = _phase(setting, facts, time_left, ended_at)
    seconds_left = -((-time_left) // SECOND)
    return ClockState(
        phase=phase,
        elapsed_seconds=ran // SECOND,
        remaining_seconds=seconds_left,
        overtime_seconds=(now - ended_at) // SECOND if ended_at else 0,
        ends_at=ended_at or (now + time_left if phase in (ClockPhase.RUNNING, ClockPhase.WARNING) else None),
        shown_seconds=seconds_left if is_revealed else None,
    )


def _phase(
    setting: ClockSetting, facts: Sequence[ClockFact], time_left: timedelta, ended_at: datetime | None
) -> ClockPhase:
    acts = [fact.act for fact in facts if fact.act is not ClockAction.EXTEND]
    if not acts:
        return ClockPhase.NOT_STARTED
    if ended_at:
        return ClockPhase.TIME_CALLED
    if acts[-1] is ClockAction.PAUSE:
        return ClockPhase.PAUSED
    has_warned = (
        setting.hidden_end is None and setting.warning is not None and time_left <= setting.warning * SECOND
    )
    return ClockPhase.WARNING if has_warned else ClockPhase.RUNNING
