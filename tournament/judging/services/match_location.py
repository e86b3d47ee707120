"""Stage, round and table of a player or match, for the records of judges."""

from __future__ import annotations

from tournament.decklists.services.exchanges import current_match
from tournament.events.models.player import Player
from tournament.events.models.round import Match
from tournament.log.step import Recorder


def player_location(player: Player) -> dict[str, object]:
    """Return stage, round and table of the player's latest published match.

    Returns nothing before the first.
    """
    match = current_match(player)
    return {} if match is None else match_location(match)


def match_location(match: Match) -> dict[str, object]:
    """Return stage, round and table as plain numbers."""
    return {"stage": match.round.stage.position, "round": match.round.number, "table": match.table}


def link_log_to_match(recorder: Recorder, match: Match | None) -> None:
    """Note in the log which round and players a step is about."""
    if match is not None:
        subject_words = {f"p{pk}" for pk in (match.p1_id, match.p2_id) if pk is not None}
        recorder.about.update(subject_words | {f"r{match.round_id}"})
