"""Penalty list, round time sheet and final report."""

from __future__ import annotations

from collections.abc import Sequence

from tournament.brackets.selectors.bracket import players_without_place
from tournament.brackets.selectors.picture import load_bracket_view
from tournament.clock.selectors import get_clock_rules, get_round_clock
from tournament.closing.selectors import character_breakdown, closing_report
from tournament.events.models.round import Match, Round
from tournament.events.settings import get_game, get_match_form, get_undated_format
from tournament.printing.request import PrintRequest
from tournament.printing.sheets.standings import list_formula_notes
from tournament.standings.selectors.standings import scoring_system_of
from tournament.standings.selectors.table import standings_table

# Number of lines that fill the page, written ones and blank ones.
PENALTY_LINES = {"A4": 22, "Letter": 20}
EXTENSION_LINES = {"A4": 14, "Letter": 12}
LEAST_EMPTY_LINES = 6


def build_penalty_list(request: PrintRequest) -> dict[str, object]:
    """Return every penalty that was given, the first one first.

    There are lines for penalties to come.
    """
    penalties = list(request.event.penalties.select_related("player").order_by("pk"))
    return {"penalties": penalties, "lines": _count_empty_lines(PENALTY_LINES[request.paper], penalties)}


def _count_empty_lines(lines: int, written_lines: Sequence[object]) -> range:
    return range(max(lines - len(written_lines), LEAST_EMPTY_LINES))


def build_time_sheet(request: PrintRequest) -> dict[str, object]:
    """Return the time sheet of one round.

    It says when the round starts and ends, who got more time, and what to do when time is called.
    """
    shown_round = request.shown_round
    rule = get_clock_rules(request.event)
    clock = get_round_clock(shown_round, request.now)
    extensions = list(clock.extensions) if clock else []
    tables = shown_round.matches.filter(p2__isnull=False).count()
    return {
        "clock": clock,
        "extensions": extensions,
        "lines": _count_empty_lines(EXTENSION_LINES[request.paper], extensions),
        "rule": rule,
        "minutes": request.event.round_minutes,
        "form": get_match_form(request.event),
        "tables": tables,
    }


def build_final_report(request: PrintRequest) -> dict[str, object]:
    """Return the whole event on paper.

    It has figures, final places, prizes, bracket results, characters and standings.
    """
    event, report = request.event, closing_report(request.event)
    rounds = list(
        Round.objects.filter(stage__event=event).select_related("stage").order_by("stage__position")
    )
    matches = Match.objects.filter(round__stage__event=event, p2__isnull=False)
    return {
        "game": get_game(event),
        "format": get_undated_format(event),
        "form": get_match_form(event),
        "rounds": rounds,
        "players": event.players.filter(status="registered").count(),
        "matches": matches.exclude(outcome="").count(),
        "dropped": event.players.filter(dropped_after__isnull=False).count(),
        "ranking": report.ranking if report else [],
        "without_place": report.without_place if report else players_without_place(event),
        "report": report,
        "parts": [
            part for stage in event.stages.all() if stage.is_elimination for part in load_bracket_view(stage)
        ],
        "shares": character_breakdown(event),
        "table": standings_table(event) if event.has_table_rounds else None,
        "formula_notes": list_formula_notes(event) if event.has_table_rounds else [],
        "system": scoring_system_of(event),
        "penalties": event.penalties.count(),
    }
