"""Matches of a round, field by field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

from tournament.engine.records import Match, PlayerId, Result, Score

PLAIN_RESULTS = (Result.P1, Result.P2, Result.DRAW, Result.DOUBLE_LOSS)
_PLACE = {
    result: place for place, result in enumerate((*PLAIN_RESULTS, *set(Result) - set(PLAIN_RESULTS), None))
}
# For each place of a result, whether it is rare.
_MARKS = bytes(place >= len(PLAIN_RESULTS) for place in range(256))
_READ_FIELDS = tuple(
    map(
        Match._fields.index,
        ("p1", "p2", "result", "p1_games", "p2_games", "draws", "p1_score", "p2_score", "forfeit"),
    )
)


class MatchColumns:
    """The matches of one round as columns.

    A field of all of them is read at once, in C.
    """

    # Places of results, of which those of `PLAIN_RESULTS` are the first.
    result_places: bytes

    def __init__(self, matches: Sequence[Match]) -> None:
        # Any: the fields of all matches, one after another.
        flat: list[Any] = list(chain.from_iterable(matches))
        columns = (flat[index :: len(Match._fields)] for index in _READ_FIELDS)
        self.ones: list[PlayerId]
        self.twos: list[PlayerId]
        self.firsts: list[Score | None]
        self.seconds: list[Score | None]
        self.ones, self.twos, results, *games, self.firsts, self.seconds, self._forfeits = columns
        self.games: list[list[int]] = games
        self.result_places = bytes(map(_PLACE.__getitem__, results))
        self.have_written_scores = self.firsts.count(None) + self.seconds.count(None) < 2 * len(self.firsts)

    def find_rare(self) -> list[int]:
        """Return the places of matches that are not plain.

        A plain match is of two who played, with points written for both or neither.
        """
        rare = set(_find_marks(self.result_places.translate(_MARKS)))
        if any(self._forfeits):
            rare.update(index for index, forfeit in enumerate(self._forfeits) if forfeit)
        if self.have_written_scores:
            both = enumerate(zip(self.firsts, self.seconds, strict=True))
            rare.update(index for index, (first, second) in both if (first is None) != (second is None))
        return sorted(rare)


def _find_marks(marks: bytes) -> Iterator[int]:
    index = marks.find(1)
    while index >= 0:
        yield index
        index = marks.find(1, index + 1)
