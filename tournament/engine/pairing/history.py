"""History of meetings between players."""

from __future__ import annotations

from collections.abc import Iterable, Set

from tournament.engine.records import PlayerId

Pair = tuple[PlayerId, PlayerId]
_NOBODY: frozenset[PlayerId] = frozenset()


class MeetingHistory:
    """All pairs that have met.

    Grows by `add`, so that a running event need not be read again each round. Every pair is held both ways
    round in one flat set: a large field asks for thousands of them at once.

    >>> History([(1, 2), (3, 1)]).opponents(1) == {2, 3}
    True
    """

    __slots__ = ("_opponents", "_pairs")

    def __init__(self, met: Iterable[Pair] = ()) -> None:
        self._pairs: set[Pair] = set()
        self._opponents: dict[PlayerId, set[PlayerId]] | None = None
        self.add(met)

    @classmethod
    def of(cls, met: MeetingHistory | Iterable[Pair]) -> MeetingHistory:
        """`met` itself if it is a history already, otherwise one of its pairs, in any order."""
        return met if isinstance(met, MeetingHistory) else cls(met)

    def add(self, met: Iterable[Pair]) -> None:
        """Note that the two players of each pair have met."""
        pairs = [(a, b) for a, b in met]
        self._pairs.update(pairs)
        self._pairs.update([(b, a) for a, b in pairs])
        self._opponents = None

    def __bool__(self) -> bool:
        """Whether anybody has met anybody."""
        return bool(self._pairs)

    @property
    def pairs(self) -> Set[Pair]:
        """Every pair that has met, both ways round."""
        return self._pairs

    def among(self, pairs: Iterable[tuple[PlayerId | None, PlayerId | None]]) -> set[Pair]:
        """Those of `pairs` that have met."""
        return self._pairs.intersection(pairs)

    def opponents(self, player: PlayerId) -> Set[PlayerId]:
        """Everyone whom `player` has met."""
        if self._opponents is None:
            self._opponents = {}
            for a, b in self._pairs:
                self._opponents.setdefault(a, set()).add(b)
        return self._opponents.get(player, _NOBODY)

    def have_met(self, a: PlayerId, b: PlayerId) -> bool:
        """Whether the two have met before."""
        return (a, b) in self._pairs
