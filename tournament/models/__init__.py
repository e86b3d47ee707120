"""The tables of an event. Read the modules in this order: event, registration, round, log."""

from tournament.models.event import Event, StaffRole, Stage, StageEntrant
from tournament.models.exchange import ExchangeCheck
from tournament.models.log import LogEntry
from tournament.models.registration import ForbiddenPair, Player
from tournament.models.round import Match, ResultReport, Round, Seat

__all__ = [
    "Event",
    "ExchangeCheck",
    "ForbiddenPair",
    "LogEntry",
    "Match",
    "Player",
    "ResultReport",
    "Round",
    "Seat",
    "StaffRole",
    "Stage",
    "StageEntrant",
]
