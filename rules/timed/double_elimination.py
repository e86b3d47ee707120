"""Double elimination in numbers: who is out at the second loss, and how long the event gets (HL-T01).

The document names the system alone; byes up to a power of two and the deciding match are convention.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

LOSSES_TO_BE_OUT = 2


@dataclass(frozen=True, slots=True)
class Size:
    """How big an event is: matches without and with a deciding one, winners' rounds, first-round byes."""

    least_matches: int
    most_matches: int
    winners_rounds: int
    first_round_byes: int


def size(players: int) -> Size:
    """The size of an event of so many players. Raises ValueError for fewer than two.

    Everyone but the champion loses twice, the champion at most once.
    """
    if type(players) is not int or players < 2:
        raise ValueError(f"Double elimination needs two players or more, not {players!r}.")
    rounds = (players - 1).bit_length()
    losses = LOSSES_TO_BE_OUT * (players - 1)
    return Size(losses, losses + 1, rounds, (1 << rounds) - players)


def eliminated(losses: Mapping[str, int]) -> tuple[str, ...]:
    """The players who are out, in the order given."""
    return tuple(player for player, lost in losses.items() if lost >= LOSSES_TO_BE_OUT)


def alive(losses: Mapping[str, int]) -> tuple[str, ...]:
    """The players who are still in, in the order given."""
    return tuple(player for player, lost in losses.items() if lost < LOSSES_TO_BE_OUT)


def champion(losses: Mapping[str, int]) -> str | None:
    """The only player left, or None while more than one (or nobody) is in."""
    left = alive(losses)
    return left[0] if len(left) == 1 else None
