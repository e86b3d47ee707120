"""Shapes of the pairing API that other rooms answer with too."""

from __future__ import annotations

from decks.shared.dataclass_serializers import serializer_of
from tournament.pairing.selectors.drafts import CostLine, DraftWarning

CostSerializer = serializer_of(
    CostLine, "CostSerializer", "One part of the cost, of the tables as they are and of the best pairing."
)
WarningSerializer = serializer_of(DraftWarning, "WarningSerializer", "A warning about a table of a draft.")
