"""Round clocks computed from stored facts and the chosen clock options."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from decks.shared.json_shapes import Published
from rules import timed
from rules.rendering import translate_text
from tournament.clock.build_time import MINUTE, BuildTime, Timed, find_build_time
from tournament.clock.models import BuildClockEntry, ClockEntry
from tournament.clock.options import ClockOptions, parse_clock_options
from tournament.engine.clock import (
    ClockAction,
    ClockFact,
    ClockPhase,
    ClockSetting,
    ClockState,
    clock_state,
    drop_inconsistent_facts,
)
from tournament.events.models.event import Event, Stage
from tournament.events.models.round import Match, Round

# A fact about the clock of a round or of the build time.
AnyEntry = ClockEntry | BuildClockEntry

STAGE_WORDS = {
    Stage.Kind.SWISS: "swiss",
    Stage.Kind.ROBIN: "round_robin",
    Stage.Kind.GROUPS: "double_elimination",
    Stage.Kind.SINGLE: "single_elimination",
    Stage.Kind.DOUBLE: "double_elimination",
}


@dataclass(frozen=True, slots=True)
class TableExtension(Published):
    """Time given to one table, all of it together.

    Also holds when that table's time is over (None: not known).
    """

    PUBLISHED = ("table", "seconds", "ends_at", "phase")

    match_id: int
    table: int | None
    seconds: int
    reasons: tuple[str, ...]
    ends_at: datetime | None
    phase: ClockPhase

    @property
    def words(self) -> str:
        """The time as the venue says it: 3 minutes."""
        return format_duration(self.seconds)


@dataclass(frozen=True, slots=True)
class RoundClock(Published):
    """The clock of one round at the instant `now`.

    Without a round, it is that of the build time. Nothing in it tells a hidden end: `ends_at`, `warning_at`
    and `remaining_seconds` are None until it has come.
    """

    PUBLISHED = {
        "now": "now",
        "phase": "phase",
        "is_build": "is_build",
        "stage": "round.stage.position",
        "round": "round.number",
        "length": "shown_length",
        "started_at": "started_at",
        "ends_at": "ends_at",
        "warning_at": "warning_at",
        "remaining": "remaining_seconds",
        "over": "overtime_seconds",
        "is_hidden": "is_hidden",
        "earliest": "earliest",
        "latest": "latest",
        "tables": "extensions",
    }
    round: Round | None
    now: datetime
    phase: ClockPhase
    length: int
    started_at: datetime | None
    ends_at: datetime | None
    warning_at: datetime | None
    remaining_seconds: int | None
    overtime_seconds: int
    warning: int | None
    earliest: int | None
    latest: int | None
    extensions: tuple[TableExtension, ...]

    @property
    def is_build(self) -> bool:
        """Whether it is the clock of the build time before round 1."""
        return self.round is None

    @property
    def is_hidden(self) -> bool:
        """Whether the end is drawn at random and has not come."""
        return self.earliest is not None and self.phase != ClockPhase.TIME_CALLED

    @property
    def shown_length(self) -> int | None:
        """The length of the round; None while the end is hidden."""
        return None if self.is_hidden else self.length

    @property
    def is_started(self) -> bool:
        """Whether the round was started."""
        return self.phase != ClockPhase.NOT_STARTED

    @property
    def is_running(self) -> bool:
        """Whether time goes by."""
        return self.phase in (ClockPhase.RUNNING, ClockPhase.WARNING)

    @property
    def is_over(self) -> bool:
        """Whether time is called."""
        return self.phase == ClockPhase.TIME_CALLED

    @property
    def hidden_range(self) -> str:
        """Return the minutes between which the end is drawn, in words.

        Empty for an end that is known.
        """
        if self.earliest is None or self.latest is None:
            return ""
        minutes = {"earliest": self.earliest // MINUTE, "latest": self.latest // MINUTE}
        return gettext("between %(earliest)d and %(latest)d minutes") % minutes

    @property
    def shown_time(self) -> str:
        """Return what is left, as a clock shows it; empty while hidden."""
        return format_clock(self.remaining_seconds) if self.remaining_seconds is not None else ""

    def of_match(self, match: Match) -> TableExtension | None:
        """Return the time of its own that a table has, None without."""
        return next((one for one in self.extensions if one.match_id == match.pk), None)


def format_duration(seconds: int) -> str:
    """Return a length of time in words: 3 minutes, 1 minute 30 seconds."""
    minutes, rest = divmod(abs(seconds), MINUTE)
    minutes_text = ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    seconds_text = ngettext("%(count)d second", "%(count)d seconds", rest) % {"count": rest}
    if minutes and rest:
        return gettext("%(minutes)s %(seconds)s") % {"minutes": minutes_text, "seconds": seconds_text}
    if minutes or rest:
        return minutes_text if minutes else seconds_text
    return gettext("no time")


def format_clock(seconds: int) -> str:
    """Format seconds as 49:05, or 1:02:05 from an hour on."""
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def get_clock_options(event: Event) -> ClockOptions:
    """Return what the organizer chose."""
    return parse_clock_options(event.clock_options)


def get_clock_rules(event: Event) -> timed.ClockRules:
    """Return what the game's rule says about the clock."""
    rules = timed.clock(event.game, event.rules_version, event.match_form)
    return replace(rules, end_procedure=translate_text(rules.end_procedure))


def list_end_steps(stage: Stage) -> list[timed.EndStep]:
    """Return what happens in a stage when time is called, step by step."""
    event = stage.event
    steps = timed.end_steps(event.game, event.rules_version, get_stage_word(stage))
    return [replace(step, sentence=translate_text(step.sentence)) for step in steps]


def get_stage_word(stage: Stage) -> str:
    """Return a stage as the rules call it."""
    return STAGE_WORDS[Stage.Kind(stage.kind)]


def get_round_seconds(timed_part: Timed) -> int:
    """Return how many seconds a round lasts by the settings.

    0 for a round without a clock.
    """
    if isinstance(timed_part, BuildTime):
        return timed_part.seconds
    event = timed_part.stage.event
    chosen_minutes = get_clock_options(event).elimination if timed_part.stage.is_elimination else None
    return (event.round_minutes if chosen_minutes is None else chosen_minutes) * MINUTE


def get_warning_seconds(timed_part: Timed) -> int | None:
    """Return how many seconds before the end the warning comes; None for no warning."""
    if isinstance(timed_part, BuildTime):
        return None
    event = timed_part.stage.event
    chosen_minutes = get_clock_options(event).warning
    minutes = get_clock_rules(event).warning_minutes_left if chosen_minutes is None else chosen_minutes
    return minutes * MINUTE if minutes else None


def get_clock_entries(timed_part: Timed) -> list[AnyEntry]:
    """Return what happened to a clock. One query."""
    if isinstance(timed_part, BuildTime):
        return list(timed_part.event.build_clock.all())
    return list(timed_part.clock.select_related("match"))


def get_archived_entries(round_: Round, now: datetime | None = None) -> list[ClockEntry]:
    """Return the same for an archive.

    A drawn end that has not come is left out of it.
    """
    entries = list(round_.clock.select_related("match"))
    if (
        round_.state == Round.State.PUBLISHED
        and get_clock_state(round_, entries, now or timezone.now()).shown_seconds is None
    ):
        for entry in entries:
            entry.drawn = None
    return entries


def to_clock_facts(entries: Iterable[AnyEntry]) -> list[ClockFact]:
    """Return the facts as the engine reads them; a table is named by its match."""
    return drop_inconsistent_facts(
        ClockFact(
            ClockAction(e.act),
            e.at,
            e.seconds if e.act == ClockAction.EXTEND else 0,
            e.match_id if isinstance(e, ClockEntry) else None,
        )
        for e in entries
    )


def _find_start(entries: Iterable[AnyEntry]) -> AnyEntry | None:
    return next((entry for entry in entries if entry.act == ClockAction.START), None)


def to_clock_setting(timed_part: Timed, entries: Iterable[AnyEntry]) -> ClockSetting:
    """Return the length fixed when the clock started, or what it would be now.

    The result knows a hidden end.
    """
    start = _find_start(entries)
    warning = get_warning_seconds(timed_part)
    if start is None:
        return ClockSetting(get_round_seconds(timed_part), warning)
    return ClockSetting(start.seconds, warning, start.drawn if isinstance(start, ClockEntry) else None)


def get_clock_state(
    timed_part: Timed, entries: Sequence[AnyEntry], now: datetime, match_id: int | None = None
) -> ClockState:
    """Return the engine's clock, which knows a hidden end.

    It is for services, not for pages.
    """
    return clock_state(to_clock_setting(timed_part, entries), to_clock_facts(entries), now, table=match_id)


def get_round_clock(
    round_: Round, now: datetime | None = None, entries: list[AnyEntry] | None = None
) -> RoundClock | None:
    """Return the clock of a round.

    None for a draft, a finished round, or one that has no clock. One query, where the `entries` were not read
    before.
    """
    if round_.state != Round.State.PUBLISHED:
        return None
    entries = get_clock_entries(round_) if entries is None else entries
    if not get_round_seconds(round_) and not entries:
        return None
    return _build_clock(round_, entries, now or timezone.now())


def get_build_clock(event: Event, now: datetime | None = None) -> RoundClock | None:
    """Return the clock of the build time, which may not have started.

    None if no round 1 waits for decks. No query for formats whose decks are brought along, else two.
    """
    build_time = find_build_time(event)
    if build_time is None:
        return None
    return _build_clock(build_time, get_clock_entries(build_time), now or timezone.now())


def find_timed(event: Event) -> Timed | None:
    """Return what has the clock now.

    It is the round that is played, or before round 1 the build time.
    """
    rounds = Round.objects.select_related("stage__event").filter(stage__event=event)
    round_ = rounds.filter(state=Round.State.PUBLISHED).order_by("-stage__position", "-number").first()
    return round_ or find_build_time(event)


def get_event_clock(event: Event, now: datetime | None = None) -> RoundClock | None:
    """Return the clock of the round in play, or of a build time that has started.

    Two queries or more.
    """
    running_rounds = Round.objects.filter(stage__event=event, state=Round.State.PUBLISHED)
    return get_latest_clock(event, running_rounds.select_related("stage"), now)


def get_latest_clock(
    event: Event,
    rounds: Iterable[Round],
    now: datetime | None = None,
    entries: list[AnyEntry] | None = None,
) -> RoundClock | None:
    """Return the clock that is running among the given rounds.

    The rounds were read with their stages, in the order they are played. `entries` are those of the round
    that is played, where they were read before.
    """
    round_ = find_played_round(rounds)
    if round_ is None:
        clock = get_build_clock(event, now)
        return clock if clock and clock.is_started else None
    round_.stage.event = event
    return get_round_clock(round_, now, entries)


def find_played_round(rounds: Iterable[Round]) -> Round | None:
    """Return the latest of the rounds that is being played."""
    return next((each for each in reversed([*rounds]) if each.state == Round.State.PUBLISHED), None)


def _build_clock(timed_part: Timed, entries: list[AnyEntry], now: datetime) -> RoundClock:
    state = get_clock_state(timed_part, entries, now)
    start = _find_start(entries)
    is_drawn = isinstance(start, ClockEntry) and start.drawn is not None
    warning = None if is_drawn else get_warning_seconds(timed_part)
    known_end = state.ends_at if state.shown_seconds is not None else None
    earliest, latest = _get_hidden_range(timed_part, start)
    return RoundClock(
        round=None if isinstance(timed_part, BuildTime) else timed_part,
        now=now,
        phase=state.phase,
        length=start.seconds if start else get_round_seconds(timed_part),
        started_at=start.at if start else None,
        ends_at=known_end,
        warning_at=known_end - timedelta(seconds=warning) if known_end and warning else None,
        remaining_seconds=state.shown_seconds if start or earliest is None else None,
        overtime_seconds=state.overtime_seconds,
        warning=warning if earliest is None else None,
        earliest=earliest,
        latest=latest,
        extensions=tuple(_extensions(timed_part, entries, now)),
    )


def _get_hidden_range(timed_part: Timed, start: AnyEntry | None) -> tuple[int | None, int | None]:
    if isinstance(timed_part, BuildTime):
        return None, None
    if isinstance(start, ClockEntry):
        return start.earliest, start.latest
    options = get_clock_options(timed_part.stage.event)
    if options.hidden_from is None or options.hidden_to is None:
        return None, None
    return options.hidden_from * MINUTE, options.hidden_to * MINUTE


def _extensions(timed_part: Timed, entries: Sequence[AnyEntry], now: datetime) -> Iterable[TableExtension]:
    of_tables = [e for e in entries if isinstance(e, ClockEntry) and e.match is not None]
    for match in {e.match.pk: e.match for e in of_tables if e.match is not None}.values():
        state = get_clock_state(timed_part, entries, now, match.pk)
        match_entries = [e for e in of_tables if e.match_id == match.pk]
        yield TableExtension(
            match_id=match.pk,
            table=match.table,
            seconds=sum(e.seconds for e in match_entries),
            reasons=tuple(e.reason for e in match_entries if e.reason),
            ends_at=state.ends_at if state.shown_seconds is not None else None,
            phase=state.phase,
        )
