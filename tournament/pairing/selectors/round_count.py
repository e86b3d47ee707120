"""Suggest how many Swiss rounds the first stage of an event has."""

from __future__ import annotations

from tournament.booster_drafts.selectors import count_largest_pod
from tournament.engine.pairing.round_plan import suggest_round_count
from tournament.events.models.event import Event
from tournament.pairing.options import parse_pairing_options


def suggest_swiss_rounds(event: Event, players: int) -> int:
    """Return the rounds for so many players: for the largest pod, if rounds are played inside pods.

    One query inside pods, else none.
    """
    if parse_pairing_options(event.pairing_options).inside_pods:
        players = count_largest_pod(event, players)
    return suggest_round_count(players)
