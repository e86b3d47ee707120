"""Rounds of a match: who wins one, how many are played, and what the next one starts with."""

from __future__ import annotations

from dataclasses import dataclass

TIME_OUT = "Time Out p.9 (l.632)"
ROUNDS = "Number of Game Rounds p.10 (l.652)"

ONE_AGAINST_ONE = frozenset({"versus", "classic_arcade"})
TEAM_MODES = frozenset({"2v2", "3v3", "2v2v2", "tag2", "tag3", "tag2v2v2"})
OTHER_MODES = frozenset({"ffa", "3-on-3"})
MODES = ONE_AGAINST_ONE | TEAM_MODES | OTHER_MODES


def rounds_to_win(mode: str) -> int:
    """Two in the modes played as best of three, one in all others (SFM-L10 to L12)."""
    return 2 if mode in ONE_AGAINST_ONE else 1


def allows_time_out(mode: str) -> bool:
    """Whether a mode is one against one, where players may agree on Time Out (SFM-L14)."""
    return mode in ONE_AGAINST_ONE


@dataclass(frozen=True, slots=True)
class Settled:
    """The end of a round: `winner` is the index of the side (None: drawn), `decided_by` the step."""

    winner: int | None
    decided_by: str | None


def time_out(health: tuple[int, int], meter: tuple[int, int]) -> Settled:
    """More health wins, then more meter; else the round is drawn and counts as lost for both (SFM-T04)."""
    for step, pair in (("health", health), ("meter", meter)):
        if pair[0] != pair[1]:
            return Settled(0 if pair[0] > pair[1] else 1, step)
    return Settled(None, None)
