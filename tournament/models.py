"""All database models of the app, collected for Django."""

from tournament.access.models import Invitation, RetiredLink
from tournament.booster_drafts.models import PodSeat, PodSeating
from tournament.clock.models import BuildClockEntry, ClockEntry, TimeSettlement
from tournament.decklists.models import AddedCard, ExchangeCheck, ListNotice
from tournament.entry_line.models import AcceptedEntry
from tournament.events.models.event import Event, StaffRole, Stage, StageEntrant
from tournament.events.models.player import ForbiddenPair, Player
from tournament.events.models.round import Match, ResultReport, Round, Seat
from tournament.judging.models import CheckDraw, DeckCheck, JudgeCall, TableRuling
from tournament.languages.models import AccountLanguage
from tournament.leagues.models import League, LeagueEvent, LeagueLine, SamePerson
from tournament.log.models import LogEntry
from tournament.notifications.models import PushSubscription
from tournament.penalties.models import Penalty
from tournament.screens.models import EmbeddingSite

__all__ = [
    "AcceptedEntry",
    "AccountLanguage",
    "AddedCard",
    "BuildClockEntry",
    "CheckDraw",
    "ClockEntry",
    "DeckCheck",
    "EmbeddingSite",
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
    "PodSeat",
    "PodSeating",
    "PushSubscription",
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
