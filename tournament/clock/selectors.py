"""Round clocks computed from stored facts and the chosen clock options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime, timedelta
from typing import TypeGuard

from django.utils import timezone
from django.utils.translation import gettext, ngettext

from decks.shared.json_shapes import Published
from decks.shared.refusals import Refused, refuse_all
from rules import timed
from rules.rendering import translate_text
from tournament.clock.models import ClockEntry
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

MINUTE = 60

STAGE_WORDS = {
    Stage.Kind.SWISS: "swiss",
    Stage.Kind.ROBIN: "round_robin",
    Stage.Kind.SINGLE: "single_elimination",
    Stage.Kind.DOUBLE: "double_elimination",
}


@dataclass(frozen=True, slots=True)
class TableExtension(Published):
    """Time given to one table, all of it together, and when that table's time is over (None: not known)."""

    PUBLISHED = ("table", "seconds", "ends_at", "phase")

    match_id: int
    table: int | None
    seconds: int
    reasons: tuple[str, ...]
    ends_at: datetime | None
    phase: ClockPhase

    @property
    def words(self) -> str:
        """The time as the hall says it: 3 minutes."""
        return format_duration(self.seconds)


@dataclass(frozen=True, slots=True)
class RoundClock(Published):
    """The clock of one round at the instant `now`.

    Nothing in it tells a hidden end: `ends_at`, `warning_at` and `remaining` are None until it has come.
    """

    PUBLISHED = {
        "now": "now",
        "phase": "phase",
        "stage": "round.stage.position",
        "round": "round.number",
        "length": "shown_length",
        "started_at": "started_at",
        "ends_at": "ends_at",
        "warning_at": "warning_at",
        "remaining": "remaining",
        "over": "over",
        "is_hidden": "is_hidden",
        "earliest": "earliest",
        "latest": "latest",
        "tables": "extensions",
    }
    round: Round
    now: datetime
    phase: ClockPhase
    length: int
    started_at: datetime | None
    ends_at: datetime | None
    warning_at: datetime | None
    remaining: int | None
    over: int
    warning: int | None
    earliest: int | None
    latest: int | None
    extensions: tuple[TableExtension, ...]

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
        """Between which minutes the end is drawn, in words; empty for an end that is known."""
        if self.earliest is None or self.latest is None:
            return ""
        minutes = {"earliest": self.earliest // MINUTE, "latest": self.latest // MINUTE}
        return gettext("between %(earliest)d and %(latest)d minutes") % minutes

    @property
    def left(self) -> str:
        """Return what is left, as a clock shows it; empty while hidden."""
        return format_clock(self.remaining) if self.remaining is not None else ""

    def of_match(self, match: Match) -> TableExtension | None:
        """The time of its own that a table has, None without."""
        return next((one for one in self.extensions if one.match_id == match.pk), None)


def format_duration(seconds: int) -> str:
    """A length of time in words: 3 minutes, 1 minute 30 seconds."""
    minutes, rest = divmod(abs(seconds), MINUTE)
    minutes_text = ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes}
    seconds_text = ngettext("%(count)d second", "%(count)d seconds", rest) % {"count": rest}
    if minutes and rest:
        return gettext("%(minutes)s %(seconds)s") % {"minutes": minutes_text, "seconds": seconds_text}
    if minutes or rest:
        return minutes_text if minutes else seconds_text
    return gettext("no time")


def format_clock(seconds: int) -> str:
    """Seconds as 49:05, or 1:02:05 from an hour on."""
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
    """A stage as the rules call it."""
    return STAGE_WORDS[Stage.Kind(stage.kind)]


def get_round_seconds(round_: Round) -> int:
    """Return how many seconds a round lasts by the settings; 0 for a round without a clock."""
    event = round_.stage.event
    chosen_minutes = get_clock_options(event).elimination if round_.stage.is_elimination else None
    return (event.round_minutes if chosen_minutes is None else chosen_minutes) * MINUTE


def get_warning_seconds(event: Event) -> int | None:
    """Return how many seconds before the end the warning comes; None for no warning."""
    chosen_minutes = get_clock_options(event).warning
    minutes = get_clock_rules(event).warning_minutes_left if chosen_minutes is None else chosen_minutes
    return minutes * MINUTE if minutes else None


def get_clock_entries(round_: Round) -> list[ClockEntry]:
    """Return what happened to the clock of a round. One query."""
    return list(round_.clock.select_related("match"))


def get_archived_entries(round_: Round, now: datetime | None = None) -> list[ClockEntry]:
    """The same for an archive: a drawn end that has not come is left out of it."""
    entries = get_clock_entries(round_)
    if (
        round_.state == Round.State.PUBLISHED
        and get_clock_state(round_, entries, now or timezone.now()).shown is None
    ):
        for entry in entries:
            entry.drawn = None
    return entries


def to_clock_facts(entries: Iterable[ClockEntry]) -> list[ClockFact]:
    """The facts as the engine reads them; a table is named by its match."""
    return drop_inconsistent_facts(
        ClockFact(ClockAction(e.act), e.at, e.seconds if e.act == ClockAction.EXTEND else 0, e.match_id)
        for e in entries
    )


def to_clock_setting(round_: Round, entries: Iterable[ClockEntry]) -> ClockSetting:
    """The length that was fixed when the round started, or what it would be now. Knows a hidden end."""
    start = next((entry for entry in entries if entry.act == ClockAction.START), None)
    warning = get_warning_seconds(round_.stage.event)
    if start is None:
        return ClockSetting(get_round_seconds(round_), warning)
    return ClockSetting(start.seconds, warning, start.drawn)


def get_clock_state(
    round_: Round, entries: Sequence[ClockEntry], now: datetime, match_id: int | None = None
) -> ClockState:
    """The engine's clock, which knows a hidden end: for services, not for pages."""
    return clock_state(to_clock_setting(round_, entries), to_clock_facts(entries), now, table=match_id)


def get_round_clock(round_: Round, now: datetime | None = None) -> RoundClock | None:
    """The clock of a round; None for a draft, a finished round, or one that has no clock. One query."""
    if round_.state != Round.State.PUBLISHED:
        return None
    entries = get_clock_entries(round_)
    if not get_round_seconds(round_) and not entries:
        return None
    return _build_round_clock(round_, entries, now or timezone.now())


def get_event_clock(event: Event, now: datetime | None = None) -> RoundClock | None:
    """The clock of the round that is being played; None where there is none. Two queries."""
    playing = Round.objects.filter(stage__event=event, state=Round.State.PUBLISHED)
    return get_latest_clock(event, playing.select_related("stage"), now)


def get_latest_clock(event: Event, rounds: Iterable[Round], now: datetime | None = None) -> RoundClock | None:
    """The same among rounds that were read with their stages, in the order they are played. One query."""
    playing = [each for each in rounds if each.state == Round.State.PUBLISHED]
    if not playing:
        return None
    playing[-1].stage.event = event
    return get_round_clock(playing[-1], now)


def _build_round_clock(round_: Round, entries: list[ClockEntry], now: datetime) -> RoundClock:
    state = get_clock_state(round_, entries, now)
    start = next((entry for entry in entries if entry.act == ClockAction.START), None)
    warning = None if start and start.drawn is not None else get_warning_seconds(round_.stage.event)
    known_end = state.ends_at if state.shown is not None else None
    earliest, latest = _get_hidden_range(round_, start)
    return RoundClock(
        round=round_,
        now=now,
        phase=state.phase,
        length=start.seconds if start else get_round_seconds(round_),
        started_at=start.at if start else None,
        ends_at=known_end,
        warning_at=known_end - timedelta(seconds=warning) if known_end and warning else None,
        remaining=state.shown if start or earliest is None else None,
        over=state.over,
        warning=warning if earliest is None else None,
        earliest=earliest,
        latest=latest,
        extensions=tuple(_extensions(round_, entries, now)),
    )


def _get_hidden_range(round_: Round, start: ClockEntry | None) -> tuple[int | None, int | None]:
    if start is not None:
        return start.earliest, start.latest
    options = get_clock_options(round_.stage.event)
    if options.hidden_from is None or options.hidden_to is None:
        return None, None
    return options.hidden_from * MINUTE, options.hidden_to * MINUTE


def _extensions(round_: Round, entries: Sequence[ClockEntry], now: datetime) -> Iterable[TableExtension]:
    matches = {e.match.pk: e.match for e in entries if e.match is not None}
    for match in matches.values():
        state = get_clock_state(round_, entries, now, match.pk)
        match_entries = [e for e in entries if e.match_id == match.pk]
        yield TableExtension(
            match_id=match.pk,
            table=match.table,
            seconds=sum(e.seconds for e in match_entries),
            reasons=tuple(e.reason for e in match_entries if e.reason),
            ends_at=state.ends_at if state.shown is not None else None,
            phase=state.phase,
        )


MAX_MINUTES = 600

CLOCK_FIELD = "clock_options"


@dataclass(frozen=True, slots=True)
class ClockOptions:
    """All in minutes.

    `warning`: so long before the end; None as the game's rule has it, 0 for none. `hidden_from` and
    `hidden_to`: the end is drawn at random between them and stays hidden until it comes; None for an end that
    everybody knows. `elimination`: the length of a match in a bracket; None as in the other rounds, 0 for no
    clock at all.
    """

    warning: int | None = None
    hidden_from: int | None = None
    hidden_to: int | None = None
    elimination: int | None = None

    @property
    def is_hidden(self) -> bool:
        """Whether the end of a round is drawn at random."""
        return self.hidden_from is not None

    def as_data(self) -> dict[str, object]:
        """Return the options as stored; `parse_clock_options` reads them."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def parse_clock_options(data: object) -> ClockOptions:
    """The options in data, absent ones as by default. Raises Refused with every wrong one at once."""
    if not isinstance(data, Mapping):
        raise Refused("clock_unreadable", field=CLOCK_FIELD)
    refuse_all(list(_option_problems(data)))
    return ClockOptions(**{f.name: data[f.name] for f in fields(ClockOptions) if f.name in data})


def _option_problems(data: Mapping[str, object]) -> Iterator[Refused]:
    names = {field.name for field in fields(ClockOptions)}
    for name in sorted(set(map(str, data)) - names):
        yield Refused("clock_option_unknown", name=name[:40], names=tuple(sorted(names)))
    given_names = sorted(names & set(data))
    minutes = {name: value for name in given_names if _is_minutes(value := data[name])}
    wrong_names = [name for name in given_names if name not in minutes]
    for name in wrong_names:
        yield Refused("clock_minutes_wrong", field=name, max_minutes=MAX_MINUTES)
    if not wrong_names:
        yield from _range_problems(minutes.get("hidden_from"), minutes.get("hidden_to"))


def _is_minutes(value: object) -> TypeGuard[int | None]:
    return value is None or (type(value) is int and 0 <= value <= MAX_MINUTES)


def _range_problems(earliest: int | None, latest: int | None) -> Iterator[Refused]:
    if (earliest is None) != (latest is None):
        yield Refused("clock_range_half", field="hidden_to" if latest is None else "hidden_from")
    elif earliest is not None and latest is not None and not 1 <= earliest <= latest:
        yield Refused("clock_range_empty", field="hidden_from", earliest=earliest, latest=latest)
