"""The owners of decklists in an event.

They are its players, or the seats of its teams if these play on boards.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.db.models import Prefetch, QuerySet

from tournament.events.models.event import Event
from tournament.events.models.player import Player


def list_owners(event: Event) -> QuerySet[Player]:
    """Return everyone who submits a decklist, but those who withdrew."""
    if not event.has_boards:
        return event.players.exclude(status=Player.Status.WITHDRAWN)
    holders = Player.objects.filter(event=event, seat__range=(1, event.board_count))
    return holders.exclude(team__status=Player.Status.WITHDRAWN)


def list_registered_owners(event: Event) -> QuerySet[Player]:
    """Return everyone who submits a decklist and has a place in the event."""
    if not event.has_boards:
        return event.players.filter(status=Player.Status.REGISTERED)
    return list_owners(event).filter(team__status=Player.Status.REGISTERED)


def find_owners(event: Event) -> QuerySet[Player]:
    """Return everyone who could ever submit a decklist.

    A list is found by the number of its owner.
    """
    owners = Player.objects.filter(event=event, team__isnull=not event.has_boards)
    return owners.select_related("event", "team", "deck_list__current")


def list_owners_of(player: Player) -> list[Player]:
    """Return the owners of the decklists of a player.

    They are the members of a team by seat, or the player alone. One query for a team, none where the members
    were prefetched.
    """
    event = player.event
    if not event.has_boards or player.seat:
        return [player]
    holders = [holder for holder in get_holders(player) if holder.seat <= event.board_count]
    return sorted(holders, key=lambda holder: holder.seat)


def get_holders(team: Player) -> Iterable[Player]:
    """Return the members of a team, each with the team, the event and the list.

    One query.
    """
    holders = Player.objects.filter(team=team).select_related("deck_list__current")
    return set_team(holders, team)


def prefetch_seats() -> Prefetch[str, QuerySet[Player], str]:
    """Return the members of teams with their lists, for `Player.submitted_seats`.

    One query.
    """
    return Prefetch("seat_holders", queryset=Player.objects.select_related("deck_list__current"))


def set_team(holders: Iterable[Player], team: Player) -> Iterator[Player]:
    """Yield the same members, who know their team and event without a query."""
    for holder in holders:
        holder.team, holder.event = team, team.event
        yield holder


def map_seats(event: Event, teams: Iterable[Player]) -> dict[int, list[Player]]:
    """Return the owners of the decklists of many players, by the id of the player.

    One query for teams.
    """
    players = list(teams)
    if not event.has_boards:
        return {player.pk: [player] for player in players}
    by_id = {player.pk: player for player in players}
    seats: dict[int, list[Player]] = {pk: [] for pk in by_id}
    holders = list_owners(event).filter(team__in=by_id).select_related("deck_list__current")
    for holder in holders.order_by("seat"):
        team = by_id[holder.team_id or 0]
        holder.team, holder.event = team, team.event
        seats[team.pk].append(holder)
    return seats
