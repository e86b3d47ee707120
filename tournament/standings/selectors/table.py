"""The standings as a table of columns that explain themselves, with who would be in the cut."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import or_

from django.db.models import Q

from decks.shared.refusals import Refused
from tournament.engine.outlook.projections import Projection
from tournament.engine.standings.systems.system import System
from tournament.events.models.event import Event, Stage
from tournament.events.models.round import Match, Round
from tournament.events.selectors import stages as cut
from tournament.standings.selectors import qualifying
from tournament.standings.selectors.groups import standings_in_parts
from tournament.standings.selectors.outlook import outlooks
from tournament.standings.selectors.standings import Line, system_of

HIDDEN_KINDS = frozenset(("lot",))
# As many tiebreakers fit beside a name on a page of 720 pixels.
FITTING_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class Column:
    """One tiebreaker: its name, how it is made, and whether its figures say something to a reader."""

    key: str
    name: str
    formula: str
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """One value: its column, as it is shown, and exactly."""

    column: Column
    shown: str
    exact: str


@dataclass(frozen=True, slots=True)
class StandingsRow:
    """One player's line. `is_in` says whether he is in the cut, None where that is not asked."""

    line: Line
    cells: list[Cell]
    is_in: bool | None
    is_last_in: bool
    outlook: Projection | None = None

    @property
    def is_marked(self) -> bool:
        """Whether anything is to be said of him and the cut."""
        told = self.outlook
        return bool(self.is_in or (told and (told.outlook != "can" or told.draw_is_safe)))

    @property
    def record(self) -> str:
        """Wins, losses and, where there are any, draws: 3–1–1."""
        row = self.line.row
        return f"{row.wins}–{row.losses}" + (f"–{row.draws}" if row.draws else "")


@dataclass(frozen=True, slots=True)
class TablePart:
    """A group by its letters, or all players without any."""

    letters: str
    name: str
    rows: list[StandingsRow]


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """A whole table: its parts, shown columns, what each column means, the system's name and source.

    `corrected` names what was changed since a later round was published: a past table shows what stands now.
    """

    parts: list[TablePart]
    columns: list[Column]
    explained: list[Column]
    title: str
    source: str
    is_cut_made: bool
    corrected: list[str]

    @property
    def is_wide(self) -> bool:
        """Whether it may be wider than a page, and has to be moved sideways."""
        return len(self.columns) > FITTING_COLUMNS

    @property
    def rows(self) -> list[StandingsRow]:
        """The rows of all parts."""
        return [row for part in self.parts for row in part.rows]

    @property
    def method(self) -> str:
        """How the outlooks were found: exact, bounds, or empty where there are none."""
        methods = {row.outlook.method for row in self.rows if row.outlook is not None}
        return "" if not methods & {"exact", "bounds"} else "bounds" if "bounds" in methods else "exact"


def standings_table(event: Event, *, after_round: int | None = None) -> StandingsTable:
    """The table after a round, or as it stands now; only then it says who is in the cut."""
    system = system_of(event)
    explained = columns_of(system)
    ranking = explained[1:]
    stage = cut.stage_of(event) if after_round is None else None
    inside = _inside(event, stage) if after_round is None else None
    known = outlooks(event) if after_round is None else {}
    return StandingsTable(
        parts=[
            TablePart(part.letters, part.name, _rows(part.lines, ranking, inside, known))
            for part in standings_in_parts(event, after_round=after_round)
        ],
        columns=[column for column in ranking if not column.is_hidden],
        explained=explained,
        title=system.title,
        source=system.source,
        is_cut_made=stage is not None,
        corrected=[] if after_round is None else corrected(event, after_round),
    )


def standings_words(event: Event, shown: Round | None) -> str:
    """What the hall calls the standings: before, during or after a round; without one, as they are.

    One query for a round that is published.
    """
    if shown is None:
        return _present_words(event)
    if shown.is_draft:
        return f"Standings before round {shown.number}"
    return f"Standings {'during' if open_in(shown) else 'after'} round {shown.number}"


def _present_words(event: Event) -> str:
    if event.phase == Event.Phase.SWISS:
        return "Standings now"
    is_played = event.phase in (Event.Phase.CUT, Event.Phase.FINISHED)
    return f"Standings after the {event.rounds_word}" if is_played and event.has_table_rounds else "Standings"


def open_in(shown: Round) -> int:
    """How many tables of a round have no result. One query."""
    return shown.matches.filter(outcome=Match.Outcome.PLAYING).count()


def corrected(event: Event, after_round: int) -> list[str]:
    """Results up to a round that were changed when the next round was out already. Two queries."""
    published = Round.objects.filter(stage__event=event, published_at__isnull=False)
    rounds = list(published.order_by("stage__position", "number").values_list("pk", "number", "published_at"))
    late = [
        Q(round_id=pk, result_at__gt=following[2])
        for (pk, number, _), following in pairwise(rounds)
        if number <= after_round
    ]
    if not late:
        return []
    found = Match.objects.filter(reduce(or_, late)).select_related("round", "p1", "p2")
    return [_correction(match, event) for match in found.order_by("round__number", "table", "pk")]


def _correction(match: Match, event: Event) -> str:
    against = f" against {match.p2}" if match.p2 else ""
    at = f"{match.result_at.astimezone(event.zone):%H:%M}" if match.result_at else ""
    return f"Round {match.round.number}: {match.p1}{against}, {match.score} since {at}."


def columns_of(system: System) -> list[Column]:
    """What a system's points and tiebreakers are, in the order in which they count."""
    kinds = {tiebreaker.key: tiebreaker.kind_name for tiebreaker in system.tiebreakers}
    return [
        Column(each.key, each.name, each.formula, kinds.get(each.key) in HIDDEN_KINDS)
        for each in system.describe()
    ]


def _inside(event: Event, stage: Stage | None) -> set[int] | None:
    """The players in the cut, or who would be in it now; None while that cannot be said."""
    if event.cut == Event.Cut.NONE:
        return None
    if stage is None and not Round.objects.filter(stage__event=event, state=Round.State.FINISHED).exists():
        return None
    try:
        data = stage.selection if stage is not None else qualifying.select(event).as_data()
    except Refused:
        return None
    return {row["player"] for row in data if row["in"]}


def _rows(
    lines: tuple[Line, ...],
    ranking: list[Column],
    inside: set[int] | None,
    known: Mapping[int, Projection],
) -> list[StandingsRow]:
    last = max((index for index, line in enumerate(lines) if inside and line.player.pk in inside), default=-1)
    return [
        StandingsRow(
            line=line,
            cells=_cells(line, ranking),
            is_in=None if inside is None else line.player.pk in inside,
            is_last_in=index == last,
            outlook=None if line.is_dropped else known.get(line.player.pk),
        )
        for index, line in enumerate(lines)
    ]


def _cells(line: Line, ranking: list[Column]) -> list[Cell]:
    values = zip(ranking, line.cells, line.row.values, strict=True)
    return [Cell(column, shown, str(exact)) for column, shown, exact in values if not column.is_hidden]
