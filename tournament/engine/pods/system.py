"""The scoring system of tables with more than two sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.reason import Reason
from tournament.engine.records import Score
from tournament.engine.standings.systems.loading import parse_system
from tournament.engine.standings.systems.system import System, TiebreakerDescription, describe_values

PLACES_SYSTEM = "places"
TIEBREAKERS = (
    {"kind": "wins", "key": "wins", "label": "win-count"},
    {"kind": "opponents_match_win", "key": "msos", "label": "msos", "per": "round"},
    {"kind": "lot", "key": "lot", "label": "lot"},
)


@dataclass(frozen=True, slots=True)
class PlacesSystem(System):
    """A system by the points for each place, then by tiebreakers.

    The tiebreakers are tables won, the opponents' points per round and the random number.
    """

    place_points: tuple[Score, ...] = ()

    def describe(self) -> tuple[TiebreakerDescription, ...]:
        """Return what the places are worth, and each ranking tiebreaker's formula.

        The tiebreakers are in order.
        """
        points = Reason("points_by_place", {"points": tuple(map(str, self.place_points))})
        return describe_values(points, self.tiebreakers)


def make_places_system(points: Sequence[Score]) -> PlacesSystem:
    """Return the system with these points, best place first."""
    first = points[0] if points else 0
    worth = {"win": str(first), "draw": 0, "loss": 0, "bye": str(first)}
    system = parse_system({"points": worth, "tiebreakers": list(TIEBREAKERS)}, name=PLACES_SYSTEM)
    return PlacesSystem(PLACES_SYSTEM, system.points, system.tiebreakers, place_points=tuple(points))
