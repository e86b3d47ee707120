"""Sort players by name, as their event wants it."""

from __future__ import annotations

from collections.abc import Iterable

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.shared.names import AS_WRITTEN, NameKey, make_name_key


def get_name_order(event: Event) -> str:
    """Return how the event sorts names; those of teams have no surname."""
    return AS_WRITTEN if event.team_size else event.name_order


def get_player_key(event: Event, player: Player) -> tuple[NameKey, int]:
    """Return what a player is sorted by: the name, then the number."""
    return make_name_key(player.name, get_name_order(event)), player.number


def sort_players(event: Event, players: Iterable[Player]) -> list[Player]:
    """Return the players by name."""
    return sorted(players, key=lambda player: get_player_key(event, player))


def get_owner_key(event: Event, owner: Player) -> tuple[NameKey, int, int]:
    """Return what the owner of a decklist is sorted by.

    A member is sorted by the team, then by the seat.
    """
    return (*get_player_key(event, owner.entrant), owner.seat)


def sort_owners(event: Event, owners: Iterable[Player]) -> list[Player]:
    """Return the owners of decklists by name."""
    return sorted(owners, key=lambda owner: get_owner_key(event, owner))
