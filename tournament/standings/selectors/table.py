"""The standings table as pages show it, and its preview under another system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import or_

from django.db.models import Q
from django.utils.formats import date_format

from decks.shared.refusals import Refused
from decks.shared.wording import format_reason, say_reason
from rules.reason import Reason, reason
from tournament.engine.outlook.projections import Projection
from tournament.engine.standings.systems.system import System
from tournament.events import selectors as events_selectors
from tournament.events.models.event import Event, Stage
from tournament.events.models.round import Match, Round
from tournament.matches import name_match
from tournament.standings.selectors import qualifying
from tournament.standings.selectors.exits import ExitCounts, count_event_exits, load_event_exits
from tournament.standings.selectors.groups import standings_by_group
from tournament.standings.selectors.outlook import outlooks
from tournament.standings.selectors.standings import (
    StandingsLine,
    calculate_standings,
    format_tiebreakers,
    scoring_system_of,
    standings,
)

HIDDEN_KINDS = frozenset(("lot",))

# As many tiebreakers fit beside a name on a page of 720 pixels.
MAX_FITTING_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class TiebreakerColumn:
    """One tiebreaker: its name and its formula.

    It also says whether its figures say something to a reader.
    """

    key: str
    name: Reason
    formula: Reason
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class TiebreakerCell:
    """One value: its column, as it is shown, and exactly."""

    column: TiebreakerColumn
    shown_value: str
    exact: str


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One player's line. `is_in`: whether the player is in the cut; None if unknown."""

    line: StandingsLine
    cells: list[TiebreakerCell]
    is_in: bool | None
    is_last_in: bool
    outlook: Projection | None = None
    departure: str | None = None

    @property
    def is_marked(self) -> bool:
        """Whether the player has a remark about the cut."""
        outlook = self.outlook
        return bool(
            self.departure or self.is_in or (outlook and (outlook.outlook != "can" or outlook.draw_is_safe))
        )

    @property
    def is_clinched(self) -> bool:
        """Whether the player is certain to qualify although results are open."""
        return self._is_certain("in")

    @property
    def is_eliminated(self) -> bool:
        """Whether the player is certain not to qualify although results are open."""
        return self._is_certain("out")

    @property
    def can_draw_in(self) -> bool:
        """Whether a draw in the open round is enough for the cut."""
        return self.outlook is not None and self.outlook.outlook == "can" and bool(self.outlook.draw_is_safe)

    def _is_certain(self, outlook: str) -> bool:
        projection = self.outlook
        return projection is not None and projection.outlook == outlook and projection.method != "final"

    @property
    def record(self) -> str:
        """Wins, losses and, if there are any, draws: 3-1-1."""
        row = self.line.row
        return f"{row.wins}-{row.losses}" + (f"-{row.draws}" if row.draws else "")


@dataclass(frozen=True, slots=True)
class StandingsTablePart:
    """A group by its letters, or all players without any."""

    letters: str
    name: str
    rows: list[StandingsRow]


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """A whole table: its parts and shown columns.

    It also has what each column means, and the system's name and source. `corrections` names what was changed
    since a later round was published: a past table shows current results.
    """

    parts: list[StandingsTablePart]
    columns: list[TiebreakerColumn]
    explained_columns: list[TiebreakerColumn]
    title: Reason
    source: Reason
    is_cut_made: bool
    corrections: list[str]
    exits: ExitCounts | None = None

    @property
    def is_wide(self) -> bool:
        """Whether it may be wider than a page and has to scroll sideways."""
        return len(self.columns) > MAX_FITTING_COLUMNS

    @property
    def rows(self) -> list[StandingsRow]:
        """The rows of all parts."""
        return [row for part in self.parts for row in part.rows]

    @property
    def method(self) -> str:
        """How the outlooks were found: exact, bounds, or empty if there are none."""
        methods = {row.outlook.method for row in self.rows if row.outlook is not None}
        return "" if not methods & {"exact", "bounds"} else "bounds" if "bounds" in methods else "exact"

    @property
    def has_certain_rows(self) -> bool:
        """Whether a player is marked as clinched or eliminated."""
        return any(row.is_clinched or row.is_eliminated for row in self.rows)


def standings_table(event: Event, *, after_round: int | None = None) -> StandingsTable:
    """Return the table after a round, or in its current state.

    Only in its current state does it say who is in the cut.
    """
    system = scoring_system_of(event)
    explained_columns = build_columns(system)
    ranking = explained_columns[1:]
    stage = events_selectors.get_bracket_stage(event) if after_round is None else None
    player_ids_in_cut = _find_players_in_cut(event, stage) if after_round is None else None
    outlook_by_player = outlooks(event) if after_round is None else {}
    exits = load_event_exits(event, after_round=after_round)
    exit_counts = count_event_exits(event, after_round=after_round)
    if stage is None and exit_counts is not None and not exit_counts.is_everyone_out:
        # While players play on, wins decide who qualifies, and the order of the standings does not.
        player_ids_in_cut = None
    return StandingsTable(
        parts=[
            StandingsTablePart(
                part.letters,
                part.name,
                _build_rows(part.lines, ranking, player_ids_in_cut, outlook_by_player, exits),
            )
            for part in standings_by_group(event, after_round=after_round)
        ],
        columns=[column for column in ranking if not column.is_hidden],
        explained_columns=explained_columns,
        title=system.title,
        source=system.source,
        is_cut_made=stage is not None,
        corrections=[] if after_round is None else list_late_corrections(event, after_round),
        exits=exit_counts,
    )


def format_standings_title(event: Event, round_: Round | None) -> str:
    """Return what the venue calls the standings, as `find_standings_title`, in words."""
    return say_reason(find_standings_title(event, round_))


def find_standings_title(event: Event, round_: Round | None) -> Reason:
    """Return the venue's title of the standings before, during or after a round.

    Without a round, it is the title of the current standings. One query for a round that is published.
    """
    if round_ is None:
        return _find_current_title(event)
    if round_.is_draft:
        return reason("standings_title.before", round=round_.number)
    is_open = count_open_tables(round_) > 0
    return reason("standings_title.during" if is_open else "standings_title.after", round=round_.number)


def _find_current_title(event: Event) -> Reason:
    if event.phase == Event.Phase.SWISS:
        return reason("standings_title.now")
    is_played = event.phase in (Event.Phase.CUT, Event.Phase.FINISHED)
    return end_of_rounds_title(event) if is_played else reason("standings_title")


def end_of_rounds_title(event: Event) -> Reason:
    """Return what the venue calls the standings when all rounds are over."""
    if not event.has_table_rounds:
        return reason("standings_title")
    return reason("standings_title.all_rounds", kind=event.rounds_kind)


def count_open_tables(round_: Round) -> int:
    """Return how many tables of a round have no result. One query."""
    return round_.matches.filter(outcome=Match.Outcome.PLAYING).count()


def list_late_corrections(event: Event, after_round: int) -> list[str]:
    """Return results up to a round that were changed after the next was published.

    Makes two queries.
    """
    published_rounds = Round.objects.filter(stage__event=event, published_at__isnull=False)
    rounds = list(
        published_rounds.order_by("stage__position", "number").values_list("pk", "number", "published_at")
    )
    late_filters = [
        Q(round_id=pk, result_at__gt=next_round[2])
        for (pk, number, _), next_round in pairwise(rounds)
        if number <= after_round
    ]
    if not late_filters:
        return []
    matches = Match.objects.filter(reduce(or_, late_filters)).select_related("round", "p1", "p2")
    return [_describe_correction(match, event) for match in matches.order_by("round__number", "table", "pk")]


def _describe_correction(match: Match, event: Event) -> str:
    time = date_format(match.result_at.astimezone(event.zone), "TIME_FORMAT") if match.result_at else ""
    correction = reason(
        "late_correction",
        round=match.round.number,
        match=name_match(match),
        games=match.score,
        time=time,
    )
    return format_reason("reason", correction)


def build_columns(system: System) -> list[TiebreakerColumn]:
    """Return the points and tiebreakers of a system in the order of their priority."""
    kinds = {tiebreaker.key: tiebreaker.kind_name for tiebreaker in system.tiebreakers}
    return [
        TiebreakerColumn(each.key, each.name, each.formula, kinds.get(each.key) in HIDDEN_KINDS)
        for each in system.describe()
    ]


def _find_players_in_cut(event: Event, stage: Stage | None) -> set[int] | None:
    """Return the players who are in the cut or would be in it now.

    Returns None while that cannot be determined.
    """
    if event.cut == Event.Cut.NONE:
        return None
    if stage is None and not Round.objects.filter(stage__event=event, state=Round.State.FINISHED).exists():
        return None
    try:
        data: list[qualifying.CutDecisionData] = (
            stage.selection if stage is not None else qualifying.select_qualifiers(event).as_data()
        )
    except Refused:
        return None
    return {row["player"] for row in data if row["in"]}


def _build_rows(
    lines: tuple[StandingsLine, ...],
    ranking: list[TiebreakerColumn],
    player_ids_in_cut: set[int] | None,
    outlook_by_player: Mapping[int, Projection],
    exits: Mapping[int, str],
) -> list[StandingsRow]:
    last = max(
        (
            index
            for index, line in enumerate(lines)
            if player_ids_in_cut and line.player.pk in player_ids_in_cut
        ),
        default=-1,
    )
    return [
        StandingsRow(
            line=line,
            cells=_build_cells(line, ranking),
            is_in=None if player_ids_in_cut is None else line.player.pk in player_ids_in_cut,
            is_last_in=index == last,
            outlook=None if line.is_dropped else outlook_by_player.get(line.player.pk),
            departure=exits.get(line.player.pk),
        )
        for index, line in enumerate(lines)
    ]


def _build_cells(line: StandingsLine, ranking: list[TiebreakerColumn]) -> list[TiebreakerCell]:
    values = line.row.values
    shown_values = format_tiebreakers(values, line.tiebreakers)
    return [
        TiebreakerCell(column, shown_value, str(exact))
        for column, shown_value, exact in zip(ranking, shown_values, values, strict=True)
        if not column.is_hidden
    ]


PREVIEW_ROWS = 16


@dataclass(frozen=True, slots=True)
class SystemPreviewRow:
    """One player's line under the other system, and their current place."""

    line: StandingsLine
    place_now: int
    cells: list[tuple[TiebreakerColumn, str]]


@dataclass(frozen=True, slots=True)
class SystemPreview:
    """The first rows, the number of players, and how many would change places."""

    columns: list[TiebreakerColumn]
    rows: list[SystemPreviewRow]
    player_count: int
    moved_count: int


def preview_system(event: Event, system: System) -> SystemPreview | None:
    """Return the standings as `system` would have them; None while nothing is played."""
    if not Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT).exists():
        return None
    now = {line.player.pk: line.rank for line in standings(event)}
    lines = calculate_standings(event, system=system)
    ranking = build_columns(system)[1:]
    return SystemPreview(
        columns=[column for column in ranking if not column.is_hidden],
        rows=[_build_preview_row(line, now[line.player.pk], ranking) for line in lines[:PREVIEW_ROWS]],
        player_count=len(lines),
        moved_count=sum(line.rank != now[line.player.pk] for line in lines),
    )


def _build_preview_row(
    line: StandingsLine, place_now: int, ranking: list[TiebreakerColumn]
) -> SystemPreviewRow:
    pairs = zip(ranking, line.cells, strict=True)
    return SystemPreviewRow(
        line, place_now, [(column, cell) for column, cell in pairs if not column.is_hidden]
    )
