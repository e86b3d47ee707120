"""Random seeds and numbers derived by hashing."""

from __future__ import annotations

import hashlib
import secrets

MAX_SEED = 2**53 - 1  # survives a trip through JSON in any language

MAX_RANDOM_NUMBER = 2**31 - 1


def new_seed() -> int:
    """Return a fresh seed for an event."""
    return secrets.randbelow(MAX_SEED)


def derive_seed(seed: int, *path: object) -> int:
    """Return the seed of a part (stage, round, attempt) of an event."""
    words = "/".join(str(part) for part in (seed, *path))
    return int.from_bytes(hashlib.sha256(words.encode()).digest()[:8], "big") % MAX_SEED


def draw_random_number(seed: int, player_number: int) -> int:
    """Return the random number of one player, the last tiebreaker."""
    return derive_seed(seed, "lot", player_number) % MAX_RANDOM_NUMBER
