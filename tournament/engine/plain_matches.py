"""Read the plain matches of an event file quickly.

Nearly all matches are of two players, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from tournament.engine.records import Match, PlayerId, Result

GAMES_KEYS = ("p1_games", "p2_games", "draws")
PLAIN_KEYS = frozenset(("p1", "p2", "result", *GAMES_KEYS, "p1_score", "p2_score", "table", "forfeit"))
RESULT_OF = {result.value: result for result in Result}
SIDE_OF: dict[str, int] = {Result.P1.value: 1, Result.P2.value: -1, Result.DRAW.value: 0}

# As `Match._make`, which is written in Python.
_make_match: Callable[[tuple[object, ...]], Match] = partial(tuple.__new__, Match)


def read_plain_match(entry: object, numbers: Mapping[str, PlayerId] | None) -> Match | None:
    """Return a match of two with whole numbers for all that it says.

    None for all others, right or wrong. `numbers` are those of players whom the file calls by texts.
    """
    if type(entry) is not dict or not entry.keys() <= PLAIN_KEYS:
        return None
    get = entry.get
    one, two, word, table, forfeit = get("p1"), get("p2"), get("result"), get("table"), get("forfeit", False)
    wins, losses, draws = get("p1_games", 0), get("p2_games", 0), get("draws", 0)
    if numbers is not None and type(one) is type(two) is str:
        one, two = numbers.get(one), numbers.get(two)
    if not type(one) is type(two) is type(wins) is type(losses) is type(draws) is int:
        return None
    if type(word) is not str or word not in SIDE_OF or type(forfeit) is not bool:
        return None
    if not (type(table) is int or table is None):
        return None
    side, first, second = SIDE_OF[word], get("p1_score"), get("p2_score")
    if (wins or losses) and side != (wins > losses) - (wins < losses):
        return None
    if (first is not None or second is not None) and not _are_plain_scores(first, second, side):
        return None
    return _make_match(
        (one, two, RESULT_OF[word], wins, losses, draws, first, second, None, None, table, forfeit)
    )


def _are_plain_scores(first: object, second: object, side: int) -> bool:
    """Return whether points of a match are whole numbers that its result allows."""
    if type(first) is not int or type(second) is not int or first < 0 or second < 0:
        return False
    return not (first or second) or side == (first > second) - (first < second)
