"""Results by places or last standing, and what the places are worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from tournament.engine.records import PlayerId, Score


@dataclass(frozen=True, slots=True)
class PodMatch:
    """One table of a round, or a player who rests (alone).

    Without `places` it is still played. `places` are those of the players in their order; sides that are
    level share the best of their places.
    """

    players: tuple[PlayerId, ...]
    places: tuple[int, ...] = ()

    @property
    def is_bye(self) -> bool:
        """Whether one player rests."""
        return len(self.players) == 1


@dataclass(frozen=True, slots=True)
class PodEvent:
    """An event of such tables: its players, its rounds and when each player left.

    The time is the round after which a player left.
    """

    players: tuple[PlayerId, ...]
    rounds: tuple[tuple[PodMatch, ...], ...] = ()
    drops: dict[PlayerId, int] = field(default_factory=dict)


def are_places(places: Sequence[int]) -> bool:
    """Return whether these can be the places of one table.

    Level sides share the best of their places.

    >>> are_places([1, 2, 2, 4]), are_places([1, 2, 2, 3]), are_places([2, 2])
    (True, False, False)
    """
    return bool(places) and all(place == 1 + sum(other < place for other in places) for place in places)


def compute_place_points(places: Sequence[int], points: Sequence[Score]) -> tuple[Score, ...]:
    """Return the points that each side gets for its place.

    Level sides share the points of the places they take.

    >>> compute_place_points([1, 2, 2, 2], [3]), compute_place_points([1, 1, 3], [3, 1])
    ((3, 0, 0, 0), (2, 2, 0))
    """
    level = Counter(places)
    shares = {place: _share(place, count, points) for place, count in level.items()}
    return tuple(shares[place] for place in places)


def _share(place: int, count: int, points: Sequence[Score]) -> Score:
    worth = Fraction(sum(points[place - 1 : place - 1 + count], Fraction(0))) / count
    return worth.numerator if worth.denominator == 1 else worth
