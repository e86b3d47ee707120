"""Highlander deck construction checks, one module per chapter."""

from rules.games.highlander.checks import (
    basics,
    gems,
    limits,
    owners,
    plot_hilt,
    pregame,
    printings,
    restrictions,
    sealed,
    two_heads,
    weapons,
)

__all__ = [
    "basics",
    "gems",
    "limits",
    "owners",
    "plot_hilt",
    "pregame",
    "printings",
    "restrictions",
    "sealed",
    "two_heads",
    "weapons",
]
