"""Matches of a round, field by field."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from itertools import chain
from typing import Any

from tournament.engine.records import Match, PlayerId, Result, Score

PLAIN_RESULTS = (Result.P1, Result.P2, Result.DRAW, Result.DOUBLE_LOSS)
_PLACE = {
    result: place for place, result in enumerate((*PLAIN_RESULTS, *set(Result) - set(PLAIN_RESULTS), None))
}
_PLAIN_PLACES = bytes(range(len(PLAIN_RESULTS)))


class MatchColumns:
    """The matches of one round as columns. A field of all of them is read at once, in C."""

    # Places of results, of which those of `PLAIN_RESULTS` are the first.
    result_places: bytes

    def __init__(self, matches: Sequence[Match]) -> None:
        self._flat: list[Any] = list(chain.from_iterable(matches))
        self.ones: list[PlayerId] = self._field("p1")
        self.twos: list[PlayerId] = self._field("p2")
        self.result_places = bytes(map(_PLACE.__getitem__, self._field("result")))
        self.games: list[list[int]] = [self._field(name) for name in ("p1_games", "p2_games", "draws")]
        self.firsts: list[Score | None] = self._field("p1_score")
        self.seconds: list[Score | None] = self._field("p2_score")

    def _field(self, name: str) -> list[Any]:
        return self._flat[Match._fields.index(name) :: len(Match._fields)]

    @property
    def have_written_scores(self) -> bool:
        """Return whether points are written on any match."""
        columns = (self.firsts, self.seconds, self._field("bye_points"))
        return any(column.count(None) < len(column) for column in columns)

    def find_rare(self) -> list[int]:
        """The places of matches that are not of two who played, with points written for both or neither."""
        rare: set[int] = set()
        if self.result_places.translate(None, _PLAIN_PLACES):
            rare.update(at for at, place in enumerate(self.result_places) if place >= len(PLAIN_RESULTS))
        forfeits = self._field("forfeit")
        if any(forfeits):
            rare.update(at for at, forfeit in enumerate(forfeits) if forfeit)
        if self.firsts.count(None) + self.seconds.count(None) < 2 * len(self.firsts):
            both = enumerate(zip(self.firsts, self.seconds, strict=True))
            rare.update(at for at, (first, second) in both if (first is None) != (second is None))
        return sorted(rare)

    def without(self, places: Sequence[int]) -> MatchColumns:
        """The columns without some matches, whose places are in order."""
        if not places:
            return self
        starts, ends = (0, *(at + 1 for at in places)), (*places, len(self.ones))
        spans = [slice(start, end) for start, end in zip(starts, ends, strict=True) if start < end]
        rest = copy(self)
        rest.result_places = b"".join(self.result_places[span] for span in spans)
        columns: list[list[Any]] = [self.ones, self.twos, self.firsts, self.seconds, *self.games]
        rest.ones, rest.twos, rest.firsts, rest.seconds, *rest.games = (
            _join(column, spans) for column in columns
        )
        return rest


def _join(column: list[Any], spans: Sequence[slice]) -> list[Any]:
    joined_rows: list[Any] = []
    for span in spans:
        joined_rows += column[span]
    return joined_rows
