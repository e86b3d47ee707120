"""Reload a player under the lock; validate names, emails, teams and characters."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Max, Q, QuerySet

from decks.shared.refusals import Refused
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.settings import get_game
from tournament.shared.text import fold_name

OPEN_PHASES = (Event.Phase.REGISTRATION, Event.Phase.CHECK_IN)

BEFORE_START = (Event.Phase.PREPARING, *OPEN_PHASES)


def reload_player(player: Player) -> None:
    """Reload the player under the event's lock.

    Nothing older than the lock is used for a decision.
    """
    player.refresh_from_db(
        fields=[
            "name", "email", "folded_name", "namesake", "status", "checked_in_at", "dropped_after",
            "drop_reason", "waiting_since", "merged_into", "details",
        ]
    )  # fmt: skip


def name_problems(name: str) -> Iterator[Refused]:
    """Yield what is wrong with a name by itself."""
    if not fold_name(name):
        yield Refused("name_missing.player", field="name")
    if len(name) > 80:
        yield Refused("name_too_long", field="name")
    if any(unicodedata.category(char) == "Cc" for char in name):
        yield Refused("name_unreadable", field="name")


def email_problems(
    event: Event, email: str, *, is_required: bool = False, excluded_player: Player | None = None
) -> Iterator[Refused]:
    """Yield the problems of an email address.

    It may be missing, not be an address, or be known in this event already.
    """
    problems = list(email_syntax_problems(email, is_required=is_required))
    if problems:
        yield from problems
    elif find_player_by_email(event, email, excluded_player) is not None:
        yield Refused("already_registered", field="email")


def find_player_by_email(event: Event, email: str, excluded_player: Player | None = None) -> Player | None:
    """Return the player who is registered with an address."""
    players = _other_players(event, excluded_player).filter(email__iexact=email)
    return players.select_related("event").first() if email else None


def email_syntax_problems(email: str, *, is_required: bool = False) -> Iterator[Refused]:
    """Yield the problems of an email address by itself.

    No address is no problem unless `is_required`.
    """
    if not email:
        if is_required:
            yield Refused("email_missing", field="email")
        return
    try:
        validate_email(email)
    except ValidationError:
        yield Refused("email_invalid", field="email", email=email[:80])
        return
    if len(email) > 254:
        yield Refused("email_invalid.too_long", field="email")


def same_name_refusal(other: Player) -> Refused:
    """Return the question that a known name raises."""
    return Refused("same_name", field="name", other=other.name, number=other.number)


def namesake_problems(
    event: Event, names: list[str], excluded_player: Player | None = None
) -> Iterator[Refused]:
    """Ask for each registered name whether it is the same person.

    A name can be registered alone or in a team.
    """
    folded_names = {fold_name(name) for name in names} - {""}
    for other in _possible_namesakes(folded_names, event, excluded_player):
        known_names = {
            other.folded_name or fold_name(other.name),
            *(fold_name(member) for member in other.members),
        }
        if known_names & folded_names:
            yield same_name_refusal(other)


def _possible_namesakes(
    folded_names: set[str], event: Event, excluded_player: Player | None
) -> QuerySet[Player]:
    """Return who is called so by the database, and whose other names must be read.

    Of thousands who came, few.
    """
    read_closer = Q(folded_name="") | ~Q(members=[])
    players = _other_players(event, excluded_player).filter(Q(folded_name__in=folded_names) | read_closer)
    return players.only("event", "name", "number", "folded_name", "members").order_by("number")


def next_namesake_number(event: Event, folded_name: str, excluded_player: Player | None = None) -> int:
    """Return 0 for the first player of a name, otherwise the next number.

    This is the next one that no one of that name has.
    """
    last = (
        _other_players(event, excluded_player)
        .filter(folded_name=folded_name)
        .aggregate(last=Max("namesake"))["last"]
    )
    return 0 if last is None else last + 1


def next_namesake_numbers(event: Event, folded_names: Sequence[str]) -> list[int]:
    """Return the namesake numbers of several new players, in their order.

    Several of them may have the same name.
    """
    last = dict(
        _other_players(event, None)
        .filter(folded_name__in=set(folded_names))
        .values_list("folded_name")
        .annotate(last=Max("namesake"))
    )
    numbers = []
    for name in folded_names:
        last[name] = last.get(name, -1) + 1
        numbers.append(last[name])
    return numbers


def _other_players(event: Event, excluded_player: Player | None) -> QuerySet[Player]:
    other_players = event.players.exclude(status=Player.Status.WITHDRAWN)
    return other_players if excluded_player is None else other_players.exclude(pk=excluded_player.pk)


MAX_TEAM_SIZE = 6


def team_size_problems(size: int | None) -> Iterator[Refused]:
    """Yield what is wrong with the size of an event's teams."""
    if size is not None and not 2 <= size <= MAX_TEAM_SIZE:
        yield Refused("team_size_out_of_range", field="team_size", max_team_size=MAX_TEAM_SIZE, size=size)


def team_problems(event: Event, members: Sequence[str]) -> Iterator[Refused]:
    """Yield the problems of a team's members.

    There may be too few or too many, one of them twice, or names too long.
    """
    size = event.team_size
    if size is None:
        if members:
            yield Refused("no_teams", field="members")
        return
    if len(members) != size:
        yield Refused("team_size_wrong", field="members", size=size, named=len(members))
    repeated_names = [name for name, count in Counter(map(fold_name, members)).items() if count > 1]
    if repeated_names:
        repeated_member = next(member for member in members if fold_name(member) == repeated_names[0])
        yield Refused("member_twice", field="members", member=repeated_member)
    for member in members:
        if len(member) > 80:
            yield Refused("name_too_long", field="members")


def missing_character_refusal(event: Event) -> Refused:
    """Refuse a player without a character.

    A diversity cut is decided by declared characters.
    """
    return Refused("character_missing", field="character", clause=cite_diversity_cut(event))


def fixed_character_refusal(event: Event) -> Refused:
    """Refuse to change a declared character."""
    return Refused("character_fixed", field="character", clause=cite_diversity_cut(event))


def cite_diversity_cut(event: Event) -> str | None:
    """Return the game's clause about declared characters, if its documents have one."""
    return get_game(event).cite("diversity_cut") or None


def character_problems(character: str) -> Iterator[Refused]:
    """Yield what is wrong with a character's name by itself."""
    if len(character) > 80:
        yield Refused("character_too_long", field="character")
