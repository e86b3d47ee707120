"""How many Swiss rounds a field needs. The documents are silent; these defaults are ours."""

from __future__ import annotations


def suggested_rounds(players: int) -> int:
    """Rounds after which at most one player can be unbeaten: log2 of the field, rounded up, at least one."""
    return max(1, (max(players, 1) - 1).bit_length())
