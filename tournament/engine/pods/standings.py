"""Standings of events with more than two sides at a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tournament.engine.pods.results import PodEvent, PodMatch, compute_place_points
from tournament.engine.records import PlayerId, Score
from tournament.engine.standings.ranking import PlayerRecord, compute_ranks


@dataclass(slots=True)
class PodTally:
    """The results of one player, table by table."""

    points: list[Score] = field(default_factory=list)
    opponents: list[PlayerId] = field(default_factory=list)
    wins: int = 0
    losses: int = 0
    draws: int = 0
    byes: int = 0

    @property
    def score(self) -> Score:
        """All points."""
        return _simplify(Fraction(sum(self.points)))

    @property
    def average(self) -> Fraction:
        """Points per round that was played or rested."""
        return Fraction(sum(self.points)) / len(self.points) if self.points else Fraction(0)


@dataclass(frozen=True, slots=True)
class PodRow:
    """One line: rank (shared if tied on everything), points and tiebreakers.

    `values`: tables won, mean of the opponents' points per round, the random number. `has_lots` tells whether
    players have random numbers.
    """

    rank: int
    player: PlayerId
    points: Score
    is_shared: bool
    dropped_after: int | None
    values: tuple[Score, ...]
    record: PlayerRecord
    has_lots: bool

    @property
    def shown_scores(self) -> tuple[Score, ...]:
        """Values that do not rank: none."""
        return ()

    @property
    def wins(self) -> int:
        """Tables won, byes included."""
        return self.record.wins

    @property
    def losses(self) -> int:
        """Tables that another won."""
        return self.record.losses

    @property
    def draws(self) -> int:
        """Tables where the best place was shared."""
        return self.record.draws


def tally_pods(event: PodEvent, points: Sequence[Score]) -> dict[PlayerId, PodTally]:
    """Add up all finished tables. A bye is worth the first place (Ringside default)."""
    tallies = {player: PodTally() for player in event.players}
    for match in (match for matches in event.rounds for match in matches if match.places):
        gained_points = compute_place_points(match.places, points)
        for player, place, worth in zip(match.players, match.places, gained_points, strict=True):
            _add(tallies[player], match, player, place, worth)
    return tallies


def _add(tally: PodTally, match: PodMatch, player: PlayerId, place: int, worth: Score) -> None:
    tally.points.append(worth)
    tally.opponents += [other for other in match.players if other != player]
    is_shared = match.places.count(1) > 1
    tally.byes += match.is_bye
    tally.wins += place == 1 and not is_shared
    tally.draws += place == 1 and is_shared
    tally.losses += place > 1


def compute_pod_standings(
    event: PodEvent, points: Sequence[Score], *, lots: Mapping[PlayerId, int] | None = None
) -> tuple[PodRow, ...]:
    """Rank by points, tables won, opponents' average and the random number.

    The opponents' average is their points per round.
    """
    tallies = tally_pods(event, points)
    averages = {player: tally.average for player, tally in tallies.items()}
    keys = {player: _key(player, tally, averages, lots or {}) for player, tally in tallies.items()}
    order = sorted(tallies, key=lambda player: (*map(_negate, keys[player]), player))
    ranks, are_tied = compute_ranks([keys[player] for player in order])
    return tuple(
        PodRow(
            rank=rank,
            player=player,
            points=tallies[player].score,
            is_shared=is_shared,
            dropped_after=event.drops.get(player),
            values=(*_values(tallies[player], averages), (lots or {}).get(player, 0)),
            record=_record(tallies[player]),
            has_lots=bool(lots),
        )
        for player, rank, is_shared in zip(order, ranks, are_tied, strict=True)
    )


def _key(
    player: PlayerId, tally: PodTally, averages: Mapping[PlayerId, Fraction], lots: Mapping[PlayerId, int]
) -> tuple[Score, ...]:
    lot = (-lots[player],) if player in lots else ()
    return (tally.score, *_values(tally, averages), *lot)


def _values(tally: PodTally, averages: Mapping[PlayerId, Fraction]) -> tuple[Score, ...]:
    opponent_total = sum((averages[other] for other in tally.opponents), Fraction(0))
    mean = opponent_total / len(tally.opponents) if tally.opponents else opponent_total
    return tally.wins, _simplify(mean)


def _record(tally: PodTally) -> PlayerRecord:
    return PlayerRecord(wins=tally.wins, losses=tally.losses, draws=tally.draws, byes=tally.byes)


def _simplify(value: Fraction) -> Score:
    return value.numerator if value.denominator == 1 else value


def _negate(value: Score) -> Score:
    return -value
