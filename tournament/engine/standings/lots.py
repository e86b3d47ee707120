"""Lots: the last word between players who are level on everything, drawn from the event's seed."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from tournament.engine.records import PlayerId


def draw_lots(players: Iterable[PlayerId], seed: int) -> dict[PlayerId, int]:
    """A lot from 1 on for every player, the lower the better. The same seed draws the same on every machine.

    A player who enters later changes the number of some lots but never the order of the others.
    """
    ordered = sorted(set(players), key=lambda player: (sha256(f"{seed}:{player}".encode()).digest(), player))
    return {player: lot for lot, player in enumerate(ordered, 1)}
