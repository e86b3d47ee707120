"""The tables of an event. Read the modules in this order: event, registration, round, log."""

from tournament.models.accounts import Attempt, Device
from tournament.models.clock import ClockEntry, TimeSettlement
from tournament.models.event import Event, StaffRole, Stage, StageEntrant
from tournament.models.exchange import ExchangeCheck
from tournament.models.judging import CheckDraw, DeckCheck, JudgeCall, Penalty, TableRuling
from tournament.models.log import LogEntry
from tournament.models.notice import ListNotice
from tournament.models.registration import ForbiddenPair, Player
from tournament.models.round import Match, ResultReport, Round, Seat
from tournament.models.season import League, LeagueEvent, LeagueLine, SamePerson
from tournament.models.staff import Invitation, RetiredLink

__all__ = [
    "Attempt",
    "CheckDraw",
    "ClockEntry",
    "DeckCheck",
    "Device",
    "Event",
    "ExchangeCheck",
    "ForbiddenPair",
    "Invitation",
    "JudgeCall",
    "League",
    "LeagueEvent",
    "LeagueLine",
    "ListNotice",
    "LogEntry",
    "Match",
    "Penalty",
    "Player",
    "ResultReport",
    "RetiredLink",
    "Round",
    "SamePerson",
    "Seat",
    "StaffRole",
    "Stage",
    "StageEntrant",
    "TableRuling",
    "TimeSettlement",
]
