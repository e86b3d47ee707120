"""Divide players into the pods of a booster draft, and say who passes to whom."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from tournament.engine.records import PlayerId
from tournament.engine.seeded_random import SeededRandom


def choose_pod_sizes(count: int, *, least: int, most: int, usual: int) -> tuple[int, ...]:
    """Divide `count` players into pods that are as even as possible.

    The larger pods come first. Everyone has a seat. Sizes are between `least` and `most` if that is possible,
    else as little beyond as can be. Then they are as near to `usual` as can be, first the farthest of them,
    then the average.

    >>> choose_pod_sizes(12, least=6, most=10, usual=8), choose_pod_sizes(11, least=6, most=10, usual=8)
    ((6, 6), (6, 5))
    """
    choices = [_divide_evenly(count, pods) for pods in range(1, count + 1)]

    def rank(sizes: tuple[int, ...]) -> tuple[int, int, Fraction]:
        beyond = sum(max(least - size, size - most, 0) for size in sizes)
        distances = [abs(size - usual) for size in sizes]
        return beyond, max(distances), Fraction(sum(distances), len(sizes))

    return min(choices, key=rank, default=())


def _divide_evenly(count: int, pods: int) -> tuple[int, ...]:
    size, larger = divmod(count, pods)
    return (size + 1,) * larger + (size,) * (pods - larger)


def seat_booster_pods(
    players: Iterable[PlayerId], *, seed: int, least: int, most: int, usual: int
) -> tuple[tuple[PlayerId, ...], ...]:
    """Seat all players in pods, in the order of their seats.

    `seed` alone decides who sits where.
    """
    ordered_players = sorted(set(players))
    SeededRandom(seed, "booster pods").shuffle(ordered_players)
    sizes = choose_pod_sizes(len(ordered_players), least=least, most=most, usual=usual)
    ends = [sum(sizes[: index + 1]) for index in range(len(sizes))]
    return tuple(tuple(ordered_players[end - size : end]) for size, end in zip(sizes, ends, strict=True))


def find_neighbors(seats: Iterable[int], seat: int) -> tuple[int, int]:
    """Return the seats to the left and right of one seat at a table.

    Only taken seats count. Seats are numbered clockwise, so that the next higher number sits to the left.

    >>> find_neighbors([1, 2, 4], 4)
    (1, 2)
    """
    ring = sorted(seats)
    index = ring.index(seat)
    return ring[(index + 1) % len(ring)], ring[index - 1]
