"""Endings of a match other than playing it to the end.

Holds those of every game, and those declared in a `game.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.reason import Param, Reason
from rules.rendering import say

# The endings of every game.
ENDINGS = ("time", "concession", "agreed_draw", "no_show", "left", "penalty", "disqualified")
LONGEST_KEY = 16
# Marks that a typed result already uses; a mark of a game starts with none of them.
MARKS_TAKEN = ("d", "dl", "c", "n", "q", "id", "t", "ok")
# The messages that say the endings of games, by key.
MESSAGES = "ending"


@dataclass(frozen=True, slots=True)
class GameEnding:
    """An ending of one game, as a table of `[[endings]]`.

    The message `ending.<key>` of the game puts it into words. `mark` names it on a typed line. Players report
    one that is `reported_by_players`; the others are for staff. No draw has an ending that `needs_winner`.
    """

    key: str
    label: str
    mark: str = ""
    reported_by_players: bool = False
    needs_winner: bool = False


def name_message(key: str) -> str:
    """Return the code of the message for an ending of a game.

    The message includes names if the ending has a winner.
    """
    return f"{MESSAGES}.{key}"


def state_ending(key: str, *, winner: Param = None, loser: Param = None) -> Param:
    """Return an ending as a parameter of messages.

    It is the word for an ending that every game has, or what the game itself says.
    """
    if not key or key in ENDINGS:
        return key or None
    return Reason(name_message(key), {"winner": winner, "loser": loser})


def find_ending_misfits(endings: Sequence[GameEnding]) -> Iterator[str]:
    """Yield each fault in the endings of a game as a sentence."""
    for place, ending in enumerate(endings):
        owner = f"[[endings]] {ending.key}"
        if not re.fullmatch(rf"[a-z][a-z0-9_]{{0,{LONGEST_KEY - 1}}}", ending.key):
            yield say("lint", "ending-key", owner=owner, most=LONGEST_KEY)
        if ending.key in (*ENDINGS, *(other.key for other in endings[:place])):
            yield say("lint", "field-twice", owner=owner)
        if ending.mark and (not re.fullmatch(r"[a-z]{1,3}", ending.mark) or ending.mark in MARKS_TAKEN):
            yield say("lint", "result-mark", owner=owner, mark=ending.mark, taken=MARKS_TAKEN)
        if ending.mark and ending.mark in [other.mark for other in endings[:place]]:
            yield say("lint", "result-mark-twice", owner=owner, mark=ending.mark)
