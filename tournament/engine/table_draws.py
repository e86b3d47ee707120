"""Draw tables for deck checks from a seed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tournament.engine.seeded_random import SeededRandom


@dataclass(frozen=True, slots=True)
class DrawnTables:
    """The result of a draw: the tables in the order drawn, and those passed over."""

    tables: tuple[int, ...]
    pool: tuple[int, ...]
    passed_over: tuple[int, ...]


def draw_tables(
    tables: Collection[int], checked_tables: Collection[int], count: int, seed: int
) -> DrawnTables:
    """Draw `count` of `tables`, each as likely.

    `checked_tables` are drawn only when no others are left. The numbers of tables are put in order first, so
    that the seed alone decides. Fewer tables than asked for are all drawn.

    >>> draw_tables([1, 2, 3, 4], [2], 2, seed=7).tables == draw_tables([4, 3, 1, 2], [2], 2, seed=7).tables
    True
    """
    fresh = sorted(set(tables) - set(checked_tables))
    again = sorted(set(tables) & set(checked_tables))
    chance = SeededRandom(seed, "deck checks")
    order = list(fresh)
    chance.shuffle(order)
    if count > len(fresh):
        chance.shuffle(again)
        order += again
    drawn_tables = tuple(order[:count])
    passed_over = tuple(table for table in sorted(again) if table not in drawn_tables)
    return DrawnTables(drawn_tables, tuple(fresh), passed_over)
