"""Players whose decks can be checked, and the state of their deck checks."""

from __future__ import annotations

from dataclasses import dataclass

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.name_order import sort_owners
from tournament.events.seats import list_registered_owners
from tournament.judging.models import DeckCheck
from tournament.judging.selectors import filter_names


@dataclass(frozen=True, slots=True)
class DeckCheckState:
    """A player in the overview of deck checks."""

    player: Player
    checks: list[DeckCheck]

    @property
    def last_check(self) -> DeckCheck | None:
        """The newest check."""
        return self.checks[0] if self.checks else None


def deck_check_states(event: Event, words: str = "") -> list[DeckCheckState]:
    """List players with their deck checks, unchecked ones last.

    These are all players, or those found by words. Two queries.
    """
    owners = filter_names(list_registered_owners(event), words)
    rows = [
        DeckCheckState(p, sorted(p.deck_checks.all(), key=lambda c: -c.pk))
        for p in sort_owners(event, owners.select_related("team").prefetch_related("deck_checks"))
    ]
    return sorted(
        rows, key=lambda row: (row.last_check is None, -(row.last_check.pk if row.last_check else 0))
    )
