"""Swiss rounds with exits: a number of wins qualifies, a number of losses is out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournament.engine.records import PlayerId
from tournament.engine.standings.standing import StandingRow

QUALIFIED, ELIMINATED = "qualified", "eliminated"


@dataclass(frozen=True, slots=True)
class ExitRule:
    """How many wins qualify and how many losses eliminate; None: no number does.

    Byes and forfeits count as the wins and losses that they are, draws as neither.
    """

    wins: int | None = None
    losses: int | None = None

    def __bool__(self) -> bool:
        return bool(self.wins or self.losses)

    def find_exit(self, row: StandingRow) -> str | None:
        """Whether a player has qualified or is out; None for one who plays on."""
        if self.wins and row.wins >= self.wins:
            return QUALIFIED
        if self.losses and row.losses >= self.losses:
            return ELIMINATED
        return None

    def list_players(self, rows: Iterable[StandingRow], exit_: str | None) -> list[PlayerId]:
        """The players who left in this way, or those who play on, in the order of the standings."""
        return [row.player for row in rows if self.find_exit(row) == exit_]
