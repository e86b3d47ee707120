"""All kinds of tiebreaker by name. Systems are lists of them with parameters."""

from __future__ import annotations

from tournament.engine.standings.tiebreakers.base import TiebreakerKind
from tournament.engine.standings.tiebreakers.fide import KINDS as FIDE
from tournament.engine.standings.tiebreakers.head_to_head import KINDS as HEAD_TO_HEAD
from tournament.engine.standings.tiebreakers.own_results import KINDS as OWN
from tournament.engine.standings.tiebreakers.ratios import KINDS as RATIOS
from tournament.engine.standings.tiebreakers.records import KINDS as RECORDS
from tournament.engine.standings.tiebreakers.sums import KINDS as SUMS

KINDS: dict[str, TiebreakerKind] = {**OWN, **RATIOS, **RECORDS, **SUMS, **FIDE, **HEAD_TO_HEAD}

__all__ = ["KINDS"]
