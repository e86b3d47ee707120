"""Sentences about what the results of a player's match mean for the cut."""

from __future__ import annotations

from collections.abc import Sequence

from decks.shared.wording import format_reason
from rules.reason import Reason, reason
from tournament.engine.outlook.meanings import OtherResult, ResultMeaning
from tournament.engine.outlook.projections import Projection
from tournament.events.models.event import Event
from tournament.events.models.round import Match, ResultReport
from tournament.events.settings import get_game
from tournament.results.selectors import MyMatch


def describe_meanings(event: Event, outlook: Projection | None, mine: MyMatch | None) -> list[str]:
    """Describe each result that the match can still have.

    A reported result is used as it was reported. The list is empty if no result has a certain meaning. One
    query where a result elsewhere is named.
    """
    if outlook is None or outlook.outlook != "can" or mine is None or mine.match.is_finished:
        return []
    meanings = [each for each in outlook.results if _is_possible(event, mine, each)]
    if all(each.outlook == "unsure" for each in outlook.results):
        return []
    others = [each.unless for each in meanings if each.unless is not None]
    matches = _load_matches(mine, others)
    return [format_reason("reason", _describe(each, matches)) for each in meanings]


def _is_possible(event: Event, mine: MyMatch, meaning: ResultMeaning) -> bool:
    """Return whether a match of this game can end with this result.

    If the opponent or else the player has reported a result, it must be that one.
    """
    report = mine.their_report or mine.my_report
    if report is not None and report.is_whole and not mine.match.is_disputed:
        return meaning.result == _find_own_result(mine, report)
    return meaning.result != "draw" or get_game(event).knows_draws or event.has_boards


def _find_own_result(mine: MyMatch, report: ResultReport) -> str:
    games, other_games, _ = mine.games_of(report)
    if games == other_games:
        return "draw"
    return "win" if games > other_games else "loss"


def _load_matches(mine: MyMatch, others: Sequence[OtherResult]) -> dict[int, Match]:
    """Return the matches of these results by their first player."""
    if not others:
        return {}
    rows = Match.objects.filter(round=mine.match.round_id, p1__in=[other.p1 for other in others])
    return {match.p1_id: match for match in rows.select_related("p1", "p2")}


def _describe(meaning: ResultMeaning, matches: dict[int, Match]) -> Reason:
    if meaning.unless is None:
        return Reason(f"result_means.{meaning.outlook}", {"result": meaning.result})
    match = matches.get(meaning.unless.p1)
    if match is None or match.table is None:
        return reason("result_means.unsure", result=meaning.result)
    names = dict(zip((match.p1_id, match.p2_id), match.names, strict=True))
    winner = names.get(meaning.unless.winner) if meaning.unless.winner else None
    return reason("result_means.unless", result=meaning.result, table=match.table, winner=winner)
