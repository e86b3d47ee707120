"""Matches and results as the API shows them.

What is said with names comes under codes with players by number.
"""

from __future__ import annotations

from decks.shared.stated_reasons import StatedReason
from rules.reason import reason
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.events.stated_reasons import state_named_reason
from tournament.log.facts import describe_match
from tournament.matches import describe_result, name_pair, name_result


def state_result(match: Match) -> StatedReason:
    """Return what a match ended with, for programs and people."""
    return state_named_reason(name_result(match), describe_result(match), _list_players(match))


def state_match_with_result(match: Match) -> StatedReason:
    """Return a match and its result, for programs and people."""
    named_reason, referring = (
        reason("match_with_result", match=pair, result=result)
        for pair, result in (
            (name_pair(match), name_result(match)),
            (describe_match(match), describe_result(match)),
        )
    )
    return state_named_reason(named_reason, referring, _list_players(match))


def state_replaced_match(old: Match, new: Match | None) -> StatedReason:
    """Return which match takes the place of another, for programs and people."""
    named_reason, referring = (
        reason("match_replaced", old=describe(old), new=describe(new) if new else None)
        for describe in (name_pair, describe_match)
    )
    players = [*_list_players(old), *(_list_players(new) if new else ())]
    return state_named_reason(named_reason, referring, players)


def _list_players(match: Match) -> list[Player]:
    return [side.player for side in match.sides]
