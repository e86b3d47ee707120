"""Choose the sizes of tables, as even as the mode allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableSizes:
    """The sizes of a round's tables, larger ones first.

    It also says how many players are left without a table.
    """

    sizes: tuple[int, ...]
    resting_count: int = 0


def choose_sizes(count: int, *, least: int, most: int, usual: int) -> TableSizes:
    """Seat `count` players at tables of `least` to `most`.

    As few as possible rest. Sizes are as even as possible, then as near to `usual` as they can be; of two
    choices equally near, the one with more tables.

    >>> choose_sizes(7, least=3, most=6, usual=4).sizes, choose_sizes(7, least=3, most=3, usual=3)
    ((4, 3), TableSizes(sizes=(3, 3), resting_count=1))
    """
    for resting in range(count + 1):
        choices = list(_even_sizes(count - resting, least, most))
        if choices:
            return TableSizes(min(choices, key=lambda sizes: _rank(sizes, usual)), resting)
    return TableSizes((), count)


def _rank(sizes: tuple[int, ...], usual: int) -> tuple[int, int, int]:
    return sizes[0] - sizes[-1], sum(abs(size - usual) for size in sizes), -len(sizes)


def _even_sizes(count: int, least: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to seat everyone at tables whose sizes differ by one at most."""
    for tables in range(-(-count // most), count // least + 1):
        if tables:
            size, larger = divmod(count, tables)
            yield (size + 1,) * larger + (size,) * (tables - larger)
