"""The sides of a match: who sits where, and which place they took."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rules.reason import Param, Reason, reason
from rules.rendering import get_messages

if TYPE_CHECKING:
    from tournament.events.models.player import Player

DUEL_SIDES = 2
FIRST_AND_OTHERS = 2


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a match. `place` is None while it is played, and in a match of two."""

    number: int
    player: Player
    place: int | None = None

    @property
    def has_won(self) -> bool:
        """Whether it took the first place."""
        return self.place == 1


def give_places(sides: Iterable[Side], places: Sequence[int]) -> tuple[Side, ...]:
    """Return the sides with these places, in the same order."""
    return tuple(replace(side, place=place) for side, place in zip(sides, places, strict=False))


def name_others(sides: Iterable[Side], player_id: int) -> str:
    """Return the names of all sides but that of one player: “Ben, Cid and Dee”."""
    return get_messages().join([side.player.name for side in sides if side.player.pk != player_id])


def get_side_name(player: Player) -> Param:
    """Return what a sentence of now calls a player."""
    return player.name


def describe_places(sides: Iterable[Side], name: Callable[[Player], Param] = get_side_name) -> Reason:
    """Return who took which place: “1st Ada, 2nd Ben and Cid”.

    If all others are level, it says who won. `name` says what players are called: the log keeps references.
    """
    names: dict[int, list[Param]] = {}
    for side in sides:
        names.setdefault(side.place or 0, []).append(name(side.player))
    if len(names) == 1:
        return reason("result_places.level")
    if len(names) == FIRST_AND_OTHERS:
        first = tuple(names[min(names)])
        return reason("result_places.first", names=first, count=len(first))
    places = tuple(reason("result_place", place=place, names=tuple(names[place])) for place in sorted(names))
    return reason("result_places", places=places)
