"""Swiss rounds with exits: a number of wins qualifies, a number of losses is out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from tournament.engine.records import PlayerId

QUALIFIED, ELIMINATED = "qualified", "eliminated"


class Standing(Protocol):
    """A line of standings: who, and how many rounds they won and lost."""

    @property
    def player(self) -> PlayerId: ...
    @property
    def wins(self) -> int: ...
    @property
    def losses(self) -> int: ...


@dataclass(frozen=True, slots=True)
class ExitRule:
    """The numbers of wins that qualify and of losses that eliminate.

    None means that no number does. Byes and forfeits count as the wins and losses that they are, draws as
    neither.
    """

    wins: int | None = None
    losses: int | None = None

    def __bool__(self) -> bool:
        return bool(self.wins or self.losses)

    def find_exit(self, row: Standing) -> str | None:
        """Return whether a player has qualified or is out; None for one who plays on."""
        if self.wins and row.wins >= self.wins:
            return QUALIFIED
        if self.losses and row.losses >= self.losses:
            return ELIMINATED
        return None

    def list_players(self, rows: Iterable[Standing], exit_: str | None) -> list[PlayerId]:
        """Return the players who left in this way, or those who play on.

        They are in the order of the standings.
        """
        return [row.player for row in rows if self.find_exit(row) == exit_]
