"""Actors, staff roles and rights: who acts, and what they may do in an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from tournament.events.models.player import Player

from collections.abc import Iterable, Sequence
from enum import StrEnum

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied

from tournament.events.models.event import Event, StaffRole

Kind = StaffRole.Kind


class Right(StrEnum):
    """Something staff may do in one event."""

    SEE = "see"
    MANAGE = "manage"
    PLAYERS = "players"
    PAIR = "pair"
    SCORE = "score"
    LISTS = "lists"
    JUDGE = "judge"
    PRINT = "print"
    EXPORT = "export"
    UNDO = "undo"
    STAFF = "staff"
    OWN = "own"


ALL_RIGHTS = frozenset(Right)

RIGHTS_BY_ROLE: dict[str, frozenset[Right]] = {
    Kind.OWNER: ALL_RIGHTS,
    Kind.ORGANIZER: ALL_RIGHTS - {Right.OWN},
    Kind.JUDGE: frozenset({Right.SEE, Right.SCORE, Right.LISTS, Right.JUDGE, Right.PRINT}),
    Kind.SCOREKEEPER: frozenset(
        {
            Right.SEE,
            Right.PLAYERS,
            Right.PAIR,
            Right.SCORE,
            Right.PRINT,
            Right.UNDO,
        }
    ),
}

AnyUser = AbstractBaseUser | AnonymousUser

INCIDENTAL_COLUMNS = {
    "event": frozenset({"phase", "swiss_rounds", "screen"}),
    "decklist": frozenset({"locked_at"}),
}

RIGHT_BY_TABLE = {
    "event": Right.MANAGE,
    "forbiddenpair": Right.MANAGE,
    "penalty": Right.JUDGE,
    "checkdraw": Right.JUDGE,
    "deckcheck": Right.JUDGE,
    "tableruling": Right.JUDGE,
    "exchangecheck": Right.LISTS,
    "decklist": Right.LISTS,
    "staffrole": Right.OWN,
    "invitation": Right.OWN,
}


def get_rights_to_undo(touched: Iterable[tuple[str, frozenset[str] | None]]) -> frozenset[Right]:
    """What somebody needs to take steps back, by the tables and columns these touch.

    Nobody may undo what he may not do: settings and pairs that never meet need `manage`, penalties, deck
    checks and rulings `judge`, lists `lists`, roles and invitations `own`. What rounds and hall screens
    change in passing needs nothing more.
    """
    needed = {
        RIGHT_BY_TABLE[table]
        for table, columns in touched
        if table in RIGHT_BY_TABLE
        and (columns is None or columns - INCIDENTAL_COLUMNS.get(table, frozenset()))
    }
    return frozenset({Right.UNDO, *needed})


def format_roles_with(right: Right) -> str:
    """The roles that have a right, in words: “an owner, a co-organizer or a judge”."""
    names = [str(Kind(kind).label).lower() for kind, rights in RIGHTS_BY_ROLE.items() if right in rights]
    *others, last = [f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for name in names]
    return f"{', '.join(others)} or {last}" if others else last


def can_appoint(rights: frozenset[Right], kind: str) -> bool:
    """Whether somebody with these rights may give a role to others or take it from them.

    Owners may give every role; co-organizers those of judges and scorekeepers.
    """
    return Right.OWN in rights or (Right.STAFF in rights and kind in (Kind.JUDGE, Kind.SCOREKEEPER))


def get_role(person: AnyUser, event: Event) -> str | None:
    """The person's role in this event, None for the public; a site administrator counts as owner."""
    if not person.is_authenticated:
        return None
    if getattr(person, "is_superuser", False):
        return Kind.OWNER
    return event.staff.filter(user_id=person.pk).values_list("kind", flat=True).first()


def get_rights(person: AnyUser, event: Event) -> frozenset[Right]:
    """Everything the person may do in this event."""
    role = get_role(person, event)
    return RIGHTS_BY_ROLE.get(role, frozenset()) if role else frozenset()


def has_right(person: AnyUser, event: Event, right: Right) -> bool:
    """Whether the person may do it."""
    return right in get_rights(person, event)


def require_right(person: AnyUser, event: Event, right: Right) -> None:
    """Raise PermissionDenied with a sentence unless the person may do it."""
    if not has_right(person, event, right):
        raise PermissionDenied(f"You are not allowed to do this in “{event.name}”. Ask its owner for a role.")


def deny_missing_rights(sentences: Sequence[str]) -> None:
    """Raise PermissionDenied with what somebody may not take back, if there is anything."""
    if sentences:
        raise PermissionDenied(" ".join(sentences))


def require_right_to_appoint(person: AnyUser, event: Event, kind: str) -> None:
    """Raise PermissionDenied with a sentence unless the person may give this role or take it away."""
    if not can_appoint(get_rights(person, event), kind):
        raise PermissionDenied(f"Only an owner of “{event.name}” can do this.")


@dataclass(frozen=True, slots=True)
class Actor:
    """`label` is what the log shows; `user` and `player` are set where there is one."""

    label: str
    user: User | None = None
    player: Player | None = None

    @classmethod
    def of_user(cls, user: User) -> Actor:
        """A signed-in person, by full name or e-mail."""
        return cls(label=user.get_full_name() or user.get_username(), user=user)

    @classmethod
    def of_player(cls, player: Player) -> Actor:
        """A player who came by private link."""
        return cls(label=player.name, player=player)


SYSTEM_ACTOR = Actor(label="Ringside")
