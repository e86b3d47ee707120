"""Small events written as they are called out in the venue.

"1-2 2:1" is a match, and "3 bye" a bye.
"""

from __future__ import annotations

import random
from fractions import Fraction

from tournament.engine.records import Event, Match, Player, Result

ALONE = {"bye": Result.BYE, "lost": Result.LOSS_NO_OPPONENT}


def match(text: str) -> Match:
    """Return the match that a short text describes.

    Examples are "1-2 2:1", "1-2 1:1:1" with drawn games, "1-2 double loss", "3 bye", "3 lost" and "1-2 ?".
    """
    players, _, score = text.partition(" ")
    if "-" not in players:
        return Match(int(players), None, ALONE[score], p1_games=2 if score == "bye" else 0)
    one, two = (int(part) for part in players.split("-"))
    if score == "?":
        return Match(one, two)
    if score == "double loss":
        return Match(one, two, Result.DOUBLE_LOSS)
    games = [int(part) for part in score.split(":")]
    result = Result.P1 if games[0] > games[1] else Result.P2 if games[0] < games[1] else Result.DRAW
    return Match(one, two, result, *games)


def event(*rounds: str, drops: dict[int, int] | None = None, players: int = 0) -> Event:
    """Return an event out of rounds, each a text of matches divided by commas."""
    played_rounds = tuple(tuple(match(part.strip()) for part in text.split(",")) for text in rounds)
    ids = {p for matches in played_rounds for m in matches for p in (m.p1, m.p2) if p is not None}
    ids |= set(range(1, players + 1))
    return Event(tuple(Player(number) for number in sorted(ids)), played_rounds, drops or {})


def random_event(dice: random.Random, players: int, rounds: int, *, late: bool = True) -> Event:
    """Return an event that is paired at random.

    It has byes, drops, draws, double losses and absences.
    """
    drops = {p: dice.randrange(rounds + 1) for p in range(1, players + 1) if late and dice.random() < 0.15}
    played_rounds = []
    for number in range(1, rounds + 1):
        there = [p for p in range(1, players + 1) if drops.get(p, rounds) >= number and dice.random() < 0.95]
        dice.shuffle(there)
        matches = [_make_match(dice, one, two) for one, two in zip(there[::2], there[1::2], strict=False)]
        if len(there) % 2:
            matches.append(_alone(dice, there[-1]))
        played_rounds.append(tuple(matches))
    return Event(tuple(Player(p, order=p) for p in range(1, players + 1)), tuple(played_rounds), drops)


def _make_match(dice: random.Random, one: int, two: int) -> Match:
    games = dice.choice(
        ((2, 0, 0), (2, 1, 0), (1, 2, 0), (0, 2, 0), (1, 1, 1), (0, 0, 3), (1, 0, 0), (1, 1, 0))
    )
    if dice.random() < 0.04:
        return Match(one, two, Result.DOUBLE_LOSS)
    result = Result.P1 if games[0] > games[1] else Result.P2 if games[0] < games[1] else Result.DRAW
    return Match(one, two, result, *games, forfeit=dice.random() < 0.05)


def _alone(dice: random.Random, player: int) -> Match:
    if dice.random() < 0.1:
        return Match(player, None, Result.LOSS_NO_OPPONENT, 0, 2)
    if dice.random() < 0.2:
        return Match(player, None, Result.BYE, bye_type="half", bye_points=Fraction(1, 2))
    return Match(player, None, Result.BYE, 2, 0)
