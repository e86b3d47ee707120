"""Say who has qualified and who is out, where numbers of wins or losses decide."""

from __future__ import annotations

from tournament.engine.commands.given import Given


def say_exits(event_input: Given) -> dict[str, object]:
    """Return the players by their exits, in the order of the standings.

    Nothing is returned if no such numbers are set.
    """
    if not event_input.has_exits:
        return {}
    from tournament.engine.exits import ELIMINATED, QUALIFIED

    rows, exits = event_input.standings(), event_input.exits
    return {
        key: [event_input.ids[player] for player in exits.list_players(rows, key)]
        for key in (QUALIFIED, ELIMINATED)
    }
