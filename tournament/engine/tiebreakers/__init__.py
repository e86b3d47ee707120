"""All kinds of tiebreaker by name. Systems are lists of them with parameters."""

from __future__ import annotations

from tournament.engine.tiebreakers import fide, head_to_head, own, ratios, sums
from tournament.engine.tiebreakers.base import Kind

KINDS: dict[str, Kind] = {**own.KINDS, **ratios.KINDS, **sums.KINDS, **fide.KINDS, **head_to_head.KINDS}

__all__ = ["KINDS"]
