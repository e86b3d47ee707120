"""What every step about a player asks first: the row as it stands, and how far the event is."""

from __future__ import annotations

from tournament.events.models.event import Event
from tournament.events.models.player import Player
from tournament.events.models.round import Round
from tournament.events.selectors.stages import table_rounds

Phase = Event.Phase
Status = Player.Status
OPEN_PHASES = (Phase.REGISTRATION, Phase.CHECK_IN)
BEFORE_START = (Phase.PREPARING, *OPEN_PHASES)


def lock(player: Player) -> None:
    """Read the player again under the event's lock, so that nothing older than the lock decides."""
    player.refresh_from_db(
        fields=[
            "name", "email", "folded_name", "namesake", "status", "checked_in_at", "dropped_after",
            "drop_reason", "waiting_since", "merged_into",
        ]
    )  # fmt: skip


def rounds_out(event: Event) -> int:
    """How many table rounds players have seen. One query."""
    return table_rounds(event).exclude(state=Round.State.DRAFT).count()
