"""History of meetings between players."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from tournament.engine.records import PlayerId

Pair = tuple[PlayerId, PlayerId]
_NOBODY: frozenset[PlayerId] = frozenset()


class MeetingHistory:
    """All pairs that have met, how often, and how many rounds ago.

    Grows by `add`, round by round, so that a running event need not be read again each round. Every pair is
    held both ways round in one flat set: a large field asks for thousands of them at once.

    >>> history = MeetingHistory.of_rounds([[(1, 2)], [(3, 1)]])
    >>> history.opponents(1) == {2, 3}
    True
    >>> history.meetings[1, 2]
    (1, 2)
    """

    __slots__ = ("_meetings", "_opponents", "_pairs", "_rounds", "_times")

    def __init__(self, met_pairs: Iterable[Pair] = ()) -> None:
        self._pairs: set[Pair] = set()
        self._times: dict[Pair, int] = {}
        self._rounds: list[list[Pair]] = []
        self._opponents: dict[PlayerId, set[PlayerId]] | None = None
        self._meetings: dict[Pair, tuple[int, int]] | None = None
        self._count([(a, b) for a, b in met_pairs])

    @classmethod
    def of(cls, met_pairs: MeetingHistory | Iterable[Pair]) -> MeetingHistory:
        """Return `met_pairs` itself if it is already a history.

        Otherwise, return a history of its pairs, which are in any order. A pair that is listed twice has met
        twice. When pairs met is not known then.
        """
        return met_pairs if isinstance(met_pairs, MeetingHistory) else cls(met_pairs)

    @classmethod
    def of_rounds(cls, rounds: Iterable[Iterable[Pair]]) -> MeetingHistory:
        """Return the history of these rounds, first to last."""
        history = cls()
        for pairs in rounds:
            history.add(pairs)
        return history

    def copy(self) -> MeetingHistory:
        """Return another history, equal to this one and independent of it."""
        twin = MeetingHistory()
        twin._pairs, twin._times, twin._rounds = self._pairs.copy(), self._times.copy(), self._rounds.copy()
        return twin

    def add(self, met_pairs: Iterable[Pair]) -> None:
        """Record that the two players of each pair have met.

        They met in the round after the last one added.
        """
        pairs = [(a, b) for a, b in met_pairs]
        self._rounds.append(pairs)
        self._opponents = self._meetings = None
        self._count(pairs)

    def _count(self, pairs: list[Pair]) -> None:
        both = [*pairs, *((b, a) for a, b in pairs)]
        fresh = set(both)
        if len(fresh) == len(both) and self._pairs.isdisjoint(fresh):
            self._pairs |= fresh
            return
        for pair in both:
            if pair in self._pairs:
                self._times[pair] = self._times.get(pair, 1) + 1
            self._pairs.add(pair)

    def __bool__(self) -> bool:
        """Return whether anyone has met anyone."""
        return bool(self._pairs)

    @property
    def pairs(self) -> Set[Pair]:
        """Every pair that has met, both ways round."""
        return self._pairs

    @property
    def has_rounds(self) -> bool:
        """Whether it is known of some pairs when they met."""
        return bool(self._rounds)

    @property
    def most_times(self) -> int:
        """How often the pair that has met most often has met."""
        return max(self._times.values(), default=int(bool(self._pairs)))

    def among(self, pairs: Iterable[tuple[PlayerId | None, PlayerId | None]]) -> set[Pair]:
        """Return those of `pairs` that have met."""
        return self._pairs.intersection(pairs)

    def opponents(self, player: PlayerId) -> Set[PlayerId]:
        """Return everyone whom `player` has met."""
        if self._opponents is None:
            self._opponents = {}
            for a, b in self._pairs:
                self._opponents.setdefault(a, set()).add(b)
        return self._opponents.get(player, _NOBODY)

    def have_met(self, a: PlayerId, b: PlayerId) -> bool:
        """Return whether the two have met before."""
        return (a, b) in self._pairs

    @property
    def meetings(self) -> Mapping[Pair, tuple[int, int]]:
        """How often each pair met, and how many rounds ago last, both ways round.

        1 is the round before. 0 rounds ago means that it is not known.
        """
        if self._meetings is None:
            self._meetings = self._count_all_meetings()
        return self._meetings

    def _count_all_meetings(self) -> dict[Pair, tuple[int, int]]:
        meetings = dict.fromkeys(self._pairs, (1, 0))
        for number, pairs in enumerate(self._rounds):
            meeting = (1, len(self._rounds) - number)
            meetings.update(dict.fromkeys(pairs, meeting))
            meetings.update(((b, a), meeting) for a, b in pairs)
        for pair, times in self._times.items():
            meetings[pair] = (times, meetings[pair][1])
        return meetings
