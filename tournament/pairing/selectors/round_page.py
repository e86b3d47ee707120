"""From tournament.selectors.console."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.events.game_terms import game_of, games_to_win
from tournament.events.models.round import Match, ResultReport, Round
from tournament.events.selectors.rounds import is_disputed
from tournament.standings.selectors.points_before import points_before


@dataclass(frozen=True, slots=True)
class TableRow:
    """One match as the round's page shows it."""

    match: Match
    p1_points: int
    p2_points: int
    reports: list[ResultReport]
    is_disputed: bool


def scores(shown: Round) -> list[str]:
    """The results that the buttons offer, from the event's match form; no draws in the cut, nor in a game
    that knows none."""
    needed = games_to_win(shown.stage.event)
    wins = [f"{needed}-{lost}" for lost in range(needed)]
    losses = [f"{lost}-{needed}" for lost in reversed(range(needed))]
    short = ["1-0", "0-1"] if needed > 1 else []
    can_be_drawn = not shown.stage.is_elimination and game_of(shown.stage.event).knows_draws
    drawn = [f"{n}-{n}" for n in reversed(range(needed))] if can_be_drawn else []
    return [*wins, *short[:1], *drawn, *short[1:], *losses]


@dataclass(frozen=True, slots=True)
class RoundView:
    """One round with all its tables."""

    rows: list[TableRow]
    total: int
    finished: int
    scores: list[str]

    @property
    def waiting(self) -> int:
        """Tables without a result."""
        return self.total - self.finished


def round_view(shown: Round, *, only_open: bool = False) -> RoundView:
    """A round's tables with the points each player came with. Four queries."""
    matches = list(
        shown.matches.select_related("p1", "p2").prefetch_related("reports").order_by("table", "pk")
    )
    points = points_before(shown)
    rows = [
        TableRow(
            match=m,
            p1_points=points[m.p1_id],
            p2_points=points[m.p2_id] if m.p2_id else 0,
            reports=list(m.reports.all()),
            is_disputed=is_disputed(m),
        )
        for m in matches
        if not (only_open and m.is_finished)
    ]
    rows.sort(key=lambda row: (row.match.table is None, row.match.table or 0))
    finished = sum(m.is_finished for m in matches)
    return RoundView(rows=rows, total=len(matches), finished=finished, scores=scores(shown))
