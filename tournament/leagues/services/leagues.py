"""Leagues: make one, change it, say which events belong to it and which registrations are one person.

A league stands beside its events: nothing here touches an event or its log. It has a log of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.text import slugify

from decks.shared.refusals import Refused, refuse_all
from tournament.access.actor import Actor
from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.leagues.models import League, LeagueEvent, LeagueLine, SamePerson
from tournament.leagues.selectors import events_to_add
from tournament.leagues.services.log import league_step

Kind = LeagueLine.Kind
WORDS = {
    "name": "its name",
    "notes": "what players should know",
    "points": "the points",
    "best_of": "how many results count",
}
RESERVED = {"new"}
MOST_COUNTED = 1000


def create(owner: User, **values: Any) -> League:
    """Make a league of `name`, `notes`, `points` (as kept) and `best_of`. Refused names all that is wrong."""
    refuse_all(_problems(values))
    with transaction.atomic():
        made = League.objects.create(owner=owner, slug=_free_slug(values["name"]), **values)
        with league_step(made, Actor.of_user(owner)) as step:
            step.say(Kind.MADE, f"made the league “{made.name}”.", None, {"name": made.name})
    return made


def change(league: League, actor: Actor, **values: Any) -> League:
    """Change a league's name, notes, points or how many results count. Raises Refused like `create`."""
    refuse_all(_problems(values))
    with league_step(league, actor) as step:
        before = {
            name: getattr(step.league, name) for name in values if getattr(step.league, name) != values[name]
        }
        after = {name: values[name] for name in before}
        if after:
            League.objects.filter(pk=league.pk).update(**after)
            step.say(Kind.LEAGUE, f"changed {_listed(after)}.", before, after)
    league.refresh_from_db()
    return league


def _listed(names: Iterable[str]) -> str:
    return " and ".join(WORDS[name] for name in names)


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
    with league_step(league, Actor.of_user(person)) as step:
        entry, is_new = LeagueEvent.objects.get_or_create(league=league, event=event)
        if is_new:
            step.say(Kind.EVENT, f"put {event.name} in.", None, {"event": event.pk})
    return entry


def remove_event(league: League, actor: Actor, entry: int) -> None:
    """Take an event out of the league; a second time changes nothing."""
    with league_step(league, actor) as step:
        standing = LeagueEvent.objects.filter(league=league, pk=entry).select_related("event").first()
        if standing is not None:
            standing.delete()
            step.say(Kind.EVENT, f"took {standing.event.name} out.", {"event": standing.event_id}, None)


def join(league: League, actor: Actor, one: int, two: int) -> SamePerson:
    """Say that two registrations of the league, by id, are one person. A second time changes nothing."""
    first, second = sorted((one, two))
    with league_step(league, actor) as step:
        inside = Player.objects.filter(pk__in=(first, second), event__league_entries__league=league)
        if first == second or inside.count() != 2:
            raise Refused(
                "not_in_the_league", "Choose two different registrations of this league.", field="two"
            )
        told = {"said_by": actor.label[:120], "said_at": timezone.now()}
        made, is_new = SamePerson.objects.get_or_create(
            league=league, one_id=first, two_id=second, defaults=told
        )
        if is_new:
            step.say(Kind.PERSON, f"said that {_pair(made)} are one person.", None, _facts(made))
    return made


def part(league: League, actor: Actor, word: int) -> None:
    """Take back that two registrations are one person; a second time changes nothing."""
    with league_step(league, actor) as step:
        pairs = SamePerson.objects.select_related("one__event", "two__event")
        standing = pairs.filter(league=league, pk=word).first()
        if standing is not None:
            facts = _facts(standing)
            standing.delete()
            step.say(Kind.PERSON, f"said that {_pair(standing)} are two people.", facts, None)


def let_go(registrations: Sequence[int], actor: Actor) -> None:
    """Registrations, by id, that are about to go from their event are one person with nobody any more.

    The log of each league says so; once the registration is back, its line can be taken back.
    """
    words = SamePerson.objects.filter(Q(one__in=registrations) | Q(two__in=registrations))
    for word in words.select_related("league", "one__event", "two__event").order_by("league_id", "pk"):
        with league_step(word.league, actor) as step:
            facts, said = _facts(word), f"so that {_pair(word)} are two people."
            word.delete()
            step.say(Kind.PERSON, f"took back a registration in its event, {said}", facts, None)


def _facts(pair: SamePerson) -> dict[str, int]:
    return {"one": pair.one_id, "two": pair.two_id}


def _pair(pair: SamePerson) -> str:
    return f"{pair.one.name} ({pair.one.event.name}) and {pair.two.name} ({pair.two.event.name})"
