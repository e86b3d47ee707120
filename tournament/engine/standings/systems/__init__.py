"""Systems of standings: an ordered list of tiebreakers with parameters, kept as data beside this file."""

from __future__ import annotations

from tournament.engine.standings.systems.loading import exact_number, load_system, system_from, system_names
from tournament.engine.standings.systems.own import OWN, as_data, own_system
from tournament.engine.standings.systems.system import Described, System, Tiebreaker

__all__ = [
    "OWN",
    "Described",
    "System",
    "Tiebreaker",
    "as_data",
    "exact_number",
    "load_system",
    "own_system",
    "system_from",
    "system_names",
]
