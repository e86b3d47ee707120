"""Shapes of the results API that other rooms answer with too."""

from __future__ import annotations

from decks.shared.dataclass_serializers import serializer_of
from tournament.pairing.selectors.table_changes import TableChange
from tournament.results.services.dry_run import StandingsChange, StandingsPlace

TableChangeSerializer = serializer_of(
    TableChange, "TableChangeSerializer", "One table (null: the bye) before and after."
)
PlaceSerializer = serializer_of(StandingsPlace, "PlaceSerializer", "A player's place and points.")
MoveSerializer = serializer_of(StandingsChange, "MoveSerializer", "A player with a changed place or points.")
