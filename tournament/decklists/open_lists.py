"""Decklists that the organizer opened to other players or to everyone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from decks.matching.records import EntryRecord
from decks.shared.json_shapes import Published
from decks.submissions.models import DeckVersion
from decks.submissions.selectors import current_outcome
from tournament.decklists.selectors import format_zone
from tournament.events.models.event import Event, Stage, StageEntrant
from tournament.events.models.player import Player
from tournament.events.seats import list_owners_of


@dataclass(frozen=True, slots=True)
class OpenListEntry(Published):
    """So many copies of a card."""

    qty: int
    name: str


@dataclass(frozen=True, slots=True)
class OpenListZone(Published):
    """One part of a list: what it is called, how many cards, and the lines."""

    zone: str
    words: str
    cards: int
    lines: list[OpenListEntry]


@dataclass(frozen=True, slots=True)
class OpenList(Published):
    """A list that counts, as others may read it."""

    PUBLISHED = {
        "player": "owner_number",
        "name": "owner_name",
        "short_hash": "short_hash",
        "outcome": "outcome",
        "zones": "zones",
    }

    owner: Player
    version: DeckVersion
    outcome: str
    zones: list[OpenListZone]

    @property
    def owner_number(self) -> int:
        return self.owner.number

    @property
    def owner_name(self) -> str:
        return self.owner.full_name

    @property
    def short_hash(self) -> str:
        return self.version.short_hash


def find_open_list(owner: Player, *, viewer: Player | None = None) -> OpenList | None:
    """Return the owner's submitted list, if open to the viewer (None: the public)."""
    if not can_see_list(owner, viewer=viewer) or owner.deck_list is None or owner.deck_list.current is None:
        return None
    version = owner.deck_list.current
    return OpenList(owner, version, current_outcome(version), _open_list_zones(version.entries))


def find_open_lists(owner: Player, *, viewer: Player | None = None) -> list[OpenList]:
    """Return the lists of a player or a team that are open to the viewer.

    For a team, these are the lists of all its seats.
    """
    open_lists = (find_open_list(each, viewer=viewer) for each in list_owners_of(owner))
    return [open_list for open_list in open_lists if open_list is not None]


def can_see_list(owner: Player, *, viewer: Player | None = None) -> bool:
    """Return whether the owner's list is open to the viewer.

    Only lists of active players are.
    """
    event, owner = owner.event, owner.entrant
    if owner.status != Player.Status.REGISTERED:
        return False
    if event.lists_open == Event.ListsOpen.ALL:
        return True
    if event.lists_open != Event.ListsOpen.CUT or viewer is None:
        return False
    cut = StageEntrant.objects.filter(stage__event=event).exclude(stage__kind=Stage.Kind.SWISS)
    return cut.filter(player__in={owner.pk, viewer.pk}).count() == len({owner.pk, viewer.pk})


def _open_list_zones(entries: Sequence[EntryRecord]) -> list[OpenListZone]:
    rows_by_zone: dict[str, list[OpenListEntry]] = {}
    for entry in entries:
        open_entry = OpenListEntry(entry["qty"] or 0, entry["name"])
        rows_by_zone.setdefault(entry["zone"], []).append(open_entry)
    return [
        OpenListZone(zone, format_zone(zone), sum(line.qty for line in lines), lines)
        for zone, lines in rows_by_zone.items()
    ]
