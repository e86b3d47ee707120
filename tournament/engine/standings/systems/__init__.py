"""Scoring systems: ordered tiebreakers with parameters, as JSON files."""

from __future__ import annotations

from tournament.engine.standings.systems.loading import exact_number, load_system, parse_system, system_names
from tournament.engine.standings.systems.system import System, Tiebreaker

__all__ = [
    "System",
    "Tiebreaker",
    "exact_number",
    "load_system",
    "parse_system",
    "system_names",
]
