"""A player's record: wins, losses, draws, byes and games, read off the cross table."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from tournament.engine.standings.crosstable import CrossTable, Round
from tournament.engine.standings.scoring import BYES


class Record(NamedTuple):
    """What a player has behind him. Wins include byes and forfeits that are worth a win."""

    wins: int = 0
    losses: int = 0
    draws: int = 0
    byes: int = 0
    games_won: int = 0
    games_lost: int = 0
    games_drawn: int = 0


def record_of(table: CrossTable, row: int) -> Record:
    """The record of one row after the rounds of the table."""
    rounds = [turn for _, turn in table.played(row)]
    outcomes = Counter(_outcome(table, turn, row) for turn in rounds)
    return Record(
        wins=outcomes["win"],
        losses=outcomes["loss"],
        draws=outcomes["draw"],
        byes=sum(turn.side[row] in BYES for turn in rounds),
        games_won=sum(turn.won[row] for turn in rounds),
        games_lost=sum(turn.lost[row] for turn in rounds),
        games_drawn=sum(turn.drawn[row] for turn in rounds),
    )


def _outcome(table: CrossTable, turn: Round, row: int) -> str:
    """win, loss or draw; empty for a bye that is worth less than a win. Nothing each is a double loss."""
    mine, other = turn.points[row], turn.opponent[row]
    if turn.side[row] in BYES:
        return "win" if mine >= table.scaled(table.points.win) else ""
    if other == len(table.ids):
        return "loss"
    theirs = turn.points[other]
    if mine == theirs:
        return "draw" if mine or not table.points.draw else "loss"
    return "win" if mine > theirs else "loss"
