"""A slow oracle for whole events of 3 to 6 players.

It tries every sequence of rounds, one by one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.tournament.engine.pairing_oracle import all_pairings, pairs_of
from tournament.engine.pairing.history import MeetingHistory
from tournament.engine.pairing.model import Entrant, Pairing
from tournament.engine.pairing.swiss import pair_round
from tournament.engine.records import PlayerId

Pair = frozenset[int | None]
Worth = tuple[tuple[int, ...], int, int]


@dataclass
class PlannedEvent:
    """An event played with made-up results.

    It knows who met in which round; players come and go.
    """

    entrants: dict[PlayerId, Entrant]
    rng: random.Random
    rounds: list[frozenset[Pair]] = field(default_factory=list)

    @classmethod
    def of(cls, size: int, seed: int) -> PlannedEvent:
        return cls({at: Entrant(at) for at in range(1, size + 1)}, random.Random(seed))

    def times(self) -> Counter[Pair]:
        """Return how often each pair has met; a bye is a pair with None."""
        return Counter(pair for pairs in self.rounds for pair in pairs)

    def byes(self) -> list[int]:
        """Return the byes of each player."""
        return [self.times()[frozenset((player, None))] for player in self.entrants]

    def repeats_of_the_round_before(self) -> int:
        return sum(len(one & two) for one, two in zip(self.rounds, self.rounds[1:], strict=False))

    def pair(self, seed: int, rounds_left: int | None) -> Pairing:
        met_pairs = [[tuple(p) for p in pairs if None not in p] for pairs in self.rounds]
        return pair_round(
            [self._entrant(each) for each in self.entrants.values()],
            MeetingHistory.of_rounds(met_pairs),  # type: ignore[arg-type]
            seed=seed,
            rounds_left=rounds_left,
        )

    def _entrant(self, entrant: Entrant) -> Entrant:
        rest = frozenset((entrant.id, None))
        ago = [at for at, pairs in enumerate(reversed(self.rounds), 1) if rest in pairs]
        return entrant._replace(byes=len(ago), rounds_since_bye=min(ago, default=0))

    def play(self, pairs: frozenset[Pair]) -> None:
        """Give every pair of a round a result."""
        self.rounds.append(pairs)
        for pair in pairs:
            players = sorted(player for player in pair if player is not None)
            points = [3] if len(players) == 1 else self.rng.choice([(3, 0), (0, 3), (3, 0), (0, 3), (1, 1)])
            for player, points_gained in zip(players, points, strict=True):
                entrant = self.entrants[player]
                self.entrants[player] = entrant._replace(score=entrant.score + points_gained)

    def play_through(self, rounds: int, seed: int, *, is_number_known: bool = True) -> None:
        """Pair and play rounds until so many have been played."""
        while len(self.rounds) < rounds:
            rounds_left = rounds - len(self.rounds) - 1 if is_number_known else None
            self.play(pairs_of(self.pair(seed + len(self.rounds), rounds_left)))

    # -- every plan

    def least_worth(self, rounds: int, first: frozenset[Pair] | None = None) -> Worth:
        """Return the best of all ways to play so many more rounds.

        They start from a first round if one is given.
        """
        times, before = self.times(), self.rounds[-1] if self.rounds else frozenset()
        return min(self._worths(times, before, rounds, first))

    def _worths(
        self, times: Counter[Pair], before: frozenset[Pair], rounds: int, first: frozenset[Pair] | None
    ) -> Iterator[Worth]:
        players: Sequence[int | None] = [*self.entrants, *([None] if len(self.entrants) % 2 else [])]
        every = list(all_pairings(players))
        states: dict[tuple[tuple[tuple[Pair, int], ...], frozenset[Pair]], tuple[int, int]] = {
            (tuple(times.items()), before): (0, 0)
        }
        for rounds_left in range(rounds - 1, -1, -1):
            following: dict[tuple[tuple[tuple[Pair, int], ...], frozenset[Pair]], tuple[int, int]] = {}
            for (counts, last), (immediate, late) in states.items():
                for pairs in [first] if first is not None and rounds_left == rounds - 1 else every:
                    now = Counter(dict(counts))
                    cost = (
                        immediate + len(pairs & last),
                        late + rounds_left * sum(now[pair] for pair in pairs),
                    )
                    now.update(pairs)
                    key = (tuple(sorted(now.items(), key=lambda each: sorted(map(str, each[0])))), pairs)
                    following[key] = min(cost, following.get(key, cost))
            states = following
        here = [frozenset((a, b)) for a in players for b in players if str(a) < str(b)]
        for (counts, _), (immediate, late) in states.items():
            often = Counter(dict(counts))
            most = [often[pair] for pair in here]
            yield tuple(most.count(number) for number in range(20, 0, -1)), immediate, late
