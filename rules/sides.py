"""The number of sides of a match in a format, and the ending of the match.

The file of the format describes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LAST_STANDING, BY_PLACES = "last_standing", "places"
ENDS = (LAST_STANDING, BY_PLACES)

FEWEST_SIDES, MOST_SIDES = 2, 12
DUEL_POINTS = (3,)


@dataclass(frozen=True, slots=True)
class Sides:
    """The sides of a match: at least, at most, and as many as are usual at a table.

    `ends` says what a result is: "last_standing" names one winner, "places" orders all sides. `points` are
    what the places are worth where the organizer says nothing, best first; further places are worth nothing.
    """

    least: int = 2
    most: int = 2
    usual: int = 2
    ends: str = BY_PLACES
    points: tuple[int, ...] = DUEL_POINTS
    clause: str = ""

    @property
    def is_duel(self) -> bool:
        """Whether two meet, as in most modes."""
        return self.most == FEWEST_SIDES


DUEL = Sides()


def parse_sides(table: object) -> Sides:
    """Return the sides in a format's file; two where it says nothing."""
    if not isinstance(table, Mapping):
        return DUEL
    least = table.get("least", FEWEST_SIDES)
    return Sides(
        least,
        table.get("most", least),
        table.get("usual", least),
        table.get("ends", BY_PLACES),
        tuple(table.get("points", DUEL_POINTS)),
        str(table.get("clause", "")),
    )


def is_possible(sides: Sides) -> bool:
    """Return whether the numbers of a format's file make sense together."""
    numbers = [FEWEST_SIDES, sides.least, sides.usual, sides.most, MOST_SIDES]
    points = list(sides.points)
    falls = points == sorted(points, reverse=True) and min(points, default=0) >= 0
    return numbers == sorted(numbers) and sides.ends in ENDS and falls
