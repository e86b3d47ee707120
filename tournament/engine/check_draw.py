"""Tables drawn for deck checks: repeatable from a seed, by anybody."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tournament.engine.chance import Chance


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a draw came to: the tables in the order drawn, and those passed over."""

    tables: tuple[int, ...]
    pool: tuple[int, ...]
    passed_over: tuple[int, ...]


def draw_tables(tables: Collection[int], checked: Collection[int], count: int, seed: int) -> Drawn:
    """`count` of `tables`, each as likely as the others; `checked` ones only when no others are left.

    The numbers of tables are put in order first, so that the seed alone decides. Fewer tables than asked for
    are all drawn.

    >>> draw_tables([1, 2, 3, 4], [2], 2, seed=7).tables == draw_tables([4, 3, 1, 2], [2], 2, seed=7).tables
    True
    """
    fresh = sorted(set(tables) - set(checked))
    again = sorted(set(tables) & set(checked))
    chance = Chance(seed, "deck checks")
    order = list(fresh)
    chance.shuffle(order)
    if count > len(fresh):
        chance.shuffle(again)
        order += again
    drawn = tuple(order[:count])
    passed_over = tuple(table for table in sorted(again) if table not in drawn)
    return Drawn(drawn, tuple(fresh), passed_over)
