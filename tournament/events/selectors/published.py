"""From tournament.selectors.public."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Count, Q, QuerySet

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round

Phase = Event.Phase


Status = Player.Status


PAST_SHOWN = 30


_REGISTERED = Count("players", filter=Q(players__status=Status.REGISTERED))


_WAITING = Count("players", filter=Q(players__status=Status.WAITING))


def counted_events() -> QuerySet[Event]:
    """All events, each with `registered` and `waiting` players counted."""
    return Event.objects.annotate(registered=_REGISTERED, waiting=_WAITING)


def public_events() -> QuerySet[Event]:
    """The events that are not being prepared, with the same counts."""
    return counted_events().exclude(phase=Phase.PREPARING)


def public_event(slug: str) -> Event | None:
    """One event as the public sees it; None when there is none or it is still being prepared. One query."""
    return public_events().filter(slug=slug).first()


def public_version(slug: str) -> tuple[int, int] | None:
    """The key and the version of an event that the public sees; None as above. One small query."""
    shown = Event.objects.exclude(phase=Phase.PREPARING).filter(slug=slug)
    return shown.values_list("pk", "version").first()


def published_rounds(event: Event) -> list[Round]:
    """Rounds that players may see, in the order they are played. One query."""
    rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    return list(rounds.select_related("stage"))


def swiss_rounds(rounds: Iterable[Round]) -> list[Round]:
    """Those of the rounds that are no part of a bracket: Swiss and round robin."""
    return [each for each in rounds if not each.stage.is_elimination]


def characters_are_public(event: Event) -> bool:
    """Declared characters show once nobody can prepare against them any more (our reading of UFS 100.5.1)."""
    return event.phase in (Phase.SWISS, Phase.CUT, Phase.FINISHED)
