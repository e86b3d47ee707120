"""Deck files: bytes in, lines and problems out.

One module a file type; the content decides which.
"""

from __future__ import annotations

from decks.importers.model import MAX_QUANTITY, AlternativeReading, DeckLine, ParsedDeck, ParseProblem
from decks.importers.parsing import FORMATS, MAX_BYTES, MAX_LINES, parse
from decks.importers.pools import append_pool

__all__ = [
    "FORMATS",
    "MAX_BYTES",
    "MAX_LINES",
    "MAX_QUANTITY",
    "AlternativeReading",
    "DeckLine",
    "ParseProblem",
    "ParsedDeck",
    "append_pool",
    "parse",
]
