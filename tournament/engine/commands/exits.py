"""Say who has qualified and who is out, where numbers of wins or losses decide."""

from __future__ import annotations

from tournament.engine.commands.given import Given
from tournament.engine.exits import ELIMINATED, QUALIFIED

EXITS = (QUALIFIED, ELIMINATED)


def say_exits(event_input: Given) -> dict[str, object]:
    """The players by their exits, in the order of the standings; nothing without such numbers."""
    exits = event_input.exits
    if not exits:
        return {}
    rows = event_input.standings()
    return {key: [event_input.ids[player] for player in exits.list_players(rows, key)] for key in EXITS}
