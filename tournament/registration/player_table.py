"""The players of an event as a table for spreadsheets, which can be read in again."""

from __future__ import annotations

from collections.abc import Iterator

from tournament.events.models.event import Event
from tournament.registration import player_csv

HEADER = (
    "Number", "Name", "E-mail", "Character", "Members", "Club", "Seed", "Rating", "Fixed table", "Byes",
    "Paid", "Namesake", "State", "Checked in", "Dropped after",
)  # fmt: skip


def player_table(event: Event) -> str:
    """Everybody who is or was registered, by number. One query."""
    return player_csv.write(HEADER, _rows(event))


def _rows(event: Event) -> Iterator[tuple[object, ...]]:
    for player in event.players.order_by("number"):
        here = player.checked_in_at
        yield (
            player.number,
            player.name,
            player.email,
            player.character,
            " + ".join(player.members),
            player.club,
            player.seed,
            player.rating,
            player.fixed_table,
            player.first_byes or None,
            "yes" if player.has_paid else "",
            "yes" if player.namesake else "",
            player.get_status_display(),
            f"{here.astimezone(event.zone):%Y-%m-%d %H:%M}" if here else "",
            player.dropped_after,
        )
