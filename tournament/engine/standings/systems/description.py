"""Describe a scoring system: what a match is worth, and how each tiebreaker is made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from rules.reason import Reason
from tournament.engine.standings.scoring import Points
from tournament.engine.standings.systems.labels import name_label


@dataclass(frozen=True, slots=True)
class TiebreakerDescription:
    """One line of what is printed under a standing."""

    key: str
    name: Reason
    formula: Reason


def describe_points(points: Points) -> Reason:
    """Return what the results of a match are worth."""
    code = "points_worth.games" if points.game_win or points.game_draw else "points_worth"
    return Reason(code, points._asdict())


class Described(Protocol):
    """A tiebreaker that names itself and its formula."""

    @property
    def key(self) -> str: ...
    @property
    def name(self) -> Reason: ...
    @property
    def formula(self) -> Reason: ...


def describe_values(points: Reason, tiebreakers: Iterable[Described]) -> tuple[TiebreakerDescription, ...]:
    """Return what the points are, and the formula of each tiebreaker, in order."""
    lines = (TiebreakerDescription(each.key, each.name, each.formula) for each in tiebreakers)
    return (TiebreakerDescription("points", name_label("pts"), points), *lines)
