"""Who may do what in an event: the one place the code asks. `docs/rights.md` says it in words."""

from __future__ import annotations

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


EVERYTHING = frozenset(Right)
MATRIX: dict[str, frozenset[Right]] = {
    Kind.OWNER: EVERYTHING,
    Kind.ORGANIZER: EVERYTHING - {Right.OWN},
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

Person = AbstractBaseUser | AnonymousUser


ALONG = {"event": frozenset({"phase", "swiss_rounds", "screen"}), "decklist": frozenset({"locked_at"})}
BEYOND = {
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


def rights_to_undo(touched: Iterable[tuple[str, frozenset[str] | None]]) -> frozenset[Right]:
    """What somebody needs to take steps back, by the tables and columns these touch.

    Nobody may undo what he may not do: settings and pairs that never meet need `manage`, penalties, deck
    checks and rulings `judge`, lists `lists`, roles and invitations `own`. What rounds and hall screens
    change in passing needs nothing more.
    """
    needed = {
        BEYOND[table]
        for table, columns in touched
        if table in BEYOND and (columns is None or columns - ALONG.get(table, frozenset()))
    }
    return frozenset({Right.UNDO, *needed})


def those_with(right: Right) -> str:
    """The roles that have a right, in words: “an owner, a co-organizer or a judge”."""
    names = [str(Kind(kind).label).lower() for kind, rights in MATRIX.items() if right in rights]
    *others, last = [f"{'an' if name[0] in 'aeiou' else 'a'} {name}" for name in names]
    return f"{', '.join(others)} or {last}" if others else last


def may_appoint(rights: frozenset[Right], kind: str) -> bool:
    """Whether somebody with these rights may give a role to others or take it from them.

    Owners may give every role; co-organizers those of judges and scorekeepers.
    """
    return Right.OWN in rights or (Right.STAFF in rights and kind in (Kind.JUDGE, Kind.SCOREKEEPER))


def role_in(person: Person, event: Event) -> str | None:
    """The person's role in this event, None for the public; a site administrator counts as owner."""
    if not person.is_authenticated:
        return None
    if getattr(person, "is_superuser", False):
        return Kind.OWNER
    return event.staff.filter(user_id=person.pk).values_list("kind", flat=True).first()


def rights_in(person: Person, event: Event) -> frozenset[Right]:
    """Everything the person may do in this event."""
    role = role_in(person, event)
    return MATRIX.get(role, frozenset()) if role else frozenset()


def can(person: Person, event: Event, right: Right) -> bool:
    """Whether the person may do it."""
    return right in rights_in(person, event)


def require(person: Person, event: Event, right: Right) -> None:
    """Raise PermissionDenied with a sentence unless the person may do it."""
    if not can(person, event, right):
        raise PermissionDenied(f"You are not allowed to do this in “{event.name}”. Ask its owner for a role.")


def refuse_beyond(sentences: Sequence[str]) -> None:
    """Raise PermissionDenied with what somebody may not take back, if there is anything."""
    if sentences:
        raise PermissionDenied(" ".join(sentences))


def require_appointing(person: Person, event: Event, kind: str) -> None:
    """Raise PermissionDenied with a sentence unless the person may give this role or take it away."""
    if not may_appoint(rights_in(person, event), kind):
        raise PermissionDenied(f"Only an owner of “{event.name}” can do this.")
