"""Suggested number of Swiss rounds and Baku acceleration.

In a large field the first rounds otherwise pair strong with weak. The method is Baku's (FIDE Handbook
C.04.5): the upper half counts a win more in the first half of the accelerated rounds and a draw more in the
rest of them; half of all rounds are accelerated. The points count for pairing alone, never in the
standings.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournament.engine.pairing.model import Entrant
from tournament.engine.records import PlayerId, Score


def suggest_round_count(players: int) -> int:
    """Return rounds after which at most one player can be unbeaten.

    This is log2 of the field, rounded up, and at least one.
    """
    return max(1, (max(players, 1) - 1).bit_length())


def compute_virtual_points(
    place: int, size: int, *, round_number: int, rounds: int, win: Score = 3, draw: Score = 1
) -> Score:
    """Return the extra weight of the player seeded at `place` in a round.

    `place` counts from 1, out of `size`. The event has `rounds` rounds.

    >>> [compute_virtual_points(1, 200, round_number=r, rounds=9) for r in range(1, 7)]
    [3, 3, 3, 1, 1, 0]
    >>> compute_virtual_points(101, 200, round_number=1, rounds=9)
    0
    """
    upper = 2 * -(-size // 4)
    accelerated_rounds = -(-rounds // 2)
    full = -(-accelerated_rounds // 2)
    if place > upper or round_number > accelerated_rounds:
        return 0
    return win if round_number <= full else draw


def accelerate(
    entrants: Sequence[Entrant],
    seeding: Sequence[PlayerId],
    *,
    round_number: int,
    rounds: int,
    win: Score = 3,
    draw: Score = 1,
) -> list[Entrant]:
    """Return the entrants with the scores that round `round_number` is paired by.

    `seeding` is the whole field of round 1, best first, also those who have dropped, so that no one changes
    halves; who is not in it counts as seeded last.
    """
    place = {player: at for at, player in enumerate(seeding, 1)}

    def points(player: PlayerId) -> Score:
        player_place = place.get(player, len(place) + 1)
        return compute_virtual_points(
            player_place, len(place), round_number=round_number, rounds=rounds, win=win, draw=draw
        )

    return [entrant._replace(score=entrant.score + points(entrant.id)) for entrant in entrants]
