"""A short name for a submitted list that a judge can read aloud across a table.

Sixteen bits become five letters (consonant, vowel, consonant, vowel, consonant); two such words make
one name in four thousand million. Letters that sound alike (c and k, y and i) are left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

CONSONANTS = "bdfghjklmnprstvz"
VOWELS = "aiou"


def short_hash(
    game: str,
    format_key: str,
    source: str,
    entries: Sequence[Any],
    *,
    pool: str = "",
    declared: Mapping[str, Any] | None = None,
) -> str:
    """Eleven characters ("lusab-bavid") that change with the text, a card, the pool or a declaration."""
    told = [game, format_key, source, entries, *([pool, declared or {}] if pool or declared else ())]
    content = json.dumps(told, ensure_ascii=True, sort_keys=True)
    digest = hashlib.sha256(content.encode()).digest()
    return "-".join(_spoken(int.from_bytes(digest[start : start + 2], "big")) for start in (0, 2))


def _spoken(bits: int) -> str:
    """Sixteen bits as five letters, most significant first."""
    first, second, third = bits >> 12 & 15, bits >> 10 & 3, bits >> 6 & 15
    fourth, last = bits >> 4 & 3, bits & 15
    return "".join((CONSONANTS[first], VOWELS[second], CONSONANTS[third], VOWELS[fourth], CONSONANTS[last]))
