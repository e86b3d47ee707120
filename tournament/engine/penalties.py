"""The ladder of penalties and what a game loss does to a match. The documents are silent: all of it is ours.

Infractions and degrees are the words that `tournament.models.judging` stores.
"""

from __future__ import annotations

from collections.abc import Iterable

LADDER = ("note", "warning", "game_loss", "match_loss", "disqualification")
FIRST_STEP = {"play": "note", "cheating": "disqualification"}
OTHERWISE = "warning"


def next_step(infraction: str, before: Iterable[str]) -> str:
    """The degree suggested for an infraction, after the degrees given to the player for the same one.

    >>> next_step("late", [])
    'warning'
    >>> next_step("late", ["warning"])
    'game_loss'
    """
    first = LADDER.index(FIRST_STEP.get(infraction, OTHERWISE))
    highest = max((LADDER.index(degree) for degree in before), default=-1)
    return LADDER[min(max(first, highest + 1), len(LADDER) - 1)]


def is_lost(game_losses: int, games_to_win: int) -> bool:
    """Whether so many game losses are the match: the opponent has the games he needs."""
    return game_losses >= games_to_win


def allows(games: tuple[int, int], losses: tuple[int, int]) -> bool:
    """Whether a score counts the game losses of both players: each is a game the other has won.

    >>> allows((2, 0), (1, 0))
    False
    >>> allows((2, 1), (1, 0))
    True
    """
    return games[0] >= losses[1] and games[1] >= losses[0]
