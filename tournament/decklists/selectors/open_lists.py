"""Decklists that the organizer opened: to the players of the cut among themselves, or to everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from decks.submissions.models import DeckVersion
from decks.submissions.selectors.lists import standing_outcome
from rules.deck import ZONE_WORDS
from tournament.events.models.event import Event, Stage, StageEntrant
from tournament.events.models.player import Player


@dataclass(frozen=True, slots=True)
class Zone:
    """One part of a list: what it is called, how many cards, and the lines."""

    words: str
    cards: int
    lines: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class OpenList:
    """A list that counts, as others may read it."""

    owner: Player
    version: DeckVersion
    outcome: str
    zones: list[Zone]


def open_list(owner: Player, *, viewer: Player | None = None) -> OpenList | None:
    """The owner's list, if it is open to the viewer (None is the public) and he handed one in."""
    if not may_see(owner, viewer=viewer) or owner.deck_list is None or owner.deck_list.current is None:
        return None
    version = owner.deck_list.current
    return OpenList(owner, version, standing_outcome(version), _zones(version.entries))


def may_see(owner: Player, *, viewer: Player | None = None) -> bool:
    """Whether the organizer has opened the owner's list to the viewer; never that of who does not play."""
    event = owner.event
    if owner.status != Player.Status.REGISTERED:
        return False
    if event.lists_open == Event.ListsOpen.ALL:
        return True
    if event.lists_open != Event.ListsOpen.CUT or viewer is None:
        return False
    cut = StageEntrant.objects.filter(stage__event=event).exclude(stage__kind=Stage.Kind.SWISS)
    return cut.filter(player__in={owner.pk, viewer.pk}).count() == len({owner.pk, viewer.pk})


def _zones(entries: Sequence[Mapping[str, Any]]) -> list[Zone]:
    parts: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        parts.setdefault(entry["zone"], []).append(entry)
    return [
        Zone(ZONE_WORDS.get(zone, zone).capitalize(), sum(line["qty"] for line in lines), lines)
        for zone, lines in parts.items()
    ]
