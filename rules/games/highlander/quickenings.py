"""Which Quickenings change hands after a match (HL-T06, T07)."""

from __future__ import annotations

HEAD_SHOT = "head_shot"


def forfeited(loss_by: str, in_play: int) -> int:
    """How many of the loser's Quickenings go to the winner, who may decline them.

    `loss_by` is "head_shot" or another way to lose ("ability", "concession", …): only a successful head shot
    costs Quickenings. Raises ValueError for a number below zero.
    """
    if type(in_play) is not int or in_play < 0:
        raise ValueError(f"The Quickenings in play are a whole number of zero or more, not {in_play!r}.")
    return in_play if loss_by == HEAD_SHOT else 0
