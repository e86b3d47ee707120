"""Suggest how many Swiss rounds the first stage of an event has."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.booster_drafts.selectors import count_largest_pod
from tournament.engine.pairing.round_plan import suggest_round_count
from tournament.events.models.event import Event
from tournament.events.models.round import Round
from tournament.pairing.options import parse_pairing_options


def suggest_swiss_rounds(event: Event, players: int) -> int:
    """Return the number of rounds for a given number of players.

    If rounds are played inside pods, it is that for the largest pod. One query inside pods, else none.
    """
    if parse_pairing_options(event.pairing_options).inside_pods:
        players = count_largest_pod(event, players)
    return suggest_round_count(players)


@dataclass(frozen=True, slots=True)
class UnfitRounds:
    """How many Swiss rounds are planned, and how many the largest draft pod needs."""

    planned_rounds: int
    needed_rounds: int


def find_unfit_rounds(event: Event) -> UnfitRounds | None:
    """Return the planned rounds if the seated pods need another number.

    It is None once round 1 is published. Four queries at most inside pods, else none.
    """
    if event.phase != Event.Phase.SWISS or not parse_pairing_options(event.pairing_options).inside_pods:
        return None
    published_rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    if not event.pod_seats.exists() or published_rounds.exists():
        return None
    planned_round_count, needed_round_count = (
        event.swiss_rounds or 0,
        suggest_round_count(count_largest_pod(event, 0)),
    )
    return (
        None
        if planned_round_count == needed_round_count
        else UnfitRounds(planned_round_count, needed_round_count)
    )
