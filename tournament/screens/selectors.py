"""Content of the venue screen: complete views in turn.

The page itself scrolls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from decks.shared.wording import say_reason
from rules.reason import reason
from tournament.booster_drafts.selectors import SeatView, get_draft_pods, list_pods, sort_seats
from tournament.brackets.selectors.bracket import champion_of_stage
from tournament.brackets.selectors.picture import BracketPart, group_for_screens, load_bracket_view
from tournament.clock.selectors import RoundClock, get_build_clock, get_round_clock
from tournament.events import selectors
from tournament.events.models.event import Event
from tournament.events.models.round import Match, Round
from tournament.events.selectors import get_bracket_stage
from tournament.pairing.selectors import pairings
from tournament.screens.models import EmbeddingSite
from tournament.screens.pictures import LinkPicture
from tournament.shared.text import format_moment
from tournament.standings.selectors.exits import ExitCounts, count_event_exits
from tournament.standings.selectors.table import StandingsTable, standings_table

VIEW_LABELS = {
    "pairings": gettext_lazy("Pairings by name"),
    "tables": gettext_lazy("Pairings by table"),
    "standings": gettext_lazy("Standings"),
    "clock": gettext_lazy("Clock"),
    "pods": gettext_lazy("Draft pods"),
    "bracket": gettext_lazy("Bracket"),
}


STAFF_CHOICE = "hall"


# So many matches above one another can be read from the last row of the venue. So much of a bracket can be
# read from ten metres.
MAX_ROWS, MAX_COLUMNS = 4, 4


@dataclass(frozen=True, slots=True)
class Screen:
    """Everything the screen shows, in the order of its views.

    A view without anything is None or empty.
    """

    heading: str
    views: list[str]
    round: Round | None
    total: int | None
    clock: RoundClock | None
    finished_tables: int
    tables: list[pairings.PairingRow]
    earlier_open_tables: int
    seatings: list[pairings.PlayerPairing]
    standings: StandingsTable | None
    bracket: list[list[BracketPart]]
    champion: Any
    seats: list[SeatView] = field(default_factory=list)
    exits: ExitCounts | None = None

    @property
    def open_tables(self) -> int:
        """Tables without a result; in a bracket also those of earlier rounds."""
        return len(self.tables) - self.finished_tables + self.earlier_open_tables

    @property
    def is_between(self) -> bool:
        """Whether the next round comes soon."""
        is_played = self.round is not None and not self.open_tables
        has_more = self.round is not None and (self.total or 0) > self.round.number
        return is_played and has_more and not (self.exits and self.exits.is_everyone_out)

    @property
    def next_number(self) -> int:
        """The number of the round that comes next."""
        return self.round.number + 1 if self.round else 1


def known_views(requested_names: Iterable[str]) -> list[str]:
    """Return those of the names that are views, each once, in the order requested."""
    return list(dict.fromkeys(view for view in requested_names if view in VIEW_LABELS))


def build_screen(event: Event, requested_names: Iterable[str]) -> Screen:
    """Return the screen with the requested views.

    Without any, it has the views that fit the moment.
    """
    rounds = selectors.get_published_rounds(event)
    latest = rounds[-1] if rounds else None
    if latest is not None:
        latest.stage.event = event
    views = known_views(requested_names) or _default_views(event, latest)
    if event.phase == Event.Phase.FINISHED:
        views = _views_after_end(event, views)
    tables = pairings.list_pairings(latest) if latest else []
    shows_standings = "standings" in views and selectors.exclude_bracket_rounds(rounds)
    stage = get_bracket_stage(event) if "bracket" in views and event.has_bracket else None
    total = _planned_rounds(event, latest)
    return Screen(
        heading=_format_heading(event, latest, total),
        views=views,
        round=latest,
        total=total,
        clock=get_round_clock(latest) if latest else _find_started_clock(event),
        seats=sort_seats(event, list_pods(event)) if "pods" in views else [],
        finished_tables=sum(not table.is_open for table in tables),
        tables=tables,
        earlier_open_tables=_count_earlier_open_tables(latest) if latest else 0,
        seatings=pairings.list_by_player(event, tables) if "pairings" in views else [],
        standings=standings_table(event) if shows_standings else None,
        bracket=group_for_screens(load_bracket_view(stage), MAX_ROWS, MAX_COLUMNS) if stage else [],
        champion=champion_of_stage(stage) if stage else None,
        exits=None if total is None else count_event_exits(event),
    )


def _count_earlier_open_tables(latest: Round) -> int:
    """Count open tables of earlier rounds.

    A bracket pairs a match as soon as both players are known.
    """
    if not latest.stage.is_elimination:
        return 0
    earlier = Match.objects.filter(round__stage=latest.stage, round__number__lt=latest.number, outcome="")
    return earlier.filter(p2__isnull=False).exclude(round__state=Round.State.DRAFT).count()


def _format_heading(event: Event, latest: Round | None, total: int | None) -> str:
    """Return the heading above everything.

    It names the round, or says that there is none yet or none any more.
    """
    if event.phase == Event.Phase.FINISHED:
        return gettext("The event is over")
    if latest is None:
        return gettext("Welcome")
    if not latest.stage.is_elimination:
        return say_reason(reason("screen_heading", round=latest.number, total=total or 0))
    has_cut = "no" if event.cut == Event.Cut.NONE else "yes"
    return say_reason(reason("screen_heading.bracket", round=latest.number, is_cut=has_cut))


def _find_started_clock(event: Event) -> RoundClock | None:
    """Return the clock of the build time, once it runs."""
    clock = get_build_clock(event)
    return clock if clock and clock.is_started else None


def _default_views(event: Event, latest: Round | None) -> list[str]:
    """Return the views that fit the moment.

    While a round is played, they show where to sit. Between rounds, they show its state.
    """
    if latest is None:
        has_pods = get_draft_pods(event) is not None and event.pod_seats.exists()
        return ["pods", "clock"] if has_pods else ["clock"]
    if latest.stage.is_elimination:
        return ["bracket", "clock"]
    if latest.state == Round.State.FINISHED:
        return ["standings"]
    return ["pairings", "clock"]


def _views_after_end(event: Event, views: list[str]) -> list[str]:
    """Return the views after the end, when no one looks for a seat.

    They show the winners, or without winners the state.
    """
    lasting = [view for view in views if view in ("standings", "bracket")]
    return lasting or (["bracket"] if event.has_bracket else ["standings"])


def _planned_rounds(event: Event, latest: Round | None) -> int | None:
    if latest is None or latest.stage.is_elimination:
        return None
    planned_round_count: int | None = latest.stage.planned_rounds
    return event.swiss_rounds or planned_round_count


EMBED_VIEWS = ("pairings", "tables", "standings", "bracket")


def get_embedding_origins(slug: str) -> list[str]:
    """Return the sites that may embed the pages of an event that the public sees.

    Two queries.
    """
    public_event = selectors.get_public_version(slug)
    if public_event is None:
        return []
    return list(EmbeddingSite.objects.filter(event=public_event[0]).values_list("origin", flat=True))


STREAM_PARTS = ("round", "clock", "table", "score", "standings")


@dataclass(frozen=True, slots=True)
class Stream:
    """The overlay of a stream; `table` is the one that is shown."""

    screen: Screen
    parts: list[str]
    table: pairings.PairingRow | None
    rows: int

    @property
    def players(self) -> tuple[pairings.PairedPlayer, ...]:
        """The players of the table, however many sides it has."""
        if self.table is None:
            return ()
        return self.table.sides or tuple(filter(None, (self.table.red, self.table.blue)))


def known_parts(requested_names: Iterable[str]) -> list[str]:
    """Return the names that are parts of a stream.

    Each comes once, in the order requested.
    """
    return list(dict.fromkeys(part for part in requested_names if part in STREAM_PARTS))


def build_stream(event: Event, parts: list[str], table: int | None, rows: int) -> Stream:
    """Return the parts of a stream.

    Without a table's number, the first table that still plays is used.
    """
    needed_views = ["standings"] if "standings" in parts else ["tables"]
    screen = build_screen(event, needed_views)
    return Stream(screen, parts, _choose_table(screen.tables, table), rows)


def _choose_table(tables: list[pairings.PairingRow], number: int | None) -> pairings.PairingRow | None:
    if number is not None:
        return next((table for table in tables if table.number == number), None)
    paired_tables = [table for table in tables if table.blue is not None]
    open_tables = (table for table in paired_tables if table.is_open)
    return next(open_tables, paired_tables[0] if paired_tables else None)


LEADERS_IN_PICTURE = 3


def build_link_picture(event: Event) -> LinkPicture:
    """Return what the picture of a link says of an event at this moment."""
    screen = build_screen(event, ["standings", "bracket"])
    state, lines = screen.heading, _leader_lines(screen.standings)
    if screen.champion:
        state = gettext("Champion: %(player)s") % {"player": screen.champion.name}
    elif screen.round is None:
        state = str(event.get_phase_display())
    return LinkPicture(
        title=event.name,
        place=" · ".join(filter(None, (format_moment(event.starts_local, "date"), event.place))),
        state=state,
        lines=lines,
    )


def _leader_lines(table: StandingsTable | None) -> tuple[str, ...]:
    rows = table.rows[:LEADERS_IN_PICTURE] if table else []
    return tuple(f"{row.line.rank}. {row.line.player.name}" for row in rows)
