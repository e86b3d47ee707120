"""Actors, staff roles and rights: who acts, and what they may do in an event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext, gettext_lazy

if TYPE_CHECKING:
    from tournament.events.models.player import Player

from collections.abc import Iterable, Sequence
from enum import StrEnum

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404

from decks.access import AnyUser as AnyUser
from decks.access import get_signed_in_user as get_signed_in_user
from decks.shared.rows import find_row
from decks.shared.wording import format_reason
from rules.reason import reason
from tournament.events.models.event import Event, StaffRole
from tournament.shared import coded_texts

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
    LINKS = "links"
    PRINT = "print"
    EXPORT = "export"
    UNDO = "undo"
    STAFF = "staff"
    OWN = "own"


ALL_RIGHTS = frozenset(Right)

# The rights of a private link. Who sees a link, or decides to which mailbox it goes, needs all of it.
RIGHTS_OF_A_PRIVATE_LINK = frozenset({Right.PLAYERS, Right.SCORE, Right.LISTS, Right.JUDGE})

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

INCIDENTAL_COLUMNS = {
    "event": frozenset({"phase", "swiss_rounds", "screen"}),
    "decklist": frozenset({"locked_at"}),
}

# Targets of emails with the private link, and links that lead to a player.
LINK_COLUMNS = frozenset({"email", "merged_into_id"})

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

    Undoing needs the right to do: settings and pairs that never meet need `manage`, penalties, deck checks
    and rulings `judge`, lists `lists`, email addresses `links`, roles and invitations `own`. What rounds and
    venue screens change in passing needs nothing more.
    """
    return frozenset({Right.UNDO, *filter(None, (_right_to_undo(*change) for change in changed_columns))})


def _right_to_undo(table: str, columns: frozenset[str] | None) -> Right | None:
    if table == "player":
        return Right.LINKS if columns and columns & LINK_COLUMNS else None
    is_incidental = columns is not None and columns <= INCIDENTAL_COLUMNS.get(table, frozenset())
    return None if is_incidental else RIGHT_BY_TABLE.get(table)


def format_roles_with(right: Right) -> str:
    """Return the roles that have a right, in words.

    Example: “an owner, a co-organizer or a judge”.
    """
    roles = tuple(
        reason("role", role=str(role)) for role, rights in RIGHTS_BY_ROLE.items() if right in rights
    )
    return format_reason("reason", reason("roles", roles=roles))


def can_appoint(rights: frozenset[Right], kind: str) -> bool:
    """Return whether these rights allow giving a role to others or taking it away.

    Owners may give every role; co-organizers those of judges and scorekeepers.
    """
    return Right.OWN in rights or (Right.STAFF in rights and kind in (Kind.JUDGE, Kind.SCOREKEEPER))


def get_role(user: AnyUser, event: Event) -> str | None:
    """Return the user's role, None for the public; site administrators are owners."""
    if not user.is_authenticated:
        return None
    if getattr(user, "is_superuser", False):
        return Kind.OWNER
    return find_row(event.staff.filter(user_id=user.pk).values_list("kind", flat=True))


def get_rights(user: AnyUser, event: Event) -> frozenset[Right]:
    """Return everything that the person may do in this event."""
    role = get_role(user, event)
    return RIGHTS_BY_ROLE.get(role, frozenset()) if role else frozenset()


def has_right(user: AnyUser, event: Event, right: Right) -> bool:
    """Return whether the person may do it."""
    return right in get_rights(user, event)


NO_EVENT = gettext_lazy("There is no public event at this address.")


def get_visible_event(user: AnyUser, slug: str) -> Event:
    """Return the event if the person may know of it.

    Raises Http404, alike for an event in preparation that is not theirs and for one that does not exist.
    """
    event = _get_event(slug)
    if not (event.is_public or has_right(user, event, Right.SEE)):
        raise Http404(NO_EVENT)
    return event


def get_event_with_rights(user: AnyUser, slug: str, right: Right) -> tuple[Event, frozenset[Right]]:
    """Return the event, and everything that the person may do in it.

    Two queries at most. Raises Http404 and PermissionDenied as `require_right` does.
    """
    event = _get_event(slug)
    return event, require_right(user, event, right)


def _get_event(slug: str) -> Event:
    event = find_row(Event.objects.filter(slug=slug.replace("\0", "")))
    if event is None:
        raise Http404(NO_EVENT)
    return event


def require_right(user: AnyUser, event: Event, right: Right) -> frozenset[Right]:
    """Return everything that the person may do in the event.

    Raises PermissionDenied with a sentence unless the right is among it, and Http404 for a hidden event.
    """
    rights = get_rights(user, event)
    if not rights and not event.is_public:
        raise Http404(NO_EVENT)
    if right not in rights:
        sentence = gettext("You are not allowed to do this in “%(event)s”. Ask its owner for a role.")
        raise PermissionDenied(sentence % {"event": event.name})
    return rights


def deny_missing_rights(sentences: Sequence[str]) -> None:
    """Raise PermissionDenied with the missing rights, if there are any."""
    if sentences:
        raise PermissionDenied(" ".join(sentences))


def require_right_to_appoint(user: AnyUser, event: Event, kind: str) -> None:
    """Raise PermissionDenied unless the user may give or take this role."""
    if not can_appoint(get_rights(user, event), kind):
        sentence = gettext("Only an owner of “%(event)s” can do this.")
        raise PermissionDenied(sentence % {"event": event.name})


@dataclass(frozen=True, slots=True)
class Actor:
    """`label` is what the log shows; `user` and `player` are set if there is one.

    Both are set for staff who act by a player's private link.
    """

    label: str
    user: User | None = None
    player: Player | None = None

    @classmethod
    def of_user(cls, user: AnyUser, player: Player | None = None) -> Actor:
        """Return a signed-in person, by full name or email.

        With a player, the person acts by that player's private link. Raises PermissionDenied for someone who
        is not signed in.
        """
        user = get_signed_in_user(user)
        return cls(label=user.get_full_name() or user.get_username(), user=user, player=player)

    @classmethod
    def of_player(cls, player: Player) -> Actor:
        """Return a player who came by private link."""
        return cls(label=player.name, player=player)

    @property
    def author(self) -> str:
        """The actor in the form that rows store: see `tournament.shared.coded_texts`."""
        if self.user is not None:
            return coded_texts.strip_sign(self.label)
        return self.label if self.player is None else coded_texts.BY_PLAYER

    @classmethod
    def of_private_link(cls, user: AnyUser, player: Player) -> Actor:
        """Return who acts by a private link.

        The player, or the member of the staff who is signed in there.
        """
        return cls.of_user(user, player) if get_role(user, player.event) else cls.of_player(player)


SYSTEM_ACTOR = Actor(label="Ringside")
VISITOR = Actor(label=coded_texts.BY_VISITOR)
