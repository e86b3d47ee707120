"""The two players of a match, "p1" and "p2", and a score of theirs."""

from __future__ import annotations

from typing import Literal

Player = Literal["p1", "p2"]
Score = tuple[int, int]


def other(player: Player) -> Player:
    """The opponent."""
    return "p2" if player == "p1" else "p1"


def name(player: Player) -> str:
    """The player in words, at the start of a sentence."""
    return "The first player" if player == "p1" else "The second player"


def plus_one(score: Score, player: Player) -> Score:
    """The score with one more for a player."""
    return (score[0] + 1, score[1]) if player == "p1" else (score[0], score[1] + 1)


def leader(score: Score) -> Player | None:
    """Who has more, None on equal terms."""
    return None if score[0] == score[1] else "p1" if score[0] > score[1] else "p2"
