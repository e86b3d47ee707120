"""Results as sentences with names, the winner's games first for every reader."""

from __future__ import annotations

from typing import Protocol

from rules.reason import Reason, reason

Games = tuple[int, int, int]
Names = tuple[str, str]

MIN_LETTERS = 2


class Named(Protocol):
    """A player, as sentences name them."""

    name: str
    number: int


def format_games(games: Games) -> str:
    """Return games as people write them.

    Drawn games are included only where there are any.
    """
    return f"{games[0]}-{games[1]}" + (f"-{games[2]}" if games[2] else "")


def swap_sides(games: Games, is_second: bool) -> Games:
    """Return games of first and second player as mine and theirs.

    It also works the other way round.
    """
    return (games[1], games[0], games[2]) if is_second else games


def find_winner(games: Games, names: Names) -> str:
    """Return the name of the player with more games; empty for a draw."""
    if games[0] == games[1]:
        return ""
    return names[0] if games[0] > games[1] else names[1]


def format_winner_games(games: Games) -> str:
    """Return games as people write them, those of the winner first."""
    return format_games(swap_sides(games, is_second=games[1] > games[0]))


def describe_winner(games: Games, names: Names, how: str = "") -> Reason:
    """Return who won: “Ada won 2-1 (Bob conceded)”, “Draw 1-1”."""
    score = format_winner_games(games)
    if winner := find_winner(games, names):
        return reason("result_said", winner=winner, score=score, how=how or None)
    return reason("result_said.draw", score=score, how=how or None)


def name_players(p1: Named, p2: Named) -> Names:
    """Return the whole names of two players.

    Their numbers are added where they have the same name.
    """
    if p1.name.casefold() == p2.name.casefold():
        return f"{p1.name} ({p1.number})", f"{p2.name} ({p2.number})"
    return p1.name, p2.name


def shorten_names(p1: Named, p2: Named) -> Names:
    """Return short names for two players in a few letters.

    They are the first words of their names, where these differ. A name that begins with a particle, an
    initial or the family name and a comma stays whole.
    """
    first, second = _find_first_word(p1.name), _find_first_word(p2.name)
    return name_players(p1, p2) if first.casefold() == second.casefold() else (first, second)


def _find_first_word(name: str) -> str:
    word = next(iter(name.split()), name)
    is_whole = "," in name or word.endswith(".") or len(word) < MIN_LETTERS or word.islower()
    return name if is_whole else word
