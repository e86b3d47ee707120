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


def get_rights_to_undo(changed_columns: Iterable[tuple[str, frozenset[str] | None]]) -> frozenset[Right]:
    """Return the rights to undo steps, by the tables and columns they changed.

    Undoing needs the right to do: settings and pairs that never meet need `manage`, penalties, deck
    checks and rulings `judge`, lists `lists`, roles and invitations `own`. What rounds and hall screens
    change in passing needs nothing more.
    """
    needed_rights = {
        RIGHT_BY_TABLE[table]
        for table, columns in changed_columns
        if table in RIGHT_BY_TABLE
        and (columns is None or columns - INCIDENTAL_COLUMNS.get(table, frozenset()))
    }
    return frozenset({Right.UNDO, *needed_rights})


def format_roles_with(right: Right) -> str:
    """The roles that have a right, in words: “an owner, a co-organizer or a judge”."""
    names = [str(Kind(kind).label).lower() for kind, rights in RIGHTS_BY_ROLE.items() if right in rights]
    *others, last = [f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for name in names]
    return f"{', '.join(others)} or {last}" if others else last


def can_appoint(rights: frozenset[Right], kind: str) -> bool:
    """Whether these rights allow giving a role to others or taking it away.

    Owners may give every role; co-organizers those of judges and scorekeepers.
    """
    return Right.OWN in rights or (Right.STAFF in rights and kind in (Kind.JUDGE, Kind.SCOREKEEPER))


def get_role(user: AnyUser, event: Event) -> str | None:
    """Return the user's role, None for the public; site administrators are owners."""
    if not user.is_authenticated:
        return None
    if getattr(user, "is_superuser", False):
        return Kind.OWNER
    return event.staff.filter(user_id=user.pk).values_list("kind", flat=True).first()


def get_rights(user: AnyUser, event: Event) -> frozenset[Right]:
    """Everything the person may do in this event."""
    role = get_role(user, event)
    return RIGHTS_BY_ROLE.get(role, frozenset()) if role else frozenset()


def has_right(user: AnyUser, event: Event, right: Right) -> bool:
    """Whether the person may do it."""
    return right in get_rights(user, event)


def require_right(user: AnyUser, event: Event, right: Right) -> None:
    """Raise PermissionDenied with a sentence unless the person may do it."""
    if not has_right(user, event, right):
        raise PermissionDenied(f"You are not allowed to do this in “{event.name}”. Ask its owner for a role.")


def deny_missing_rights(sentences: Sequence[str]) -> None:
    """Raise PermissionDenied with the missing rights, if there are any."""
    if sentences:
        raise PermissionDenied(" ".join(sentences))


def require_right_to_appoint(user: AnyUser, event: Event, kind: str) -> None:
    """Raise PermissionDenied unless the user may give or take this role."""
    if not can_appoint(get_rights(user, event), kind):
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
