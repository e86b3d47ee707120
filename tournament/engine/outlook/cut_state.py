"""Scores, open matches and rounds left before a cut."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

Pair = tuple[int, int]


@dataclass(frozen=True)
class CutState:
    """Everything that a judge of chances needs.

    Rows are those of the cross table, points in its units. `labels` are characters under diversity, and each
    row's own otherwise; `playing_rows` are the rows that can still be in the cut; `open_matches` are the
    matches being played; `unpaired_rounds` counts the rounds after them.
    """

    scores: Sequence[int]
    labels: Sequence[Label]
    playing_rows: frozenset[int]
    open_matches: tuple[Pair, ...]
    unpaired_rounds: int
    size: int
    win: int
    draw: int
    loss: int

    @cached_property
    def opponent(self) -> dict[int, int]:
        """Whom a row is playing now."""
        pairs = [*self.open_matches, *((two, one) for one, two in self.open_matches)]
        return dict(pairs)

    @property
    def results(self) -> tuple[tuple[int, int], ...]:
        """Return what the two sides of a match can take from it."""
        return (self.win, self.loss), (self.draw, self.draw), (self.loss, self.win)

    def rounds_left(self, row: int) -> int:
        """Return how many matches a row still has at most."""
        return self.unpaired_rounds + (row in self.opponent)

    def best(self, row: int) -> int:
        """Return the most that a row can still reach."""
        return self.scores[row] + self.rounds_left(row) * max(self.win, self.draw)

    def other_side(self, own_points: int) -> int:
        """Return what the opponent takes when a row takes this from a match."""
        return next(theirs for mine, theirs in self.results if mine == own_points)


Label = Hashable
