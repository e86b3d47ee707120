"""Leagues: make one, change it, say which events belong to it and which registrations are one person.

A league stands beside its events: nothing here touches an event or its log.
"""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from tournament.errors import Refused, refuse_all
from tournament.models import Event, League, LeagueEvent, Player, SamePerson
from tournament.selectors.leagues import events_to_add
from tournament.services.actor import Actor

RESERVED = {"new"}
MOST_COUNTED = 1000


def create(owner: User, **values: Any) -> League:
    """Make a league of `name`, `notes`, `points` (as kept) and `best_of`. Refused names all that is wrong."""
    refuse_all(_problems(values))
    with transaction.atomic():
        return League.objects.create(owner=owner, slug=_free_slug(values["name"]), **values)


def change(league: League, **values: Any) -> League:
    """Change a league's name, notes, points or how many results count. Raises Refused like `create`."""
    refuse_all(_problems(values))
    League.objects.filter(pk=league.pk).update(**values)
    league.refresh_from_db()
    return league


def _problems(values: dict[str, Any]) -> list[Refused]:
    found = []
    if "name" in values and not values["name"].strip():
        found.append(Refused("name_missing", "The league needs a name.", field="name"))
    best_of = values.get("best_of")
    if best_of is not None and not 1 <= best_of <= MOST_COUNTED:
        found.append(
            Refused(
                "best_of_wrong",
                f"From 1 to {MOST_COUNTED} results can count.",
                fix="Leave it empty to count all.",
                field="best_of",
            )
        )
    return found


def _free_slug(name: str) -> str:
    base = slugify(name)[:60] or "league"
    taken = RESERVED | set(League.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    return next(slug for slug in (base, *(f"{base}-{n}" for n in range(2, 10_000))) if slug not in taken)


def add_event(league: League, person: User, event: Event) -> LeagueEvent:
    """Put an event that the person manages into the league; a second time changes nothing."""
    standing = LeagueEvent.objects.filter(league=league, event=event).first()
    if standing is not None:
        return standing
    if not events_to_add(person, league).filter(pk=event.pk).exists():
        raise Refused(
            "not_your_event",
            f"You do not manage {event.name}.",
            fix="Ask its owner to make you a co-organizer.",
            field="event",
        )
    try:
        with transaction.atomic():
            return LeagueEvent.objects.create(league=league, event=event)
    except IntegrityError:  # somebody else pressed the same button
        return LeagueEvent.objects.get(league=league, event=event)


def remove_event(league: League, entry: int) -> None:
    """Take an event out of the league; a second time changes nothing."""
    LeagueEvent.objects.filter(league=league, pk=entry).delete()


def join(league: League, actor: Actor, one: int, two: int) -> SamePerson:
    """Say that two registrations of the league, by id, are one person. A second time changes nothing."""
    first, second = sorted((one, two))
    inside = Player.objects.filter(pk__in=(first, second), event__league_entries__league=league)
    if first == second or inside.count() != 2:
        raise Refused("not_in_the_league", "Choose two different registrations of this league.", field="two")
    made, _ = SamePerson.objects.get_or_create(
        league=league,
        one_id=first,
        two_id=second,
        defaults={"said_by": actor.label[:120], "said_at": timezone.now()},
    )
    return made


def part(league: League, word: int) -> None:
    """Take back that two registrations are one person; a second time changes nothing."""
    SamePerson.objects.filter(league=league, pk=word).delete()
