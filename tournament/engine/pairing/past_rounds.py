"""Reads from past matches who has met, and who has rested and when.

It counts as a scoring system does.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from tournament.engine.pairing.history import MeetingHistory, Pair
from tournament.engine.records import Event, Match, PlayerId, Result
from tournament.engine.standings.scoring import RoundStatus, score_match
from tournament.engine.standings.systems.system import System


class PastRounds:
    """The meaning of earlier rounds for pairing; matches may come in any order.

    Where `forfeits_meet`, two who were paired have met, played or not. Otherwise a match that was not played
    is no meeting, and counts as a bye for its winner.
    """

    def __init__(self, forfeits_meet: bool) -> None:
        self._forfeits_meet = forfeits_meet
        self._pairs_by_round: defaultdict[int, list[Pair]] = defaultdict(list)
        self._last_bye: dict[PlayerId, int] = {}
        self.byes: Counter[PlayerId] = Counter()
        self.played_counts: Counter[PlayerId] = Counter()

    def add_bye(self, number: int, player: PlayerId) -> None:
        """Note a bye that should not be followed by another."""
        self.byes[player] += 1
        self._last_bye[player] = max(number, self._last_bye.get(player, 0))

    def add_pair(self, number: int, p1: PlayerId, p2: PlayerId, result: str | None, forfeit: bool) -> None:
        """Note two who were paired in round `number`."""
        if not forfeit:
            self.played_counts.update((p1, p2))
        if not forfeit or self._forfeits_meet:
            self._pairs_by_round[number].append((p1, p2))
        elif result in (Result.P1, Result.P2):
            self.add_bye(number, p1 if result == Result.P1 else p2)

    def history(self, rounds: Iterable[int]) -> MeetingHistory:
        """Return who has met in these rounds, in order."""
        return MeetingHistory.of_rounds(self._pairs_by_round.get(number, ()) for number in rounds)

    def rounds_since_bye(self, player: PlayerId, number: int) -> int:
        """Return how many rounds before round `number` a player rested last.

        0 if the player never rested.
        """
        return number - self._last_bye[player] if player in self._last_bye else 0


def read_past_rounds(event: Event, system: System) -> PastRounds:
    """Return the past rounds of an event.

    A bye that a player asked for does not count.
    """
    past = PastRounds(system.forfeits_meet)
    for number, matches in enumerate(event.rounds, 1):
        for match in matches:
            if match.p2 is not None:
                past.add_pair(number, match.p1, match.p2, match.result, match.forfeit)
            elif _is_given_bye(match, system):
                past.add_bye(number, match.p1)
    return past


def _is_given_bye(match: Match, system: System) -> bool:
    return score_match(match, system.points)[0].side is RoundStatus.BYE
