"""What only Highlander asks of a deck, a module for each chapter of its deck construction."""

from . import (
    basics,
    crystals,
    errata,
    gems,
    owners,
    plot_hilt,
    pregame,
    printings,
    restrictions,
    sealed,
    size,
    titles,
    two_heads,
    watchers,
    weapons,
)

__all__ = [
    "basics",
    "crystals",
    "errata",
    "gems",
    "owners",
    "plot_hilt",
    "pregame",
    "printings",
    "restrictions",
    "sealed",
    "size",
    "titles",
    "two_heads",
    "watchers",
    "weapons",
]
