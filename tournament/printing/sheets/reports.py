"""Sheets about the day: penalties, the time of a round, the final report."""

from __future__ import annotations

from typing import Any

from tournament.brackets.selectors.picture import bracket_view
from tournament.brackets.selectors.ranking import without_place
from tournament.clock.selectors import round_clock, rule_of
from tournament.closing.selectors.characters import breakdown
from tournament.closing.selectors.report import report
from tournament.events.game_terms import game_of, match_form_of
from tournament.events.models.round import Match, Round
from tournament.printing.request import Asked
from tournament.standings.selectors.standings import system_of
from tournament.standings.selectors.table import standings_table

HAND_LINES = 11


def penalties(asked: Asked) -> dict[str, Any]:
    """Every penalty that was given, the first one first, and lines for those to come."""
    given = list(asked.event.penalties.select_related("player").order_by("pk"))
    return {"penalties": given, "lines": range(max(HAND_LINES - len(given), 6))}


def time_sheet(asked: Asked) -> dict[str, Any]:
    """One round: when it starts and ends, who got more time, and what to do when time is called."""
    shown = asked.shown
    rule = rule_of(asked.event)
    clock = round_clock(shown, asked.now)
    given = list(clock.extensions) if clock else []
    tables = shown.matches.filter(p2__isnull=False).count()
    return {
        "clock": clock,
        "extensions": given,
        "lines": range(max(HAND_LINES - len(given), 6)),
        "rule": rule,
        "minutes": asked.event.round_minutes,
        "form": match_form_of(asked.event),
        "tables": tables,
    }


def final_report(asked: Asked) -> dict[str, Any]:
    """The whole event on paper: figures, final places, prizes, bracket results, characters, standings."""
    event, told = asked.event, report(asked.event)
    rounds = list(
        Round.objects.filter(stage__event=event).select_related("stage").order_by("stage__position")
    )
    matches = Match.objects.filter(round__stage__event=event, p2__isnull=False)
    return {
        "game": game_of(event),
        "form": match_form_of(event),
        "rounds": rounds,
        "players": event.players.filter(status="registered").count(),
        "matches": matches.exclude(outcome="").count(),
        "dropped": event.players.filter(dropped_after__isnull=False).count(),
        "ranking": told.ranking if told else [],
        "without_place": told.without_place if told else without_place(event),
        "report": told,
        "parts": [
            part for stage in event.stages.all() if stage.is_elimination for part in bracket_view(stage)
        ],
        "shares": breakdown(event),
        "table": standings_table(event) if event.has_table_rounds else None,
        "system": system_of(event),
        "penalties": event.penalties.count(),
    }
