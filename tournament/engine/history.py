"""Who has met whom: the one fact about earlier rounds that pairing asks for again and again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from tournament.engine.records import PlayerId

_NOBODY: frozenset[PlayerId] = frozenset()


class History:
    """The opponents of every player.

    Grows by `add`, so that a running event need not be read again each round.

    >>> History([(1, 2), (3, 1)]).opponents(1) == {2, 3}
    True
    """

    __slots__ = ("_opponents",)

    def __init__(self, met: Iterable[tuple[PlayerId, PlayerId]] = ()) -> None:
        self._opponents: dict[PlayerId, set[PlayerId]] = {}
        self.add(met)

    @classmethod
    def of(cls, met: History | Iterable[tuple[PlayerId, PlayerId]]) -> History:
        """`met` itself if it is a history already, otherwise one of its pairs, in any order."""
        return met if isinstance(met, History) else cls(met)

    def add(self, met: Iterable[tuple[PlayerId, PlayerId]]) -> None:
        """Note that the two players of each pair have met."""
        opponents = self._opponents
        for a, b in met:
            if a in opponents:
                opponents[a].add(b)
            else:
                opponents[a] = {b}
            if b in opponents:
                opponents[b].add(a)
            else:
                opponents[b] = {a}

    def __bool__(self) -> bool:
        """Whether anybody has met anybody."""
        return bool(self._opponents)

    @property
    def by_player(self) -> Mapping[PlayerId, Set[PlayerId]]:
        """The opponents of everybody who has met somebody."""
        return self._opponents

    def opponents(self, player: PlayerId) -> Set[PlayerId]:
        """Everybody whom `player` has met."""
        return self._opponents.get(player, _NOBODY)

    def have_met(self, a: PlayerId, b: PlayerId) -> bool:
        """Whether the two have met before."""
        return b in self.opponents(a)
