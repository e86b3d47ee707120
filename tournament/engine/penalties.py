"""Penalty levels and the effect of game losses on a match.

Infractions and degrees are the words that `tournament.penalties.models` stores.
"""

from __future__ import annotations

from collections.abc import Iterable

PENALTY_LEVELS = ("note", "warning", "game_loss", "match_loss", "disqualification")
FIRST_LEVEL = {"play": "note", "cheating": "disqualification"}
DEFAULT_LEVEL = "warning"


def suggest_penalty(infraction: str, before: Iterable[str]) -> str:
    """Return the degree suggested for an infraction.

    It follows the degrees given to the player for the same infraction.

    >>> suggest_penalty("late", [])
    'warning'
    >>> suggest_penalty("late", ["warning"])
    'game_loss'
    """
    first = PENALTY_LEVELS.index(FIRST_LEVEL.get(infraction, DEFAULT_LEVEL))
    highest = max((PENALTY_LEVELS.index(degree) for degree in before), default=-1)
    return PENALTY_LEVELS[min(max(first, highest + 1), len(PENALTY_LEVELS) - 1)]


def is_lost(game_losses: int, games_to_win: int) -> bool:
    """Return whether so many game losses lose the match.

    They do if the opponent has the games they need.
    """
    return game_losses >= games_to_win


def is_score_allowed(games: tuple[int, int], losses: tuple[int, int]) -> bool:
    """Return whether a score counts the game losses of both players.

    Each game loss is a game the other has won.

    >>> is_score_allowed((2, 0), (1, 0))
    False
    >>> is_score_allowed((2, 1), (1, 0))
    True
    """
    return games[0] >= losses[1] and games[1] >= losses[0]
