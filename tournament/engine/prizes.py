"""Assign prizes to places, ranges of places and best of a character."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from rules.reason import Reason, reason


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize for each place from `first` to `last` or a character's best player."""

    words: str
    first: int = 0
    last: int = 0
    best: str = ""

    @property
    def given_for(self) -> Reason:
        """Return what it is given for."""
        if self.best:
            return reason("prize_best", character=self.best)
        if self.first == self.last:
            return reason("prize_place", place=self.first)
        return reason("prize_places", first=self.first, last=self.last)


@dataclass(frozen=True, slots=True)
class PlacedPlayer:
    """A player's final place; those who share one have the same number."""

    player: int
    place: int
    character: str = ""


@dataclass(frozen=True, slots=True)
class PrizeAward:
    """A prize and how many pieces of it fall on these players.

    It also says whether they have to share them.
    """

    prize: Prize
    players: tuple[int, ...]
    pieces: int

    @property
    def is_shared(self) -> bool:
        """Return whether more players have earned the prize than there are pieces.

        If so, they have to agree, or draw at random.
        """
        return self.pieces < len(self.players)


def assign_prizes(prizes: Sequence[Prize], ranking: Iterable[PlacedPlayer]) -> list[PrizeAward]:
    """Return every prize with whom it falls to, in the order of the prizes.

    Nothing is returned for places that no one has. Players who share places 3 and 4 get what is given for 3
    and for 4: if that is one thing each, each gets it, else they share.

    >>> ranking = [PlacedPlayer(7, 1), PlacedPlayer(8, 2), PlacedPlayer(5, 3), PlacedPlayer(6, 3)]
    >>> awards = assign_prizes([Prize("cup", 1, 1), Prize("pack", 3, 3)], ranking)
    >>> [(award.players, award.pieces) for award in awards]
    [((7,), 1), ((5, 6), 1)]
    """
    ranked_places = sorted(ranking, key=lambda each: each.place)
    groups = [list(same) for _, same in groupby(ranked_places, key=lambda each: each.place)]
    return [
        award
        for prize in prizes
        for award in (_best(prize, groups) if prize.best else _by_place(prize, groups))
    ]


def _by_place(prize: Prize, groups: Sequence[Sequence[PlacedPlayer]]) -> Iterable[PrizeAward]:
    for same in groups:
        first, last = same[0].place, same[0].place + len(same) - 1
        pieces = min(last, prize.last) - max(first, prize.first) + 1
        if pieces > 0:
            yield PrizeAward(prize, tuple(each.player for each in same), pieces)


def _best(prize: Prize, groups: Sequence[Sequence[PlacedPlayer]]) -> Iterable[PrizeAward]:
    character = prize.best.casefold()
    for same in groups:
        winners = tuple(each.player for each in same if each.character.casefold() == character)
        if winners:
            yield PrizeAward(prize, winners, 1)
            return
