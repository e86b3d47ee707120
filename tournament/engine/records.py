"""Plain records that the engine works on; no database."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

PlayerId = int
Score = int | Fraction


class Result(StrEnum):
    """The result of a match, in the words of the event file."""

    P1 = "p1"
    P2 = "p2"
    DRAW = "draw"
    BYE = "bye"
    DOUBLE_LOSS = "double_loss"
    LOSS_NO_OPPONENT = "loss_no_opponent"

    # The hash of an enum is a Python function, which large standings call for every match.
    __hash__ = str.__hash__


class Player(NamedTuple):
    """One entrant.

    `order` is the initial order (seeding), smaller is better; None when there is none.
    """

    id: PlayerId
    name: str = ""
    order: int | None = None
    group: str = ""


# A named tuple: making 75,000 matches takes 50 ms, with frozen dataclasses 120 ms.
class Match(NamedTuple):
    """One match of one round.

    `p2` is None for a bye or an absence; `result` is None while it is played. `forfeit` marks a match that
    was paired and decided without being played.
    """

    p1: PlayerId
    p2: PlayerId | None
    result: Result | None = None
    p1_games: int = 0
    p2_games: int = 0
    draws: int = 0
    p1_score: Score | None = None
    p2_score: Score | None = None
    bye_type: str | None = None
    bye_points: Score | None = None
    table: int | None = None
    forfeit: bool = False


class Event(NamedTuple):
    """An event as the engine sees it: Swiss rounds in order.

    `drops` maps a player to their last round. A last round that is still to come is a drop that is planned:
    until then the player plays on.
    """

    players: tuple[Player, ...]
    rounds: tuple[tuple[Match, ...], ...] = ()
    drops: Mapping[PlayerId, int] = MappingProxyType({})
