"""The number of sides at a table, and the value of their places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tournament.engine.records import Score

Ends = Literal["places", "last_standing"]
ENDS: tuple[Ends, ...] = get_args(Ends)
FEWEST_SIDES, MOST_SIDES = 3, 12


@dataclass(frozen=True, slots=True)
class PodSides:
    """The number of sides and the value of their places, best first.

    It also says whether only the winner counts.
    """

    least: int
    most: int
    usual: int
    place_points: tuple[Score, ...] = (3,)
    ends: Ends = "places"
