"""Who may do what in an event: the one place the code asks. `docs/rights.md` says it in words."""

from __future__ import annotations

from enum import StrEnum

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied

from tournament.models import Event, StaffRole

Kind = StaffRole.Kind


class Right(StrEnum):
    """Something staff may do in one event."""

    SEE = "see"
    MANAGE = "manage"
    PLAYERS = "players"
    PAIR = "pair"
    SCORE = "score"
    LISTS = "lists"
    PRINT = "print"
    EXPORT = "export"


EVERYTHING = frozenset(Right)
MATRIX: dict[str, frozenset[Right]] = {
    Kind.OWNER: EVERYTHING,
    Kind.ORGANIZER: EVERYTHING,
    Kind.JUDGE: frozenset({Right.SEE, Right.SCORE, Right.LISTS, Right.PRINT}),
    Kind.SCOREKEEPER: frozenset({Right.SEE, Right.PLAYERS, Right.PAIR, Right.SCORE, Right.PRINT}),
}

Person = AbstractBaseUser | AnonymousUser


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
