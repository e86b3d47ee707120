"""The clock of a round as it stands at a moment, out of the stored facts; a hidden end stays hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from rules import timed
from tournament.clock.models import ClockEntry
from tournament.clock.options import ClockOptions, read_clock
from tournament.engine.clock import Act, ClockFact, ClockSetting, ClockState, Phase, clock_state, fitting
from tournament.events.models.event import Event, Stage
from tournament.events.models.round import Match, Round

MINUTE = 60
STAGES = {
    Stage.Kind.SWISS: "swiss",
    Stage.Kind.ROBIN: "round_robin",
    Stage.Kind.SINGLE: "single_elimination",
    Stage.Kind.DOUBLE: "double_elimination",
}


@dataclass(frozen=True, slots=True)
class Extension:
    """Time given to one table, all of it together, and when that table's time is over (None: not known)."""

    match_id: int
    table: int | None
    seconds: int
    reasons: tuple[str, ...]
    ends_at: datetime | None
    phase: Phase

    @property
    def words(self) -> str:
        """The time as the hall says it: 3 minutes."""
        return minutes_words(self.seconds)


@dataclass(frozen=True, slots=True)
class RoundClock:
    """The clock of one round at the instant `now`.

    Nothing in it tells a hidden end: `ends_at`, `warning_at` and `remaining` are None until it has come.
    """

    round: Round
    now: datetime
    phase: Phase
    length: int
    started_at: datetime | None
    ends_at: datetime | None
    warning_at: datetime | None
    remaining: int | None
    over: int
    warning: int | None
    earliest: int | None
    latest: int | None
    extensions: tuple[Extension, ...]

    @property
    def is_hidden(self) -> bool:
        """Whether the end is drawn at random and has not come."""
        return self.earliest is not None and self.phase != Phase.TIME_CALLED

    @property
    def is_started(self) -> bool:
        """Whether the round was started."""
        return self.phase != Phase.NOT_STARTED

    @property
    def is_running(self) -> bool:
        """Whether time goes by."""
        return self.phase in (Phase.RUNNING, Phase.WARNING)

    @property
    def is_over(self) -> bool:
        """Whether time is called."""
        return self.phase == Phase.TIME_CALLED

    @property
    def hidden_range(self) -> str:
        """Between which minutes the end is drawn, in words; empty for an end that is known."""
        if self.earliest is None or self.latest is None:
            return ""
        return f"between {self.earliest // MINUTE} and {self.latest // MINUTE} minutes"

    @property
    def left(self) -> str:
        """What is left, as a clock shows it; empty while hidden."""
        return clock_face(self.remaining) if self.remaining is not None else ""

    def of_match(self, match: Match) -> Extension | None:
        """The time of its own that a table has, None without."""
        return next((one for one in self.extensions if one.match_id == match.pk), None)


def minutes_words(seconds: int) -> str:
    """A length of time in words: 3 minutes, 1 minute 30 seconds."""
    minutes, rest = divmod(abs(seconds), MINUTE)
    parts = [(minutes, "minute"), (rest, "second")]
    said = [f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in parts if count]
    return " ".join(said) or "no time"


def clock_face(seconds: int) -> str:
    """Seconds as 49:05, or 1:02:05 from an hour on."""
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def options_of(event: Event) -> ClockOptions:
    """What the organizer chose."""
    return read_clock(event.clock_options)


def rule_of(event: Event) -> timed.ClockRules:
    """What the game's rule says about the clock."""
    return timed.clock(event.game, event.rules_version, event.match_form)


def stage_word(stage: Stage) -> str:
    """A stage as the rules call it."""
    return STAGES[Stage.Kind(stage.kind)]


def length_of(played: Round) -> int:
    """How many seconds a round lasts by the settings; 0 for a round without a clock."""
    event = played.stage.event
    chosen = options_of(event).elimination if played.stage.is_elimination else None
    return (event.round_minutes if chosen is None else chosen) * MINUTE


def is_hidden_in(played: Round) -> bool:
    """Whether the end of a round is drawn at random by the settings."""
    return options_of(played.stage.event).is_hidden and length_of(played) > 0


def warning_of(event: Event) -> int | None:
    """How many seconds before the end the warning comes; None for no warning."""
    chosen = options_of(event).warning
    minutes = rule_of(event).warning_minutes_left if chosen is None else chosen
    return minutes * MINUTE if minutes else None


def entries_of(played: Round) -> list[ClockEntry]:
    """What happened to the clock of a round. One query."""
    return list(played.clock.select_related("match"))


def kept_entries(played: Round, now: datetime | None = None) -> list[ClockEntry]:
    """The same for an archive: a drawn end that has not come is left out of it."""
    entries = entries_of(played)
    if (
        played.state == Round.State.PUBLISHED
        and state_of(played, entries, now or timezone.now()).shown is None
    ):
        for entry in entries:
            entry.drawn = None
    return entries


def facts_of(entries: Iterable[ClockEntry]) -> list[ClockFact]:
    """The facts as the engine reads them; a table is named by its match."""
    return fitting(
        ClockFact(Act(e.act), e.at, e.seconds if e.act == Act.EXTEND else 0, e.match_id) for e in entries
    )


def setting_of(played: Round, entries: Iterable[ClockEntry]) -> ClockSetting:
    """The length that was fixed when the round started, or what it would be now. Knows a hidden end."""
    start = next((entry for entry in entries if entry.act == Act.START), None)
    warning = warning_of(played.stage.event)
    if start is None:
        return ClockSetting(length_of(played), warning)
    return ClockSetting(start.seconds, warning, start.drawn)


def state_of(
    played: Round, entries: Sequence[ClockEntry], now: datetime, match_id: int | None = None
) -> ClockState:
    """The engine's clock, which knows a hidden end: for services, not for pages."""
    return clock_state(setting_of(played, entries), facts_of(entries), now, table=match_id)


def round_clock(played: Round, now: datetime | None = None) -> RoundClock | None:
    """The clock of a round; None for a draft, a finished round, or one that has no clock. One query."""
    if played.state != Round.State.PUBLISHED:
        return None
    entries = entries_of(played)
    if not length_of(played) and not entries:
        return None
    return _read(played, entries, now or timezone.now())


def event_clock(event: Event, now: datetime | None = None) -> RoundClock | None:
    """The clock of the round that is being played; None where there is none. Two queries."""
    playing = Round.objects.filter(stage__event=event, state=Round.State.PUBLISHED)
    return clock_of_latest(event, playing.select_related("stage"), now)


def clock_of_latest(event: Event, rounds: Iterable[Round], now: datetime | None = None) -> RoundClock | None:
    """The same among rounds that were read with their stages, in the order they are played. One query."""
    playing = [each for each in rounds if each.state == Round.State.PUBLISHED]
    if not playing:
        return None
    playing[-1].stage.event = event
    return round_clock(playing[-1], now)


def _read(played: Round, entries: list[ClockEntry], now: datetime) -> RoundClock:
    state = state_of(played, entries, now)
    start = next((entry for entry in entries if entry.act == Act.START), None)
    warning = None if start and start.drawn is not None else warning_of(played.stage.event)
    known_end = state.ends_at if state.shown is not None else None
    earliest, latest = _range(played, start)
    return RoundClock(
        round=played,
        now=now,
        phase=state.phase,
        length=start.seconds if start else length_of(played),
        started_at=start.at if start else None,
        ends_at=known_end,
        warning_at=known_end - timedelta(seconds=warning) if known_end and warning else None,
        remaining=state.shown if start or earliest is None else None,
        over=state.over,
        warning=warning if earliest is None else None,
        earliest=earliest,
        latest=latest,
        extensions=tuple(_extensions(played, entries, now)),
    )


def _range(played: Round, start: ClockEntry | None) -> tuple[int | None, int | None]:
    if start is not None:
        return start.earliest, start.latest
    options = options_of(played.stage.event)
    if options.hidden_from is None or options.hidden_to is None:
        return None, None
    return options.hidden_from * MINUTE, options.hidden_to * MINUTE


def _extensions(played: Round, entries: Sequence[ClockEntry], now: datetime) -> Iterable[Extension]:
    of_tables = [e for e in entries if e.match_id is not None]
    for match in {e.match_id: e.match for e in of_tables}.values():
        state = state_of(played, entries, now, match.pk)
        given = [e for e in of_tables if e.match_id == match.pk]
        yield Extension(
            match_id=match.pk,
            table=match.table,
            seconds=sum(e.seconds for e in given),
            reasons=tuple(e.reason for e in given if e.reason),
            ends_at=state.ends_at if state.shown is not None else None,
            phase=state.phase,
        )


def as_data(clock: RoundClock | None, now: datetime) -> dict[str, Any]:
    """The clock as pages and other programs read it; `phase` is "none" where nothing is timed."""
    if clock is None:
        return {"now": now, "phase": "none", "tables": []}
    return {
        "now": clock.now,
        "phase": clock.phase.value,
        "stage": clock.round.stage.position,
        "round": clock.round.number,
        "length": None if clock.is_hidden else clock.length,
        "started_at": clock.started_at,
        "ends_at": clock.ends_at,
        "warning_at": clock.warning_at,
        "remaining": clock.remaining,
        "over": clock.over,
        "is_hidden": clock.is_hidden,
        "earliest": clock.earliest,
        "latest": clock.latest,
        "tables": [
            {"table": one.table, "seconds": one.seconds, "ends_at": one.ends_at, "phase": one.phase.value}
            for one in clock.extensions
        ],
    }
