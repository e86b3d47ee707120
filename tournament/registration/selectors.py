"""Read players: search, waiting list, check-in, no-shows, likely duplicates."""

from __future__ import annotations

import re
from dataclasses import dataclass

from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext

from decks.shared.refusals import Refused
from rules import RegistrationField
from tournament.access.permissions import Right
from tournament.access.player_details import given_answers, readable_fields
from tournament.decklists.selectors import current_version
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Match, Round
from tournament.events.name_order import sort_players
from tournament.events.seats import list_owners_of, prefetch_seats
from tournament.events.selectors import get_standings_rounds, get_standings_stage
from tournament.results.selectors import MyMatch, find_opponent, is_at_table
from tournament.shared.text import fold_name, holds_name


def waiting_players(event: Event) -> QuerySet[Player]:
    """Return the waiting list, in the order of registration."""
    players = event.players.filter(status=Player.Status.WAITING)
    return players.order_by(F("waiting_since").asc(nulls_first=True), "number")


def waiting_list_position(player: Player) -> int:
    """Return the player's place in the waiting list, from 1. One query."""
    return list(waiting_players(player.event).values_list("pk", flat=True)).index(player.pk) + 1


def not_checked_in_players(event: Event) -> list[Player]:
    """Return who has a place and is not checked in, by name."""
    absent = event.players.filter(
        status=Player.Status.REGISTERED, dropped_after__isnull=True, checked_in_at__isnull=True
    )
    return sort_players(event, absent)


def was_no_show(event: Event, player: Player) -> bool:
    """Return whether the player dropped before round 1 and never played.

    At most one query.
    """
    has_begun = event.is_playing or event.phase == Event.Phase.FINISHED
    return has_begun and player.dropped_after == 0 and not player.seats.exists()


def has_missed_rounds(event: Event, player: Player) -> bool:
    """Return whether the player missed a published round, dropped before round 1.

    A schedule of groups is made at the start: its players have a part in every round, also where they rest,
    and no other player has. At most three queries.
    """
    stage = get_standings_stage(event) if was_no_show(event, player) else None
    if stage is None:
        return False
    if stage.has_schedule:
        return not stage.entrants.filter(player=player).exists()
    return get_standings_rounds(event).exclude(state=Round.State.DRAFT).exists()


def over_capacity_message(event: Event) -> str | None:
    """Return a message if more players are in than there are places.

    It is None if all have a place. It takes one query.
    """
    player_count = event.players.filter(status=Player.Status.REGISTERED, dropped_after__isnull=True).count()
    if event.capacity is None or player_count <= event.capacity:
        return None
    words = gettext(
        "%(players)s players are registered for %(places)s places. All of them stay. "
        "New players join the waiting list."
    )
    return words % {"players": player_count, "places": event.capacity}


@dataclass(frozen=True, slots=True)
class CheckInOverview:
    """Check-in at a glance; `rows` are those that were requested."""

    rows: list[Player]
    expected_count: int
    checked_in_count: int
    missing_players: list[Player]


def check_in_overview(event: Event, query: str = "") -> CheckInOverview:
    """Return everyone who is expected or waits, by name, and who is missing.

    One query.
    """
    players = sort_players(event, event.players.exclude(status=Player.Status.WITHDRAWN))
    for player in players:
        player.event = event
    active_players = [player for player in players if player.is_in]
    return CheckInOverview(
        rows=[player for player in players if _matches_query(player, query)],
        expected_count=len(active_players),
        checked_in_count=sum(player.checked_in_at is not None for player in active_players),
        missing_players=[player for player in active_players if player.checked_in_at is None],
    )


def _matches_query(player: Player, query: str) -> bool:
    if query.isascii() and query.isdecimal():
        return str(player.number) == query.lstrip("0")
    return holds_name(query, player.name, *player.members)


def player_number_in_code(code: str, event: Event) -> int | None:
    """Return the number in a typed or scanned code.

    The code is the number itself, or the address of a badge of this event.
    """
    text = code.strip()
    badge = re.search(r"/B/([A-Z0-9_-]+)/(\d{1,7})/?$", text.upper())
    if badge is not None:
        return int(badge[2]) if badge[1] == event.slug.upper() else None
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 8 else None


def find_players(event: Event, line: str) -> list[Player]:
    """Return the players that a number, a badge's code or a name can mean.

    A match of the whole name takes precedence over a match of a part.
    """
    number = player_number_in_code(line, event)
    if number is not None:
        return list(event.players.filter(number=number))
    if not fold_name(line) or "/" in line:
        return []
    rows = check_in_overview(event, line.strip()).rows
    return [player for player in rows if fold_name(line) == fold_name(player.name)] or rows


def require_one_player(players: list[Player], line: str) -> Player:
    """Return the player that a typed line means.

    Raises Refused if it means none or several.
    """
    quoted_line = f"“{line.strip()[:60]}”"
    if not players:
        raise Refused("code_unknown", field="line", typed=quoted_line)
    if len(players) > 1:
        raise Refused("several_players_match", field="line", typed=quoted_line, player_count=len(players))
    return players[0]


def likely_duplicates(event: Event) -> list[tuple[Player, Player]]:
    """Return pairs of registrations that share a name, alone or in a team. One query."""
    player_by_name: dict[str, Player] = {}
    pairs: dict[tuple[int, int], tuple[Player, Player]] = {}
    for player in event.players.exclude(status=Player.Status.WITHDRAWN).order_by("number"):
        for name in (player.name, *player.members):
            first = player_by_name.setdefault(fold_name(name), player)
            if first.pk != player.pk:
                pairs[first.pk, player.pk] = (first, player)
    return list(pairs.values())


def public_players(event: Event) -> list[Player]:
    """Return everyone who plays or waits to, by name, without anything private.

    One query.
    """
    players = event.players.exclude(status=Player.Status.WITHDRAWN).only(
        "event_id", "number", "name", "members", "character", "details", "status", "dropped_after",
        "checked_in_at",
    )  # fmt: skip
    return sort_players(event, players)


SHOWN_PLAYERS: dict[str, Q] = {
    "missing": Q(status=Player.Status.REGISTERED, checked_in_at__isnull=True, dropped_after__isnull=True),
    "dropped": Q(dropped_after__isnull=False),
    "waiting": Q(status=Player.Status.WAITING),
}


def search_players(event: Event, query: str = "", show: str = "") -> list[Player]:
    """Return players with their decklist's verdict, by name.

    `show` narrows them to missing, dropped or waiting.
    """
    rows = event.players.select_related("deck_list__current")
    if event.has_boards:
        rows = rows.prefetch_related(prefetch_seats())
    players = rows.filter(SHOWN_PLAYERS[show] if show else Q())
    return sort_players(event, [player for player in players if _holds_query(player, query)])


def _holds_query(player: Player, query: str) -> bool:
    is_in_email = query.casefold() in player.email.casefold()
    return is_in_email or holds_name(query, player.name, player.character)


def player_details(event: Event, player: Player, rights: frozenset[Right]) -> dict[str, object]:
    """Return a player's matches, current list, and other answers.

    These are the answers that no form of these rights has.
    """
    player_matches = Match.objects.filter(is_at_table(player), round__stage__event=event)
    matches = player_matches.select_related("p1", "p2", "round__stage__event")
    return {
        "results": [
            MyMatch(each, player, find_opponent(each, player))
            for each in matches.order_by("round__stage__position", "round__number")
        ],
        "lists": [(owner, current_version(owner)) for owner in list_owners_of(player)],
        "answers": given_answers(player, _fields_beside_form(event, rights)),
    }


def _fields_beside_form(event: Event, rights: frozenset[Right]) -> list[RegistrationField]:
    fields = readable_fields(event.game, rights)
    return [field for field in fields if Right.PLAYERS not in rights or not field.is_asked_of("staff")]


def count_published_rounds(event: Event) -> int:
    """Return how many table rounds players have seen. One query."""
    return get_standings_rounds(event).exclude(state=Round.State.DRAFT).count()
