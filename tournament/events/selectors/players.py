"""From tournament.selectors.player."""

from __future__ import annotations

from tournament.events.models.player import Player


def player_of(token: str) -> Player | None:
    """The player of a private link with his event and current list; None for an unknown one. One query.

    The link of a registration that became one with another leads to that one, with a query more.
    """
    rows = Player.objects.select_related("event", "deck_list__current")
    found = rows.filter(token=token).first()
    return rows.get(pk=found.merged_into_id) if found and found.merged_into_id else found
