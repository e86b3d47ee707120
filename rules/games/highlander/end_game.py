"""End Game, turn by turn: who loses when both players bleed ability (HL-T03 to T05).

Two ability are lost in the own adjustment phase; that is no damage, so preventing damage does not help, and
nobody can gain ability. A player who begins the Attack Phase at zero loses; where that phase is skipped, zero
at the end of the adjustment phase loses. Hence the game always ends, and on equal ability whoever moves first
loses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

BLEEDING = 2
EXHAUSTION = 5
MOST_ABILITY = 1000

# What a player may do or suffer in a turn; the last ones change nothing in End Game.
KINDS = frozenset({"head_shot", "damage", "exhaust", "skips_attack_phase", "prevent_damage", "gain_ability"})


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens to `player` in a turn of End Game (counted from 1).

    `amount` is the damage suffered; `head_shot` means that `player` takes the other's head.
    """

    turn: int
    player: str
    kind: str
    amount: int = 0


@dataclass(frozen=True, slots=True)
class Ending:
    """Who wins End Game and in which of its turns."""

    winner: str
    turn: int


def end_game(first: str, second: str, ability: Mapping[str, int], events: Iterable[Event] = ()) -> Ending:
    """Play End Game out; `first` moves first, `ability` is what each has left when it begins.

    Raises ValueError for ability that is no whole number from -1000 to 1000, for an unknown kind of event and
    for one of somebody else.
    """
    left = {player: ability[player] for player in (first, second)}
    happening = tuple(events)
    _refuse_nonsense(left, happening)
    turn = 0
    while True:
        turn += 1
        active, waiting = (first, second) if turn % 2 else (second, first)
        winner = _turn(active, waiting, left, [e for e in happening if e.turn == turn])
        if winner is not None:
            return Ending(winner, turn)


def _turn(active: str, waiting: str, left: dict[str, int], events: list[Event]) -> str | None:
    """One turn of the active player; gives the winner if it ends the game."""
    for event in events:
        if event.kind == "damage":
            left[event.player] -= event.amount
    skipped = any(event.kind == "skips_attack_phase" and event.player == active for event in events)
    if not skipped and left[active] <= 0:
        return waiting
    taker = next((event.player for event in events if event.kind == "head_shot"), None)
    if taker is not None:
        return taker
    exhausted = sum(1 for event in events if event.kind == "exhaust" and event.player == active)
    left[active] -= BLEEDING + EXHAUSTION * exhausted
    return waiting if skipped and left[active] <= 0 else None


def _refuse_nonsense(ability: Mapping[str, int], events: tuple[Event, ...]) -> None:
    for player, left in ability.items():
        if type(left) is not int or abs(left) > MOST_ABILITY:
            raise ValueError(f"The ability of {player} cannot be {left!r}.")
    for event in events:
        if event.kind not in KINDS:
            raise ValueError(f"{event.kind} is no event of End Game; known are {', '.join(sorted(KINDS))}.")
        if event.player not in ability:
            raise ValueError(f"{event.player} does not play this game.")
        if type(event.turn) is not int or type(event.amount) is not int or event.amount < 0:
            raise ValueError("A turn and an amount must be whole numbers, the amount not below zero.")
