"""One registration a person: known by address, asked about by name."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import Max, Q, QuerySet

from decks.shared.refusals import Refused
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.shared.name_folding import fold

Status = Player.Status


def name_problems(name: str) -> Iterator[Refused]:
    """What is wrong with a name by itself."""
    if not fold(name):
        yield Refused("name_missing", "A player needs a name.", field="name")
    if len(name) > 80:
        yield Refused("name_too_long", "A name has at most 80 characters.", field="name")
    if any(unicodedata.category(char) == "Cc" for char in name):
        yield Refused(
            "name_unreadable", "A name is one line of letters, without control signs.", field="name"
        )


def email_problems(
    event: Event, email: str, *, required: bool = False, besides: Player | None = None
) -> Iterator[Refused]:
    """What speaks against an address: missing, none at all, or known in this event already."""
    if not email:
        if required:
            yield Refused("email_missing", "Your e-mail address is needed.", field="email")
        return
    wrong = list(address_problems(email))
    if wrong:
        yield from wrong
    elif _others(event, besides).filter(email__iexact=email).exists():
        yield Refused(
            "already_registered",
            "Somebody with this e-mail address is already registered.",
            fix="Use your private link, or ask the organizer to send it again.",
            field="email",
        )


def address_problems(email: str) -> Iterator[Refused]:
    """What is wrong with an address by itself; none is no problem."""
    if not email:
        return
    try:
        validate_email(email)
    except ValidationError:
        yield Refused("email_invalid", f"“{email[:80]}” is not an e-mail address.", field="email")
        return
    if len(email) > 254:
        yield Refused("email_invalid", "An e-mail address has at most 254 characters.", field="email")


def same_name(other: Player) -> Refused:
    """The question that a known name raises."""
    return Refused(
        "same_name",
        f"{other.name} (number {other.number}) is registered already.",
        fix="The same person needs no second registration; say so if this is somebody else.",
        field="name",
    )


def namesake_problems(event: Event, names: list[str], besides: Player | None = None) -> Iterator[Refused]:
    """Asks for each name that is registered already, alone or in a team, whether it is the same person."""
    asked = {fold(name) for name in names} - {""}
    for other in _perhaps_called(asked, event, besides):
        known = {other.folded_name or fold(other.name), *(fold(member) for member in other.members)}
        if known & asked:
            yield same_name(other)


def _perhaps_called(asked: set[str], event: Event, besides: Player | None) -> QuerySet[Player]:
    """Who is called so by the database, and whose other names must be read: of thousands who came, few."""
    read_closer = Q(folded_name="") | ~Q(members=[])
    found = _others(event, besides).filter(Q(folded_name__in=asked) | read_closer)
    return found.only("event", "name", "number", "folded_name", "members").order_by("number")


def namesake_number(event: Event, folded: str, besides: Player | None = None) -> int:
    """0 for the first of a name, otherwise the next that nobody of that name has."""
    last = _others(event, besides).filter(folded_name=folded).aggregate(last=Max("namesake"))["last"]
    return 0 if last is None else last + 1


def _others(event: Event, besides: Player | None) -> QuerySet[Player]:
    others = event.players.exclude(status=Status.WITHDRAWN)
    return others if besides is None else others.exclude(pk=besides.pk)
