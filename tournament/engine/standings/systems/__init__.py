"""Scoring systems: ordered tiebreakers with parameters, as TOML files."""

from __future__ import annotations

from tournament.engine.standings.systems.custom import OWN_SYSTEM_KEY, own_system, system_to_data
from tournament.engine.standings.systems.loading import exact_number, load_system, parse_system, system_names
from tournament.engine.standings.systems.system import System, Tiebreaker, TiebreakerDescription

__all__ = [
    "OWN_SYSTEM_KEY",
    "System",
    "Tiebreaker",
    "TiebreakerDescription",
    "exact_number",
    "load_system",
    "own_system",
    "parse_system",
    "system_names",
    "system_to_data",
]
