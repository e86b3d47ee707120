"""The stages of an event as they stand: which is played, which has tables, which is the bracket."""

from __future__ import annotations

from django.db.models import QuerySet

from tournament.events.models.event import Event, Stage
from tournament.events.models.player import Player
from tournament.events.models.round import Round

TABLES = (Stage.Kind.SWISS, Stage.Kind.ROBIN)
BRACKETS = (Stage.Kind.SINGLE, Stage.Kind.DOUBLE)


def current(event: Event) -> Stage | None:
    """The stage that was begun last; None before the start. One query."""
    return event.stages.order_by("position").last()


def tables_of(event: Event) -> Stage | None:
    """The Swiss or round-robin stage that was begun last. One query."""
    return event.stages.filter(kind__in=TABLES).order_by("position").last()


def bracket_of(event: Event) -> Stage | None:
    """The bracket, once it is made. One query."""
    return event.stages.filter(kind__in=BRACKETS).order_by("position").last()


def table_rounds(event: Event) -> QuerySet[Round]:
    """The rounds with standings, drafts included; their numbers run through all such stages."""
    return Round.objects.filter(stage__event=event, stage__kind__in=TABLES)


def rounds_before(stage: Stage) -> int:
    """How many rounds the stages before this one had: its own are numbered after them. One query."""
    return table_rounds(stage.event).filter(stage__position__lt=stage.position).count()


def in_bracket(player: Player) -> bool:
    """Whether the player has a place in a bracket. One query."""
    return player.stage_places.filter(stage__kind__in=BRACKETS).exists()


def stage_of(event: Event) -> Stage | None:
    """The bracket, once it is made."""
    return event.stages.filter(kind__in=BRACKETS).order_by("position").last()
