"""Draw a pod as a round table with numbered seats."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

from tournament.booster_drafts.selectors import PodView

# The picture is a square of 200 units; the table has its middle there, and the seats are around it.
SIDE = 200
MIDDLE = SIDE / 2
SEATS_RADIUS = 76


@dataclass(frozen=True, slots=True)
class DrawnSeat:
    """The place of one seat in the picture of its pod."""

    number: int
    x: float
    y: float


def draw_pod(pod: PodView) -> list[DrawnSeat]:
    """Return where the seats of a pod are drawn.

    The first is at the top, the others follow clockwise.
    """
    turn = 2 * pi / len(pod.seats)
    return [
        DrawnSeat(
            seat.seat,
            round(MIDDLE + SEATS_RADIUS * sin(at * turn), 1),
            round(MIDDLE - SEATS_RADIUS * cos(at * turn), 1),
        )
        for at, seat in enumerate(pod.seats)
    ]
