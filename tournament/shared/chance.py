"""Numbers drawn from recorded seeds: the same seed draws the same numbers on every machine."""

from __future__ import annotations

import hashlib
import secrets

LARGEST_SEED = 2**53 - 1  # survives a trip through JSON in any language
LARGEST_LOT = 2**31 - 1


def new_seed() -> int:
    """A fresh seed for an event."""
    return secrets.randbelow(LARGEST_SEED)


def derive(seed: int, *path: object) -> int:
    """The seed of a part (stage, round, attempt) of an event."""
    words = "/".join(str(part) for part in (seed, *path))
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big") % LARGEST_SEED


def lot(seed: int, player_number: int) -> int:
    """The lot of one player, the last tiebreaker."""
    return derive(seed, "lot", player_number) % LARGEST_LOT
