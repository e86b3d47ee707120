"""A system of standings: what a match is worth and, in order, what separates players who are level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tournament.engine.records import Event
from tournament.engine.standings.conventions import CONVENTIONS
from tournament.engine.standings.scoring import Points
from tournament.engine.standings.tiebreakers import KINDS
from tournament.engine.standings.tiebreakers.base import Kind, Params


class Described(NamedTuple):
    """One line of what is printed under a standing."""

    key: str
    name: str
    formula: str


@dataclass(frozen=True, slots=True)
class Tiebreaker:
    """One tiebreaker of a system: its kind with parameters, under a key and a name."""

    key: str
    name: str
    kind_name: str
    params: Params
    aliases: tuple[str, ...] = ()

    @property
    def kind(self) -> Kind:
        """What computes and explains it."""
        return KINDS[self.kind_name]

    @property
    def formula(self) -> str:
        """How the value is made, in words."""
        return self.kind.formula(self.params)


@dataclass(frozen=True, slots=True)
class System:
    """Points of a match and the ordered tiebreakers. `shown` are computed and printed but do not rank."""

    name: str
    title: str
    source: str
    points: Points
    tiebreakers: tuple[Tiebreaker, ...]
    shown: tuple[Tiebreaker, ...] = ()
    convention: str = ""

    def describe(self) -> tuple[Described, ...]:
        """What a match is worth, and the formula of each ranking tiebreaker in words, in order."""
        worth = self.points
        points = (
            f"win {worth.win}, draw {worth.draw}, loss {worth.loss}, bye {worth.bye}; "
            f"both lose {worth.double_loss}, lost without an opponent {worth.unopposed}"
        )
        if worth.game_win or worth.game_draw:
            games = f"each won game {worth.game_win}, each drawn game {worth.game_draw}"
            points = f"{games}; where no games are written {points}"
        lines = (Described(t.key, t.name, t.formula) for t in self.tiebreakers)
        return (Described("points", "Points", points), *lines)

    def tiebreaker(self, key: str) -> Tiebreaker | None:
        """The tiebreaker under a key or one of its other names; None when there is none."""
        for tiebreaker in (*self.tiebreakers, *self.shown):
            if key == tiebreaker.key or key in tiebreaker.aliases:
                return tiebreaker
        return None

    def read(self, event: Event) -> Event:
        """The event in the form that the cross table reads, after the habits of this system's field."""
        return CONVENTIONS[self.convention](event, self.points) if self.convention else event
